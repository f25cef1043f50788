// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include "tests/support/nic_pair.h"
#include "tests/traces/export/pcap_support.h"
#include "traces/export/packets.h"

namespace gicsim::exports {

/// Two NICs and their cable, with a capture at both ports.
struct CapturedPair {
  struct Settings {
    bool infiniband = false;
    Probability loss{};
    nic::TransportParams transport{};
    nic::NicParams params = NicPair::nic_defaults();
    Bytes limit = Options::standard_limit;
  };
  static link::WireParams cable(const Settings& s) {
    link::WireParams wire = NicPair::wire_defaults();
    wire.protocol = s.infiniband ? link::Protocol::infiniband : link::Protocol::rocev2;
    wire.loss = s.loss;
    return wire;
  }

  Machine machine;
  Probe<TlpSent> tlps;
  Probe<PortEvent> port_events;
  Probe<MessageEnded> messages;
  PcapWriter writer;
  NicPair pair;

  explicit CapturedPair(const Settings& s)
      : machine{"t", "a pair", s.infiniband, {}},
        writer(Options{s.limit}),
        pair(s.params, cable(s), cable(s), 3, 1024, 600ns, s.transport) {
    machine.ports = {{"near.nic0", 1, pair.forth.name(), pair.back.name(), 200_Gbps},
                     {"far.nic0", 2, pair.back.name(), pair.forth.name(), 200_Gbps}};
    writer.listen({pair.bench.kernel, machine, tlps, pair.sent, port_events, messages, {}});
  }

  Wqe wqe(Opcode opcode, Bytes length) const {
    Wqe wqe;
    wqe.opcode = opcode;
    wqe.length = length;
    wqe.local = 0x1000'0000, wqe.remote = 0x2000'0000;
    wqe.rkey = 0x1234, wqe.value = 7, wqe.compare = 6, wqe.immediate = 0x99;
    return wqe;
  }
  /// What was posted, to its end.
  std::string file() {
    pair.ring();
    pair.bench.run();
    writer.finish({.status = "done", .elapsed = pair.bench.now(), .ports = {}});
    Files files = writer.files();
    REQUIRE(files.size() == 1);
    return files[0].second;
  }
};

}  // namespace gicsim::exports
