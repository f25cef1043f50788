// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "traces/roce/capture.h"
#include "traces/roce/datagram.h"
#include "traces/tlp/record.h"

namespace gicsim::tlp {

/// The encapsulation of a NetTLP adapter: UDP, then a sequence number of 16 bits and a stamp of 32, then the TLP.
/// Source: Kuga et al., "NetTLP: A Development Platform for PCIe devices in Software Interacting with Hardware", NSDI
/// 2020
inline constexpr std::size_t nettlp_header = 6;
/// 0x3000 and on: asked for by software; 0x4000 and on: by the adapter's root complex. The tag's low bits are added.
constexpr bool nettlp_port(std::uint16_t port) {
  return (port >= 0x3000 && port <= 0x3100) || (port >= 0x4000 && port <= 0x4100);
}

/// Addresses of links' ends, by name: lines "10.0.0.1 node0.gpu0_pcie", as /etc/hosts has them.
using Hosts = std::map<std::string, std::string>;
Hosts read_hosts(std::istream& in);

/// A capture of such datagrams. A link is a pair of addresses, or what the hosts call the lower one; from that it goes
/// up.
class NetTlp final : public Source {
 public:
  NetTlp(std::istream& in, std::string file, Hosts hosts = {})
      : capture_(in, std::move(file)), hosts_(std::move(hosts)) {}
  bool next(Record& record) override;
  std::string note() const override;
  std::string format() const override { return "NetTLP in " + capture_.format(); }

 private:
  bool take(const roce::Frame& frame, const roce::Datagram& datagram, Record& record);
  void place(Record& record, std::int64_t left);

  roce::Capture capture_;
  Hosts hosts_;
  std::optional<std::int64_t> start_{};  ///< ns, of the first; 0 of simulated time, which is of 1970
  struct Request {
    Address address = 0;
    Bytes length{};
  };
  std::map<std::tuple<std::string, RequesterId, std::uint16_t>, Request> requests_;
  std::map<std::string, std::uint64_t> unused_;  ///< frames, by why
};

/// Does it begin with such a datagram? Looks at the first frames.
bool is_nettlp(std::istream& in, const std::string& file);

}  // namespace gicsim::tlp
