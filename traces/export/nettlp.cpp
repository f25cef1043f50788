// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/nettlp.h"

#include <fmt/format.h>

#include "traces/export/places.h"
#include "traces/export/sender.h"
#include "traces/tlp/nettlp.h"

namespace gicsim::exports {
namespace {

constexpr std::uint32_t nanosecond_pcap = 0xa1b23c4d, ethernet = 1, largest = 262'144;
constexpr std::uint16_t port = 0x3000;
constexpr Picoseconds clock = 4ns;  ///< of the adapter's stamp

/// Octets, little end first as a pcap's own headers are here, or big end first as networks have them.
void put(std::string& out, std::uint64_t value, int octets, bool big = true) {
  for (int i = 0; i < octets; ++i) out += static_cast<char>(value >> 8 * (big ? octets - 1 - i : i));
}

std::uint16_t ip_checksum(std::string_view header) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i + 1 < header.size(); i += 2)
    sum += static_cast<std::uint32_t>(static_cast<std::uint8_t>(header[i])) << 8 |
           static_cast<std::uint8_t>(header[i + 1]);
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

tlp::Record record_of(const TlpSent& sent) {
  const Tlp& t = sent.tlp;
  tlp::Record r{.begin = sent.begin,
                .link = {},
                .kind = t.kind,
                .requester = t.requester,
                .address = t.address,
                .length = t.length,
                .relaxed = t.relaxed,
                .by_id = t.by_id,
                .poisoned = t.poisoned,
                .address_type = t.address_type,
                .status = t.status};
  if (flow_of(t.kind) != Flow::posted) r.tag = t.tag;
  if (t.kind == TlpKind::atomic && t.transfer) r.op = t.transfer->op;
  if (t.kind == TlpKind::message) r.code = t.code;
  return r;
}

}  // namespace

void NetTlp::listen(const Probes& probes) {
  kernel_ = &probes.kernel;
  links_.clear(), networks_.clear(), requests_.clear(), ahead_.clear();
  hosts_.clear(), file_.clear();
  written_ = left_out_ = 0;
  put(file_, nanosecond_pcap, 4, false);
  put(file_, 2, 2, false), put(file_, 4, 2, false);
  put(file_, 0, 8, false);
  put(file_, largest, 4, false), put(file_, ethernet, 4, false);
  probes.tlps.listen([this](const TlpSent& sent) { on_tlp(sent); });
}

NetTlp::Link& NetTlp::link_of(std::string_view sender) {
  const auto found = links_.find(sender);
  if (found != links_.end()) return found->second;
  const auto [name, direction] = link_and_direction(sender);
  const auto [network, fresh] = networks_.try_emplace(std::string(name), static_cast<std::uint32_t>(networks_.size()));
  if (fresh)
    for (const int end : {1, 2})
      hosts_ += fmt::format("10.{}.{}.{} {}\n", network->second >> 8, network->second & 0xff, end, name);
  return links_.emplace(std::string(sender), Link{network->second, direction != "down"}).first->second;
}

/// Of a completion: what of its request is still to come. A request crosses links before it is answered on them.
Bytes NetTlp::left_of(const TlpSent& sent) {
  const Tlp& t = sent.tlp;
  if (flow_of(t.kind) == Flow::posted) return {};
  const std::tuple key{std::string(place_of(sent.link).process), t.requester, t.tag};
  if (t.kind != TlpKind::completion) {
    requests_[key] = {t.address, t.length};
    return {};
  }
  const auto found = requests_.find(key);
  if (found == requests_.end()) return t.length;
  const Request& request = found->second;
  return request.length - Bytes(static_cast<std::int64_t>(t.address - request.address));
}

void NetTlp::on_tlp(const TlpSent& sent) {
  ahead_.before(kernel_->now(), [this](const std::string& frame) { write(frame); });
  if (left_out_ > 0) {
    ++left_out_;
    return;
  }
  const tlp::Record record = record_of(sent);
  const tlp::Extra extra{sent.tlp.completer, left_of(sent)};
  const std::vector<std::uint8_t> header = tlp::header_of(record, extra);
  const auto payload = static_cast<std::size_t>(tlp::payload_of(record, extra).count());
  Link& link = link_of(sent.link);
  const std::size_t udp = 8 + tlp::nettlp_header + header.size() + payload, ip = 20 + udp, length = 14 + ip;

  std::string frame;
  const std::int64_t ns = sent.begin / 1ns;
  put(frame, static_cast<std::uint64_t>(ns / 1'000'000'000), 4, false),
      put(frame, static_cast<std::uint64_t>(ns % 1'000'000'000), 4, false);
  put(frame, length, 4, false), put(frame, length, 4, false);
  const std::uint64_t from = link.up ? 1 : 2, to = 3 - from;
  const std::uint64_t network = 10u << 24 | link.network << 8,
                      local = std::uint64_t{0x02} << 40 | std::uint64_t{link.network} << 8;
  put(frame, local | to, 6), put(frame, local | from, 6), put(frame, 0x0800, 2);
  std::string header4;
  put(header4, 0x4500, 2), put(header4, ip, 2), put(header4, 0, 4), put(header4, 0x4011, 2), put(header4, 0, 2);
  put(header4, network | from, 4), put(header4, network | to, 4);
  const std::uint16_t sum = ip_checksum(header4);
  header4[10] = static_cast<char>(sum >> 8), header4[11] = static_cast<char>(sum & 0xff);
  frame += header4;
  const std::uint64_t at = port + (sent.tlp.tag & 0xfu);
  put(frame, at, 2), put(frame, at, 2), put(frame, udp, 2), put(frame, 0, 2);  // no checksum
  put(frame, link.sequence++, 2), put(frame, static_cast<std::uint64_t>(sent.begin / clock) & 0xffff'ffff, 4);
  frame.append(header.begin(), header.end());
  frame.append(payload, '\0');
  ahead_.add(sent.begin, std::move(frame));
}

void NetTlp::write(const std::string& frame) {
  const bool room = left_out_ == 0 && static_cast<std::int64_t>(file_.size() + frame.size()) <= limit_.count();
  if (room) file_ += frame;
  ++(room ? written_ : left_out_);
}

void NetTlp::finish(const Outcome&) {
  ahead_.before(never, [this](const std::string& frame) { write(frame); });
}

std::vector<LeftOut> NetTlp::left_out() const {
  if (left_out_ == 0) return {};
  return {{"nettlp.pcap", "TLPs", left_out_, left_out_ + written_}};
}

}  // namespace gicsim::exports
