// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/profile/detail/nccl_file.h"
#include "traces/profile/words.h"

namespace gicsim::profile::detail {
namespace {

constexpr Picoseconds us_in_ns{1000};
constexpr std::size_t most_open = 65'536;
constexpr std::int64_t latest = std::int64_t{1} << 62;  ///< ns

/// Pointers, as printf's %p writes them, in quotes.
std::string with_quoted_pointers(const std::string& text) {
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (inside && text[i] == '\\' && i + 1 < text.size()) {
      out += text[i++];
    } else if (text[i] == '"') {
      inside = !inside;
    } else if (!inside && (text.compare(i, 2, "0x") == 0 || text.compare(i, 5, "(nil)") == 0)) {
      const std::size_t n = text.find_first_of(",}] \n", i) - i;
      out += '"' + text.substr(i, n) + '"';
      i += n - 1;
      continue;
    }
    out += text[i];
  }
  return out;
}

/// Chrome's asynchronous events: begins, with what it is, are held until their ends.
class Profiler final : public Calls {
 public:
  Profiler(const std::string& file, std::shared_ptr<Common> common)
      : in_(file),
        items_(std::make_unique<stream::Items>(in_, stream::Items::Of::members)),
        common_(std::move(common)) {}

  bool next(Call& call) override {
    for (stream::Item item; items_->next(item);)
      if (item.element && take(item, call)) return true;
    for (const auto& [key, open] : open_) common_->unused.add("collectives and messages without an end", open.place);
    open_.clear();
    return false;
  }
  void rewind() override {
    in_.rewind();
    items_ = std::make_unique<stream::Items>(in_, stream::Items::Of::members);
    open_.clear();
  }
  double progress() const override { return in_.progress(); }
  const std::string& file() const override { return in_.file(); }

 private:
  bool take(const stream::Item& item, Call& call) {
    const bool pointers = item.text.find(": 0x") != item.text.npos || item.text.find("(nil)") != item.text.npos;
    const stream::Value event =
        pointers ? stream::parse_value(with_quoted_pointers(item.text), in_.file(), item.at) : items_->parse(item);
    const std::string_view category = stream::word_of(event, "cat"), phase = stream::word_of(event, "ph");
    if (event.values.empty() || phase == "M") return false;  // the file ends with an empty object
    const std::string key = fmt::format("{} {} {} {}", category, stream::word_of(event, "id"),
                                        stream::word_of(event, "pid"), stream::word_of(event, "tid"));
    if (category != "COLL" && category != "P2P") {
      if (phase == "b") common_->unused.add(fmt::format("'{}' events: {}", category, reason(category)), item.at);
      return false;
    }
    const auto time = stream::time_of(event, "ts", us_in_ns);
    if (!time || time->count() < 0 || time->count() > latest) in_.fail(item.at, "an event without a time: ts");
    if (phase == "b") {
      begin(event, item, time->count(), open_[key]);
      if (open_.size() > most_open) in_.fail(item.at, fmt::format("more than {} events are open at once", most_open));
      return false;
    }
    const auto open = open_.find(key);
    if (phase != "e" || open == open_.end()) {
      common_->unused.add("ends without a begin", item.at);
      return false;
    }
    call = std::move(open->second);
    open_.erase(open);
    if (time->count() < *call.begin) in_.fail(item.at, "an event ends before it begins");
    call.length = time->count() - *call.begin;
    return true;
  }

  static void begin(const stream::Value& event, const stream::Item& item, std::int64_t time, Call& call) {
    static const stream::Value none;
    const stream::Value* found = event.find("args");
    const stream::Value& args = found ? *found : none;
    call.what = stream::word_of(event, "name");
    call.communicator = stream::word_of(args, "CommHash");
    call.rank = stream::integer_of(args, "Rank").value_or(0);
    call.peer = stream::integer_of(args, "Peer");
    const auto count = stream::integer_of(args, "Count");
    const auto size = size_of(stream::word_of(args, "Datatype"));
    if (count && size && *count >= 0 && *count < std::int64_t{1} << 46) call.bytes = *count * *size;
    call.begin = time;
    call.place = item.at;
  }

  static std::string_view reason(std::string_view category) {
    if (category == "PROXY" || category == "NET")
      return "how NCCL's proxy sent them; collectives are taken apart by this program's own algorithms";
    if (category == "NET_IB") return "posts to queue pairs don't say their other end; a capture of the wire does";
    return "what else the profiler times";
  }

  stream::Input in_;
  std::unique_ptr<stream::Items> items_;
  std::shared_ptr<Common> common_;
  std::map<std::string, Call> open_;
};

}  // namespace

std::unique_ptr<Calls> profiler_calls(const std::string& file, std::shared_ptr<Common> common) {
  return std::make_unique<Profiler>(file, std::move(common));
}

}  // namespace gicsim::profile::detail
