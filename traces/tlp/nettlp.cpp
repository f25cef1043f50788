// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/nettlp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "models/base/errors.h"
#include "traces/tlp/header.h"

namespace gicsim::tlp {
namespace {

constexpr std::size_t most_requests = 1 << 16;  ///< remembered; a capture that has more outstanding begins anew
constexpr int looked_at = 32;                   ///< frames, to tell what a capture is of

}  // namespace

Hosts read_hosts(std::istream& in) {
  Hosts hosts;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string address, name;
    if (words >> address >> name) hosts[address] = name;
  }
  return hosts;
}

bool is_nettlp(std::istream& in, const std::string& file) {
  roce::Capture capture(in, file);
  roce::Frame frame;
  for (int i = 0; i < looked_at && capture.next(frame); ++i) {
    if (std::holds_alternative<roce::Datagram>(roce::dissect(frame))) return false;
    const auto found = roce::dissect(frame, nettlp_port);
    const auto* datagram = std::get_if<roce::Datagram>(&found);
    if (!datagram || datagram->payload.size() < nettlp_header) continue;
    if (read_header(datagram->payload.subspan(nettlp_header)).index() == 0) return true;
  }
  return false;
}

bool NetTlp::next(Record& record) {
  roce::Frame frame;
  while (capture_.next(frame)) {
    const auto found = roce::dissect(frame, nettlp_port);
    if (const auto* unused = std::get_if<roce::Unused>(&found)) ++unused_[std::string(unused->why)];
    else if (take(frame, std::get<roce::Datagram>(found), record)) return true;
  }
  return false;
}

bool NetTlp::take(const roce::Frame& frame, const roce::Datagram& datagram, Record& record) {
  if (datagram.payload.size() < nettlp_header) {
    ++unused_["cut off before the end of its headers"];
    return false;
  }
  auto read = read_header(datagram.payload.subspan(nettlp_header));
  if (const auto* why = std::get_if<std::string>(&read)) {
    if (unused_.size() < 64 || unused_.contains(*why)) ++unused_[*why];
    return false;
  }
  const Extra extra = std::get<0>(read).second;
  record = std::get<0>(read).first;
  constexpr std::int64_t day = 86'400'000'000'000;
  if (!start_) start_ = frame.ns < day ? 0 : frame.ns;
  if (std::abs(frame.ns - *start_) > 100 * day)
    throw ConfigError(Location{capture_.file()},
                      fmt::format("byte {}: a frame of 100 days before or after the first", frame.at));
  record.begin = Picoseconds{(frame.ns - *start_) * 1000};
  const bool up = datagram.from < datagram.to;
  const roce::IpAddress &low = up ? datagram.from : datagram.to, &high = up ? datagram.to : datagram.from;
  const auto named = hosts_.find(to_text(low));
  record.link = named != hosts_.end() ? named->second : to_text(low) + "-" + to_text(high);
  record.direction = up ? Direction::up : Direction::down;
  place(record, extra.left.count());
  return true;
}

/// A completion's header says how much of its request is left; where that is, the request said.
void NetTlp::place(Record& record, std::int64_t left) {
  if (flow_of(record.kind) == Flow::posted) return;
  const std::tuple key{record.link, record.requester, *record.tag};
  if (record.kind != TlpKind::completion) {
    if (requests_.size() >= most_requests) requests_.clear();
    requests_[key] = {record.address, record.length};
    return;
  }
  const auto found = requests_.find(key);
  if (found == requests_.end()) return;
  const Request request = found->second;
  if (request.length == Bytes{}) record.length = Bytes{};  // of a flush
  record.address = request.address + static_cast<Address>(std::max<std::int64_t>(0, request.length.count() - left));
  if (request.length == Bytes{}) record.address = request.address;
  if (left <= record.length.count() || record.length == Bytes{}) requests_.erase(found);
}

std::string NetTlp::note() const {
  std::string all;
  for (const auto& [why, n] : unused_)
    all += fmt::format("{}{} frame{} not used: {}", all.empty() ? "" : "; ", n, n == 1 ? "" : "s", why);
  return all;
}

}  // namespace gicsim::tlp
