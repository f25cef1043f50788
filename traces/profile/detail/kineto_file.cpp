// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/detail/kineto_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "traces/profile/words.h"

namespace gicsim::profile::detail {
namespace {

constexpr Picoseconds us_in_ns{
    1000};  ///< stamps since 1970 don't fit picoseconds: read as if a picosecond were a nanosecond

constexpr std::int64_t latest = std::int64_t{1} << 62;  ///< ns: the year 2116

/// A text member of an event, without a look at all the others.
std::string_view member(std::string_view event, std::string_view quoted_name) {
  auto at = event.find(quoted_name);
  if (at == event.npos) return {};
  at = event.find_first_not_of(" \t\r\n:", at + quoted_name.size());
  if (at == event.npos || event[at] != '"') return {};
  return event.substr(at + 1, event.find('"', at + 1) - at - 1);
}

/// Older traces write Kernel, Memcpy, Memset.
bool on_gpu(std::string_view category) {
  std::string small(category);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small == "kernel" || small == "gpu_memcpy" || small == "gpu_memset" || small == "memcpy" || small == "memset";
}

}  // namespace

Distributed distributed_in(const std::string& file) {
  stream::Input in(file);
  stream::Items items(in, stream::Items::Of::members);
  Distributed found;
  for (stream::Item item; items.next(item);) {
    if (item.key != "distributedInfo" || item.element) continue;
    const stream::Value info = items.parse(item);
    found.rank = stream::integer_of(info, "rank");
    found.world = stream::integer_of(info, "world_size");
    if (const stream::Value* groups = info.find("pg_config"))
      for (const stream::Value& group : groups->values) {
        std::vector<std::uint32_t> ranks;
        if (const stream::Value* list = group.find("ranks")) {
          for (const stream::Value& rank : list->values)
            if (const auto n = rank.integer(); n && *n >= 0) ranks.push_back(static_cast<std::uint32_t>(*n));
          if (list->kind == stream::Value::Kind::text)
            ranks = ranks_in(list->text, stream::integer_of(group, "pg_size"), found.world);
        }
        if (!ranks.empty()) found.groups.emplace(stream::word_of(group, "pg_name"), std::move(ranks));
      }
    break;
  }
  return found;
}

KinetoFile::KinetoFile(const std::string& file, std::uint32_t self, Distributed distributed,
                       std::shared_ptr<const Given> given, std::shared_ptr<Common> common)
    : in_(file),
      self_(self),
      items_(std::make_unique<stream::Items>(in_, stream::Items::Of::members)),
      distributed_(std::move(distributed)),
      given_(std::move(given)),
      common_(std::move(common)) {}

void KinetoFile::rewind() {
  in_.rewind();
  began_.clear();
  items_ = std::make_unique<stream::Items>(in_, stream::Items::Of::members);
}

Location KinetoFile::location(std::uint64_t place) const { return {fmt::format("{}: byte {}", in_.file(), place)}; }

bool KinetoFile::next(Work& work) {
  for (stream::Item item; items_->next(item);)
    if (item.element && item.key == "traceEvents" && take(item, work)) return true;
  return false;
}

/// @return false: nothing that ran on the GPU
bool KinetoFile::take(const stream::Item& item, Work& work) {
  const std::string_view category = member(item.text, "\"cat\""), phase = member(item.text, "\"ph\"");
  if (!on_gpu(category) || phase != "X") {
    if (phase == "M") return false;  // names of tracks
    common_->unused.add(
        phase == "X" ? fmt::format("'{}' events: what runs on the host isn't replayed, nor are annotations", category)
                     : fmt::format("events of phase '{}': arrows, instants and counters", phase),
        item.at);
    return false;
  }
  const stream::Value event = items_->parse(item);
  const auto begin = stream::time_of(event, "ts", us_in_ns);
  const auto length = event.find("dur") ? stream::time_of(event, "dur", us_in_ns) : Picoseconds{};
  if (!begin || begin->count() < 0 || begin->count() > latest) fail(item, "an event on the GPU without a time: ts");
  if (!length || length->count() < 0 || length->count() > 50LL * 86'400 * 1'000'000'000)
    fail(item, "an event on the GPU whose length can't be: dur");
  work.begin = begin->count();
  work.end = begin->count() + length->count();
  work.name = stream::word_of(event, "name");
  work.place = item.at;
  static const stream::Value none;
  const stream::Value* args = event.find("args");
  if (!args) args = &none;
  const auto stream = stream::integer_of(*args, "stream");
  const auto device = stream::integer_of(*args, "device");
  work.lane = fmt::format("device {} stream {}", device.value_or(stream::integer_of(event, "pid").value_or(0)),
                          stream.value_or(stream::integer_of(event, "tid").value_or(0)));
  if (args->find("Collective name") || work.name.starts_with("nccl")) take_message(*args, work);
  return true;
}

/// Where it can't be taken apart it stays what it was: busy for as long as it took.
void KinetoFile::take_message(const stream::Value& args, Work& work) {
  const auto stays = [&](const std::string& why) {
    common_->unused.add(why + ": it takes the time that it took", work.place);
  };
  const std::string_view name = stream::word_of(args, "Collective name");
  if (name.empty()) return stays("an NCCL kernel that doesn't say what it does (recorded without its arguments)");
  const auto meant = meaning_of(name);
  if (!meant) return stays(fmt::format("an NCCL kernel of '{}'", name));
  const auto type = size_of(stream::word_of(args, "dtype"));
  const auto bytes_of = [&](std::string_view member) -> std::optional<std::int64_t> {
    const auto elements = stream::integer_of(args, member);
    if (!elements || !type || *elements < 0 || *elements > std::int64_t{1} << 46) return std::nullopt;
    return *elements * *type;
  };
  const auto in = bytes_of("In msg nelems"), out = bytes_of("Out msg nelems");
  if (meant->message != Message::collective) {
    const bool send = meant->message == Message::send;
    const auto peer = stream::integer_of(args, send ? "Dst Rank" : "Src Rank");
    const auto at = peer && *peer >= 0 ? given_->find(static_cast<std::uint32_t>(*peer)) : given_->end();
    const auto bytes = send ? in : (out ? out : in);
    if (at == given_->end() || !bytes)
      return stays("a message whose other rank isn't given, or whose size isn't known");
    work.kind = send ? Work::Kind::send : Work::Kind::receive;
    work.peer = at->second;
    work.bytes = Bytes(*bytes);
    return;
  }
  work.group = group_of(args);
  if (!work.group) return stays("a collective among ranks whose traces aren't given");
  const auto whole = whole_of(meant->operation, in, out, work.group->ranks.size());
  if (!whole) return stays("a collective whose size isn't known");
  if (const auto seq = stream::integer_of(args, "Seq"); seq && began_.insert(work.group->id).second)
    if (common_->first_seq.try_emplace(work.group->id, *seq).first->second != *seq)
      common_->unused.add(
          "Seq: a group's first collective isn't the same one in all traces; they are paired by their order",
          work.place);
  work.kind = Work::Kind::collective;
  work.operation = meant->operation;
  work.bytes = *whole;
  if (const auto root = stream::integer_of(args, "Root Rank"))
    if (const auto at = given_->find(static_cast<std::uint32_t>(*root)); at != given_->end())
      work.root = schedule::place_of(at->second, *work.group).value_or(0);
}

/// Null: not all of its ranks are known, and given.
std::shared_ptr<const schedule::Communicator> KinetoFile::group_of(const stream::Value& args) {
  const std::string name(stream::word_of(args, "Process Group Name"));
  const stream::Value* list = args.find("Process Group Ranks");
  std::string listed(list ? list->word() : std::string_view{});
  if (list && list->kind == stream::Value::Kind::list)
    for (const stream::Value& rank : list->values) listed += rank.text + ",";
  const auto [known, fresh] = groups_.try_emplace(name + " " + listed);
  if (!fresh) return known->second;
  std::vector<std::uint32_t> ranks = ranks_in(listed, stream::integer_of(args, "Group size"), distributed_.world);
  if (const auto config = distributed_.groups.find(name); ranks.empty() && config != distributed_.groups.end())
    ranks = config->second;
  for (std::uint32_t& rank : ranks) {
    const auto at = given_->find(rank);
    if (at == given_->end()) return nullptr;
    rank = at->second;
  }
  if (ranks.size() < 2 || std::find(ranks.begin(), ranks.end(), self_) == ranks.end()) return nullptr;
  const std::string key = fmt::format("{} of {}", name, fmt::join(ranks, ","));
  common_->groups.set(key, std::move(ranks));
  return known->second = common_->groups.find(key);
}

}  // namespace gicsim::profile::detail
