// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The counters of a NIC's port, as /sys/class/infiniband/*/ports/*/{counters,hw_counters} names them.
// Source: InfiniBand 1.5, 16.1.3 (PortCounters); Linux, drivers/infiniband/hw/mlx5/counters.c
#include <algorithm>
#include <array>

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
  add("port_xmit_wait", sent.xmit_wait, "ticks (link.tick) with something to send and no leave to send it");
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

/// Of mechanisms that not every NIC has: whoever counts under such a name has it passed on, a NIC or its cable.
constexpr std::array passed_on{
    "np_cnp_sent",         "np_ecn_marked_roce_packets", "rp_cnp_handled",           "rp_cnp_ignored",
    "roce_adp_retrans",    "roce_adp_retrans_to",        "roce_slow_restart",        "roce_slow_restart_cnps",
    "roce_slow_restart_trans", "req_remote_access_errors", "req_remote_invalid_request", "resp_cqe_error",
    "resp_cqe_flush_error", "resp_local_length_error",   "resp_remote_access_errors", "VL15_dropped",
};

void pass_on(std::vector<report::Counter>& all, const system::System& system, const system::System::Port& port) {
  std::vector<report::Counter> found;
  system.visit_stats([&](const char* module, auto stats) {
    const std::string_view who = module;
    if (who == port.nic->name() || who == port.out->name() || who == port.in->name())
      describe(CounterVisitor(found, port.nic->name()), stats);
  });
  for (report::Counter& counter : found)
    if (std::find(passed_on.begin(), passed_on.end(), counter.name) != passed_on.end()) all.push_back(std::move(counter));
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
    pass_on(all, system, port);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      describe(CounterVisitor(all, std::string(port.nic->name()) + ".qp" + std::to_string(i + 1)), pairs[i]);
  }
  return all;
}

}  // namespace gicsim::whatif
