// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/base/errors.h"
#include "models/units/text.h"
#include "traces/stream/unpacked.h"
#include "traces/tlp/log.h"
#include "traces/tlp/nettlp.h"

namespace gicsim::tlp {
namespace {

constexpr std::size_t most_requests = 1 << 16;  ///< remembered; a trace that has more outstanding is counted anew

/// A source with the file that it reads, gzipped or not.
template <class Reader>
class Opened final : public Source {
 public:
  template <class... More>
  explicit Opened(const std::string& file, More... more)
      : in_(file), reader_(in_, file, std::move(more)...) {}
  bool next(Record& record) override { return reader_.next(record); }
  std::string note() const override { return reader_.note(); }
  std::string format() const override { return reader_.format(); }
  double progress() const override { return in_.progress(); }

 private:
  stream::Unpacked in_;
  Reader reader_;
};

bool begins_as_log(const std::string& file) {
  stream::Unpacked in(file);
  std::string head(log_magic.size(), '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return in && head == log_magic;
}

bool captured(const std::string& file) {
  try {
    stream::Unpacked in(file);
    return is_nettlp(in, file);
  } catch (const ConfigError&) {  // whoever reads it as what else it may be says why
    return false;
  }
}

/// Of all requests that are under way.
class Reads {
 public:
  void see(const Record& r, Info& info) {
    if (flow_of(r.kind) == Flow::posted) return;
    const std::tuple key{r.link, r.requester, *r.tag};
    if (r.kind != TlpKind::completion) {
      if (open_.size() >= most_requests) open_.clear();
      open_[key] = {r.begin, r.kind == TlpKind::read ? r.length : Bytes{}, r.kind == TlpKind::read, r.direction};
      return;
    }
    const auto found = open_.find(key);
    if (found == open_.end() || found->second.direction == r.direction) return;
    Open& one = found->second;
    one.left = one.left - r.length;
    if (one.left > Bytes{} && r.status == CompletionStatus::successful) return;
    if (one.read && r.status == CompletionStatus::successful) info.links[r.link].reads.add((r.begin - one.begin) / 1ns);
    open_.erase(found);
  }
  void end(Info& info) const {
    for (const auto& [key, one] : open_) ++info.links[std::get<0>(key)].unanswered;
  }

 private:
  struct Open {
    Picoseconds begin;
    Bytes left;
    bool read;
    Direction direction;
  };
  std::map<std::tuple<std::string, RequesterId, std::uint16_t>, Open> open_;
};

std::string time(std::uint64_t ns) { return text::write(Picoseconds{static_cast<std::int64_t>(ns) * 1000}); }

}  // namespace

std::unique_ptr<Source> open(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return nullptr;
  if (begins_as_log(file)) return std::make_unique<Opened<Log>>(file);
  if (!captured(file)) return nullptr;
  std::ifstream names(std::filesystem::path(file).replace_extension(".hosts"));
  return std::make_unique<Opened<NetTlp>>(file, read_hosts(names));
}

Info survey(std::string file, Source& source) {
  Info info{.file = std::move(file), .format = source.format(), .note = {}, .links = {}};
  Reads reads;
  for (Record r; source.next(r);) {
    info.begin = info.tlps == 0 ? r.begin : std::min(info.begin, r.begin);
    info.end = std::max(info.end, r.end.value_or(r.begin));
    ++info.tlps;
    LinkInfo::Sum& sum = info.links[r.link].sums[{r.direction, std::string(type_of(r))}];
    ++sum.n;
    sum.bytes += r.length;
    reads.see(r, info);
  }
  reads.end(info);
  info.note = source.note();
  return info;
}

std::string to_text(const Info& info) {
  std::string out =
      fmt::format("{}: {}, {} TLPs on {} link{}, {} from the first to the last\n", info.file, info.format, info.tlps,
                  info.links.size(), info.links.size() == 1 ? "" : "s", text::write(info.end - info.begin));
  if (!info.note.empty()) out += "  note: " + info.note + "\n";
  if (info.tlps == 0) return out;
  out += fmt::format("  {:<28} {:<9} {:<9} {:>10} {:>14}\n", "link", "direction", "type", "TLPs", "bytes");
  for (const auto& [name, link] : info.links)
    for (const auto& [what, sum] : link.sums)
      out += fmt::format("  {:<28} {:<9} {:<9} {:>10} {:>14}\n", name, name_of(what.first), what.second, sum.n,
                         sum.bytes.count());
  for (const auto& [name, link] : info.links) {
    if (link.reads.n() > 0)
      out += fmt::format("  {}: {} reads, from request to last data p50 {}, p99 {}, min {}, max {}\n", name,
                         link.reads.n(), time(link.reads.at(0.5)), time(link.reads.at(0.99)), time(link.reads.least()),
                         time(link.reads.most()));
    if (link.unanswered > 0)
      out += fmt::format("  {}: {} requests without an answer in the trace\n", name, link.unanswered);
  }
  return out;
}

std::string to_json(const std::vector<Info>& all) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const Info& info : all) {
    nlohmann::ordered_json links = nlohmann::ordered_json::array();
    for (const auto& [name, link] : info.links) {
      nlohmann::ordered_json sums = nlohmann::ordered_json::array();
      for (const auto& [what, sum] : link.sums)
        sums.push_back(
            {{"direction", name_of(what.first)}, {"type", what.second}, {"tlps", sum.n}, {"bytes", sum.bytes.count()}});
      nlohmann::ordered_json reads = nullptr;
      if (link.reads.n() > 0)
        reads = {{"n", link.reads.n()}, {"p50_ns", link.reads.at(0.5)}, {"p99_ns", link.reads.at(0.99)},
                 {"min_ns", link.reads.least()}, {"max_ns", link.reads.most()}};
      links.push_back(
          {{"link", name}, {"tlps", std::move(sums)}, {"reads", std::move(reads)}, {"unanswered", link.unanswered}});
    }
    files.push_back({{"file", info.file}, {"format", info.format}, {"note", info.note}, {"tlps", info.tlps},
                     {"begin_ps", info.begin.count()}, {"end_ps", info.end.count()}, {"links", std::move(links)}});
  }
  return nlohmann::ordered_json{{"schema", "gicsim.tlp_info/1"}, {"files", std::move(files)}}.dump(2) + "\n";
}

}  // namespace gicsim::tlp
