// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The counters of a NIC's port, as /sys/class/infiniband/*/ports/*/{counters,hw_counters} names them.
// Source: InfiniBand 1.5, 16.1.3 (PortCounters); Linux, drivers/infiniband/hw/mlx5/counters.c
#include <algorithm>

#include "scenarios/whatif/counter_visitor.h"
#include "scenarios/whatif/results.h"

namespace gicsim::whatif {
namespace {

/// Of a packet on the wire, what isn't counted as its data: the VCRC; preamble, FCS and gap.
Bytes framing(link::Protocol protocol) { return protocol == link::Protocol::infiniband ? 2_B : 24_B; }

void count_cable(std::vector<report::Counter>& all, const system::System::Port& port) {
  const link::Wire &out = *port.out, &in = *port.in;
  const auto add = [&](const char* name, std::int64_t value, const char* sentence) {
    all.push_back({port.nic->name(), name, sentence, "", value});
  };
  const auto words = [](Bytes wire, Count packets, const link::Wire& of) {
    return (wire - framing(of.params().protocol) * packets).count() / 4;
  };
  const link::WireStats &sent = out.stats(), &got = in.stats();
  const Count xmit = sent.packets - out.outages().discarded, rcv = got.packets - got.lost;
  add("port_xmit_data", words(sent.wire - out.outages().discarded_wire, xmit, out), "words of 4 B sent");
  add("port_rcv_data", words(got.wire - got.wire_lost, rcv, in), "words of 4 B received");
  add("port_xmit_packets", xmit, "packets sent");
  add("port_rcv_packets", rcv, "packets received");
  const Count held = port.end ? port.end->stats().wait / out.params().tick : 0;
  add("port_xmit_wait", sent.xmit_wait + held, "ticks (link.tick) with something to send and no leave to send it");
  add("port_xmit_discards", out.outages().discarded, "packets thrown away as the port was down");
  add("link_downed", std::max(out.outages().downed, in.outages().downed), "times that the link went down");
  if (const link::FecStats* fec = in.fec()) {
    add("port_rcv_errors", fec->lost, "packets that arrived damaged");
    add("symbol_error", fec->uncorrectable, "codewords that arrived with too many errors to correct");
  }
  if (!out.retries() || !in.retries()) return;
  add("local_link_integrity_errors", in.retries()->given_up, "packets that arrived damaged however often they were sent");
  add("link_error_recovery", out.retries()->given_up + in.retries()->given_up, "times that the link retrained");
  add("plr_xmit_retry_events", out.retries()->retries, "packets that the link's sender sent again");
}

/// Of congestion control, where it is on.
void count_congestion(std::vector<report::Counter>& all, const nic::Nic& nic) {
  const auto add = [&](const char* name, Count value, const char* sentence) {
    all.push_back({nic.name(), name, sentence, "", value});
  };
  add("np_ecn_marked_roce_packets", nic.stats().marked_received, "packets received that met congestion");
  add("np_cnp_sent", nic.stats().cnps_sent, "congestion notifications sent");
  add("rp_cnp_handled", nic.stats().cnps_received, "congestion notifications received");
}

}  // namespace

std::vector<report::Counter> port_counters(const system::System& system) {
  std::vector<report::Counter> all;
  for (const system::System::Port& port : system.ports()) {
    std::vector<nic::QpStats> pairs = port.nic->queue_pair_stats();
    nic::QpStats sum;
    for (const nic::QpStats& pair : pairs) sum += pair;
    count_cable(all, port);
    describe(CounterVisitor(all, port.nic->name()), sum);
    if (system.spec().dcqcn_on) count_congestion(all, *port.nic);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      describe(CounterVisitor(all, std::string(port.nic->name()) + ".qp" + std::to_string(i + 1)), pairs[i]);
  }
  return all;
}

}  // namespace gicsim::whatif
