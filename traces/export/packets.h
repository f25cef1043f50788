// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/export/asked.h"
#include "traces/export/exporter.h"
#include "traces/export/pcapng.h"

namespace gicsim::exports {

/// What a capture at each NIC's port would show, in one pcapng file with an interface a port: what a NIC sends when its
/// first bit leaves, what it receives when the last one is here. A packet that gets lost is seen by its sender alone; what
/// a cable's own retry sends again, and InfiniBand's flow control, by nobody. docs/export.md has the details.
class PcapWriter final : public Exporter {
 public:
  explicit PcapWriter(const Options& options) : limit_(options.limit) {}
  void listen(const Probes& probes) override;
  void finish(const Outcome& outcome) override;
  Files files() override { return {{name(), std::move(text_)}}; }
  std::vector<LeftOut> left_out() const override;

 private:
  struct Port {
    PortAt at;
    Count received = 0, dropped = 0;  ///< packets at it; of these, left out
  };
  struct Wire {
    int out = -1, in = -1;  ///< the ports whose direction it is
  };
  struct Record {
    Picoseconds at;
    std::size_t begin;  ///< in `blocks_`
    std::uint32_t port;
  };
  void note(const PacketSent& sent, Picoseconds now);
  std::string frame_of(const Packet& packet, const AskedFor::Found& found, const Wire& wire, bool inbound) const;
  void add(int port, Picoseconds at, pcapng::Direction direction, std::string frame, const std::string& comment);
  void cut();
  pcapng::Interface interface_of(const PortAt& port) const;
  std::string name() const { return infiniband_ ? "packets.erf.pcapng" : "packets.pcapng"; }

  Bytes limit_;
  bool infiniband_ = false;
  std::string comment_;
  std::vector<Port> ports_;
  std::map<std::string, Wire, std::less<>> wires_;
  AskedFor asked_;
  std::string blocks_, text_;
  std::vector<Record> records_;
  std::int64_t room_ = 0;          ///< octets that packets may still take
  Picoseconds full_from_ = never;  ///< the earliest packet for which there was none
  Count left_out_ = 0, of_ = 0;
};

}  // namespace gicsim::exports
