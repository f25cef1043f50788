// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/detail/nccl_lines.h"

#include <fmt/ranges.h>

#include <charconv>

namespace gicsim::profile::detail {
namespace {

constexpr std::size_t most_told = 64;

std::optional<std::int64_t> number_at(std::string_view text, std::size_t at) {
  std::int64_t n = 0;
  if (at > text.size()) return std::nullopt;
  const auto [rest, error] = std::from_chars(text.data() + at, text.data() + text.size(), n);
  return error == std::errc{} ? std::optional(n) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> number_behind(std::string_view text, std::string_view word) {
  const std::string wanted = fmt::format(" {} ", word);
  const auto at = text.find(wanted);
  return at == text.npos ? std::nullopt : number_at(text, at + wanted.size());
}

std::string_view word_behind(std::string_view text, std::string_view word) {
  const std::string wanted = fmt::format(" {} ", word);
  const auto at = text.find(wanted);
  if (at == text.npos) return {};
  text.remove_prefix(at + wanted.size());
  return text.substr(0, text.find_first_of(" \r"));
}

std::optional<LogLine> parse_log_line(std::string_view line) {
  constexpr std::string_view mark = " NCCL INFO ";
  const auto info = line.find(mark);
  if (info == line.npos) return std::nullopt;
  LogLine found;
  found.what = line.substr(info + mark.size());
  std::string_view head = line.substr(0, info);
  if (const auto open = head.rfind('['); open != head.npos && head.ends_with(']')) {
    found.device = number_at(head, open + 1).value_or(-1);
    head = head.substr(0, open);
    while (head.ends_with(' ')) head.remove_suffix(1);
  }
  // HOST:PID:TID, behind what launchers put before it ("[1,0]<stdout>:", "0: ").
  for (int i = 0; i < 2; ++i) {
    const auto colon = head.rfind(':');
    if (colon == head.npos || !number_at(head, colon + 1)) return found;
    if (i == 1) found.process = head;
    head = head.substr(0, colon);
  }
  const auto from = head.find_last_of(" :>\t");
  const std::size_t skipped = from == head.npos ? 0 : from + 1;
  found.host = head.substr(skipped);
  found.process.remove_prefix(skipped);
  return found;
}

void Topology::add(const LogLine& line) {
  const std::string_view what = line.what;
  if (what.find("comm 0x") != what.npos && what.find(" rank ") != what.npos)
    add_rank(line);
  else if (what.starts_with("Channel "))
    add_channel(what);
  else if (what.starts_with("NET/") && what.find(" : Using ") != what.npos)
    ++networks_[std::string(what)];
}

void Topology::add_rank(const LogLine& line) {
  const auto rank = number_behind(line.what, "rank");
  const auto of = number_behind(line.what, "nranks"), or_of = number_behind(line.what, "nRanks");
  const auto ranks = of ? of : or_of;
  if (!rank || !ranks || *rank < 0 || *rank >= *ranks || *ranks > most_ranks) return;
  if (*ranks < ranks_) {
    ++others_[*ranks];
    return;
  }
  if (*ranks > ranks_) {
    if (ranks_ > 0) ++others_[ranks_];
    ranks_ = *ranks;
    who_.clear();
  }
  Rank& who = who_[*rank];
  if (!line.host.empty()) who.host = line.host;
  if (const auto device = number_behind(line.what, "cudaDev")) who.device = *device;
  if (const auto bus = word_behind(line.what, "busId"); !bus.empty()) who.bus = bus;
}

/// "Channel 00/02 : 0 1 2 3" or "Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0/GDRDMA".
void Topology::add_channel(std::string_view what) {
  const auto colon = what.find(" : ");
  if (colon == what.npos) return;
  const std::string channel(what.substr(8, what.find_first_of("/ ", 8) - 8));
  std::string_view rest = what.substr(colon + 3);
  const auto arrow = rest.find(" -> ");
  if (arrow == rest.npos) {
    std::string ring;
    for (std::size_t at = 0; (at = rest.find_first_not_of(" \r", at)) != rest.npos;) {
      const auto n = number_at(rest, at);
      if (!n) return;
      ring += (ring.empty() ? "" : " ") + std::to_string(*n);
      at = rest.find(' ', at);
      if (at == rest.npos) break;
    }
    if (!ring.empty()) rings_.insert_or_assign(channel, ring);
    return;
  }
  if (rest.find("[receive]") != rest.npos) return;  // its sender says it, too
  const auto from = number_at(rest, 0), to = number_at(rest, arrow + 4);
  const std::string_view via = word_behind(rest, "via");
  if (!from || !to || via.empty() || *from >= most_ranks || *to >= most_ranks) return;
  std::string transport(via);
  if (const auto comment = rest.find("via "); transport == "NET/AWS") transport = rest.substr(comment + 4);
  links_[{*from, *to}][transport].insert(channel);
}

std::vector<std::string> Topology::hosts() const {
  std::vector<std::string> hosts(static_cast<std::size_t>(ranks_));
  bool any = false;
  for (const auto& [rank, who] : who_) {
    hosts[static_cast<std::size_t>(rank)] = who.host;
    any = any || !who.host.empty();
  }
  return any ? hosts : std::vector<std::string>(static_cast<std::size_t>(ranks_));
}

std::vector<std::string> Topology::told() const {
  std::vector<std::string> told;
  const auto say = [&](std::string text) {
    if (told.size() < most_told)
      told.push_back(std::move(text));
    else if (told.size() == most_told)
      told.push_back("… and more of the like");
  };
  for (const auto& [network, times] : networks_) say(network);
  for (const auto& [rank, who] : who_)
    say(fmt::format("rank {}: host {}, GPU {}{}", rank, who.host.empty() ? "?" : who.host,
                    who.device < 0 ? "?" : std::to_string(who.device), who.bus.empty() ? "" : ", bus " + who.bus));
  std::map<std::string, std::vector<std::string>> channels;  // of each order of ranks
  for (const auto& [channel, ring] : rings_) channels[ring].push_back(channel);
  for (const auto& [ring, of] : channels)
    say(of.size() < 3 ? fmt::format("ring of channel {}: {}", fmt::join(of, " and "), ring)
                      : fmt::format("ring of {} channels, {} .. {}: {}", of.size(), of.front(), of.back(), ring));
  for (const auto& [ends, transports] : links_)
    for (const auto& [transport, channels] : transports)
      say(fmt::format("rank {} -> {}: {} channel{} over {}", ends.first, ends.second, channels.size(),
                      channels.size() == 1 ? "" : "s", transport));
  return told;
}

}  // namespace gicsim::profile::detail
