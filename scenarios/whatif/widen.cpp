// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

#include "scenarios/whatif/bound.h"

namespace gicsim::whatif {
namespace {

using schema::NodeSpec;
using schema::PairSpec;
using schema::SystemSpec;

void each_pair(SystemSpec& system, const std::function<void(PairSpec&)>& change) {
  for (NodeSpec& node : system.nodes)
    for (PairSpec& pair : node.pairs) change(pair);
}
void each_dma(SystemSpec& system, const std::function<void(schema::DmaSpec&)>& change) {
  for (NodeSpec& node : system.nodes)
    for (schema::DmaSpec& dma : node.dmas) change(dma);
}
void half(Picoseconds& t) { t /= 2; }
void half(Cycles& c) { c = Cycles(c.count() / 2); }

void faster_peers(pcie::RootParams& root) {
  root.peer_write_rate = root.peer_write_rate * 2, root.peer_read_rate = root.peer_read_rate * 2;
}

void double_uplinks(SystemSpec& system) {
  for (NodeSpec& node : system.nodes)
    for (schema::SwitchSpec& at : node.switches) at.pcie.lanes *= 2;
}

/// Everything that a read or write over PCIe (or C2C) meets: latencies and lanes.
void halve_pcie(SystemSpec& system) {
  for (NodeSpec& node : system.nodes)
    half(node.root.latency), half(node.host.dram_read), half(node.host.llc_read), half(node.host.write_commit),
        half(node.upi.latency), half(node.upi.peer_read);
  for (NodeSpec& node : system.nodes) {
    for (pcie::RootParams& bridge : node.bridges) half(bridge.latency);
    for (schema::SwitchSpec& at : node.switches) half(at.params.latency), half(at.pcie.latency);
  }
  double_uplinks(system);
  each_dma(system, [](schema::DmaSpec& d) { half(d.pcie.latency), d.pcie.lanes *= 2; });
  each_pair(system, [](PairSpec& p) {
    for (pcie::LinkParams* link : {&p.gpu_pcie, &p.nic_pcie}) half(link->latency), link->lanes *= 2;
    half(p.gpu_c2c.latency), half(p.gpu_c2c.ordered_write), half(p.gpu.read_latency);
  });
}

void halve_gate(SystemSpec& system) {
  for (NodeSpec& node : system.nodes) half(node.gate.entry), half(node.gate.check);
}

struct Widening {
  std::string_view stage, text;
  void (*apply)(schema::Scenario&);
};

template <auto Member>
void nic_half(schema::Scenario& s) {
  each_pair(s.system, [](PairSpec& p) { half(p.nic.*Member); });
}

constexpr std::string_view pcie_text =
    "latencies of PCIe links, switches, root complexes, socket links and read targets halved, lanes doubled";

/// Which parameters own a stage's time.
const Widening widenings[] = {
    {"fence", "gpu.fence_*, store_ack, store_ack_gap, line_fetch and host_write_ack halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         half(p.gpu.fence_gpu), half(p.gpu.fence_gpu_sc), half(p.gpu.fence_system), half(p.gpu.fence_system_sc);
         half(p.gpu.fence_after_poll), half(p.gpu.fence_system_after_poll);
         half(p.gpu.store_ack), half(p.gpu.store_ack_gap), half(p.gpu.line_fetch), half(p.gpu.host_write_ack);
       });
     }},
    {"translate", "gpu.mmu.access halved",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { half(p.mmu.access); }); }},
    {"build_wqe", "gpu.store_issue and gpu.wqe_build halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { half(p.gpu.store_issue), half(p.gpu.wqe_build); });
     }},
    {"doorbell_issue", "gpu.store_issue, gpu.front_end.write and write_flush halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         half(p.gpu.store_issue), half(p.front_end.write), half(p.front_end.write_flush);
       });
     }},
    {"poll", "gpu.l2_load, gpu.poll_loop, gpu.front_end.wait_period and host.poll halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         half(p.gpu.l2_load), half(p.gpu.poll_loop), half(p.front_end.wait_period);
       });
       for (NodeSpec& node : s.system.nodes) half(node.host.poll);
     }},
    {"api", "library.call, library.call_read and proxy.enqueue halved",
     [](schema::Scenario& s) {
       half(s.system.library.call), half(s.system.library.call_read), half(s.system.proxy.enqueue);
     }},
    {"sync",
     "library, proxy, verbs and runtime completion and receive halved, library.quiet_queue and "
     "gpu.front_end.kernel_end too",
     [](schema::Scenario& s) {
       half(s.system.verbs.completion), half(s.system.verbs.receive), half(s.system.runtime.synchronize);
       each_pair(s.system, [](PairSpec& p) { half(p.front_end.kernel_end); });
       half(s.system.library.completion), half(s.system.library.receive), half(s.system.library.quiet_queue);
       half(s.system.proxy.gpu_completion), half(s.system.proxy.receive);
     }},
    {"call", "verbs.post, runtime.launch, runtime.copy halved, host.copy_rate doubled",
     [](schema::Scenario& s) {
       half(s.system.verbs.post), half(s.system.verbs.post_more);
       half(s.system.runtime.launch), half(s.system.runtime.copy);
       for (NodeSpec& node : s.system.nodes) node.host.copy_rate = node.host.copy_rate * 2;
     }},
    {"launch", "gpu.front_end.kernel_start and PCIe latencies halved, lanes doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { half(p.front_end.kernel_start); });
       halve_pcie(s.system);
     }},
    {"copy", "gpu.copy_engine.start, flush and PCIe latencies halved, gpu.copy_engine.rate and lanes doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         half(p.copy_engine.start), half(p.copy_engine.flush);
         p.copy_engine.rate = p.copy_engine.rate * 2;
       });
       halve_pcie(s.system);
     }},
    {"lazy_init", "setup.connect, registration and registration_per_mib halved",
     [](schema::Scenario& s) {
       half(s.system.setup.connect), half(s.system.setup.registration), half(s.system.setup.registration_per_mib);
     }},
    {"proxy_work", "proxy.work, work_more, completion_work and shared_work, verbs.ring and host.cache_miss halved",
     [](schema::Scenario& s) {
       half(s.system.verbs.ring);
       half(s.system.proxy.work), half(s.system.proxy.work_more), half(s.system.proxy.completion_work);
       half(s.system.proxy.shared_work);
       for (NodeSpec& node : s.system.nodes) half(node.host.cache_miss);
     }},
    {"proxy_pickup", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"doorbell_flight", "latencies of PCIe links, switches and root complexes halved, lanes doubled; host.gate halved",
     [](schema::Scenario& s) { halve_pcie(s.system), halve_gate(s.system); }},
    {"gate", "host.gate.entry and check halved", [](schema::Scenario& s) { halve_gate(s.system); }},
    {"wqe_read", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"payload_read", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"remote_write", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"remote_read", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"response_write", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"cqe_write", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"nic_doorbell", "nic.doorbell halved", nic_half<&nic::NicParams::doorbell>},
    {"wqe_decode", "nic.decode halved", nic_half<&nic::NicParams::decode>},
    {"nic_tx", "nic.tx halved", nic_half<&nic::NicParams::tx>},
    {"nic_rx", "nic.rx halved", nic_half<&nic::NicParams::rx>},
    {"nic_execute", "nic.execute and nic.atomic halved",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { half(p.nic.execute), half(p.nic.atomic); }); }},
    {"retransmit", "link.loss and link.ber halved",
     [](schema::Scenario& s) {
       const auto half_of = [](link::WireParams& l) {
         l.loss = Probability::steps(l.loss.raw() / 2), l.ber = Probability::steps(l.ber.raw() / 2);
       };
       each_pair(s.system, [&](PairSpec& p) { half_of(p.nic_link); });
       for (auto& link : s.system.fabric_links) half_of(link);
     }},
    {"pcie_replay", "pcie.ber halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         for (pcie::LinkParams* link : {&p.gpu_pcie, &p.nic_pcie}) link->ber = Probability::steps(link->ber.raw() / 2);
       });
       for (NodeSpec& node : s.system.nodes)
         for (schema::SwitchSpec& at : node.switches) at.pcie.ber = Probability::steps(at.pcie.ber.raw() / 2);
     }},
    {"link_retry", "link.loss, link.ber, link.burst.to_bad and link.fec.raw_ber halved",
     [](schema::Scenario& s) {
       const auto half_of = [](schema::Cable& c) {
         for (Probability* p : {&c.loss, &c.ber, &c.errors.burst.to_bad, &c.errors.fec.raw_ber})
           *p = Probability::steps(p->raw() / 2);
       };
       each_pair(s.system, [&](PairSpec& p) { half_of(p.nic_link); });
       for (auto& link : s.system.fabric_links) half_of(link);
     }},
    {"nic_ack", "nic.ack_turn, ack_gap, ack_handle and cqe_build halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         half(p.nic.ack_turn), half(p.nic.ack_gap), half(p.nic.ack_handle), half(p.nic.cqe_build);
       });
     }},
    {"nic_wait", "nic.qp_window and nic.nic_window doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { p.nic.qp_window *= 2, p.nic.nic_window *= 2; });
     }},
    {"dma_engine", "dma.issue and fetch halved, dma.rate doubled",
     [](schema::Scenario& s) {
       each_dma(s.system, [](schema::DmaSpec& d) {
         half(d.params.issue), half(d.params.fetch), d.params.rate = d.params.rate * 2;
       });
     }},
    {"in_path", "dma.rate doubled",
     [](schema::Scenario& s) { each_dma(s.system, [](schema::DmaSpec& d) { d.params.rate = d.params.rate * 2; }); }},
    {"out_path", "dma.rate doubled",
     [](schema::Scenario& s) { each_dma(s.system, [](schema::DmaSpec& d) { d.params.rate = d.params.rate * 2; }); }},
    {"own_memory", "dma.memory_rate doubled",
     [](schema::Scenario& s) {
       each_dma(s.system, [](schema::DmaSpec& d) { d.params.memory_rate = d.params.memory_rate * 2; });
     }},
    {"outstanding", "dma.outstanding and port.tags doubled",
     [](schema::Scenario& s) {
       each_dma(s.system, [](schema::DmaSpec& d) { d.params.outstanding *= 2, d.port.tags *= 2; });
     }},
    {"walkers", "iommu.walks doubled",
     [](schema::Scenario& s) {
       for (NodeSpec& node : s.system.nodes) node.iommu.walks *= 2;
     }},
    {"serialise", "link.rate doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { p.nic_link.rate = p.nic_link.rate * 2; });
       for (auto& link : s.system.fabric_links) link.rate = link.rate * 2;
     }},
    {"propagate", "link.flight and what its code takes (link.fec, fec.decode, fec.pcs) halved",
     [](schema::Scenario& s) {
       const auto shorten = [](schema::Cable& c) {
         half(c.flight), half(c.fec), half(c.errors.fec.decode), half(c.errors.fec.pcs);
       };
       each_pair(s.system, [&](PairSpec& p) { shorten(p.nic_link); });
       for (auto& link : s.system.fabric_links) shorten(link);
     }},
    {"switch", "switch.latency halved",
     [](schema::Scenario& s) {
       for (auto& at : s.system.fabric_switches) half(at.latency);
     }},
    // throughput resources, by the last word of their name
    {"window", "nic.qp_window and nic.nic_window doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { p.nic.qp_window *= 2, p.nic.nic_window *= 2; });
     }},
    {"fetches_outstanding", "nic.fetches_outstanding doubled",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { p.nic.fetches_outstanding *= 2; }); }},
    {"congestion_control", "dcqcn.rpg_ai_rate and rpg_hai_rate doubled, dcqcn.rpg_time_reset and ib_cc.ccti_timer halved",
     [](schema::Scenario& s) {
       nic::DcqcnParams& dcqcn = s.system.dcqcn;
       dcqcn.rpg_ai_rate = dcqcn.rpg_ai_rate * 2, dcqcn.rpg_hai_rate = dcqcn.rpg_hai_rate * 2;
       half(dcqcn.rpg_time_reset), half(s.system.ib_cc.ccti_timer);
     }},
    {"atomic_unit", "nic.atomic halved, latencies of PCIe and read targets too",
     [](schema::Scenario& s) {
       halve_pcie(s.system);
       each_pair(s.system, [](PairSpec& p) { half(p.nic.atomic); });
     }},
    {"transmit_buffer", "nic.transmit_buffer and port.completion_buffer doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         p.nic.transmit_buffer = p.nic.transmit_buffer * 2;
         p.nic_port.completion_buffer = p.nic_port.completion_buffer * 2;
       });
     }},
    {"link", "link.rate doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { p.nic_link.rate = p.nic_link.rate * 2; });
       for (auto& link : s.system.fabric_links) link.rate = link.rate * 2;
     }},
    {"pcie", "pcie.lanes doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         p.gpu_pcie.lanes *= 2, p.nic_pcie.lanes *= 2;
       });
       double_uplinks(s.system);
       each_dma(s.system, [](schema::DmaSpec& d) { d.pcie.lanes *= 2; });
     }},
    {"thread", "gpu.clock doubled, gpu.fence_* halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         p.gpu.clock = Frequency::hertz(p.gpu.clock.hertz() * 2);
         half(p.gpu.fence_gpu), half(p.gpu.fence_gpu_sc), half(p.gpu.fence_system), half(p.gpu.fence_system_sc);
       });
     }},
    {"store_port", "gpu.store_port halved",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { half(p.gpu.store_port); }); }},
    {"queue_turn", "gpu.l2_load, poll_loop, wqe_build and fence_* halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         half(p.gpu.l2_load), half(p.gpu.poll_loop), half(p.gpu.wqe_build), half(p.gpu.store_ack);
         half(p.gpu.line_fetch), half(p.gpu.fence_gpu), half(p.gpu.fence_gpu_sc);
         half(p.gpu.fence_system), half(p.gpu.fence_system_sc);
       });
     }},
    {"proxy", "host clocks doubled, host.cache_miss halved",
     [](schema::Scenario& s) {
       for (NodeSpec& node : s.system.nodes) {
         node.host.clock_cold = Frequency::hertz(node.host.clock_cold.hertz() * 2);
         node.host.clock_warm = Frequency::hertz(node.host.clock_warm.hertz() * 2);
         half(node.host.cache_miss);
       }
     }},
    {"upi", "upi.rate doubled",
     [](schema::Scenario& s) {
       for (NodeSpec& node : s.system.nodes) node.upi.rate = node.upi.rate * 2;
     }},
    {"peers", "root.peer_write_rate, peer_read_rate and upi.peer_rate doubled",
     [](schema::Scenario& s) {
       for (NodeSpec& node : s.system.nodes) {
         node.upi.peer_rate = node.upi.peer_rate * 2;
         faster_peers(node.root);
         for (pcie::RootParams& bridge : node.bridges) faster_peers(bridge);
       }
     }},
    {"engine", "gpu.copy_engine.start and flush halved, gpu.copy_engine.rate and pcie.lanes doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         half(p.copy_engine.start), half(p.copy_engine.flush);
         p.copy_engine.rate = p.copy_engine.rate * 2;
         p.gpu_pcie.lanes *= 2, p.nic_pcie.lanes *= 2;
       });
       double_uplinks(s.system);
     }},
    {"shared_state", "proxy.shared_work halved", [](schema::Scenario& s) { half(s.system.proxy.shared_work); }},
    {"write_window", "gpu.write_commit and host.write_commit halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { half(p.gpu.write_commit); });
       for (NodeSpec& node : s.system.nodes) half(node.host.write_commit);
     }},
    {"rings", "depth doubled", [](schema::Scenario& s) { s.depth *= 2; }},
    {"acker", "nic.ack_gap halved", nic_half<&nic::NicParams::ack_gap>},
    {"tags", "port.tags doubled",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { p.gpu_port.tags *= 2, p.nic_port.tags *= 2; }); }},
    {"decoder", "nic.decode_gap halved", nic_half<&nic::NicParams::decode_gap>},
    {"packetiser", "nic.tx_gap halved", nic_half<&nic::NicParams::tx_gap>},
    {"receiver", "nic.rx_gap halved", nic_half<&nic::NicParams::rx_gap>},
    {"units", "nic.fetch.unit_time halved",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { half(p.nic_fetch.unit_time); }); }},
    {"in_order", "nic.contexts.in_order doubled",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { p.nic_contexts.in_order *= 2; }); }},
    {"ahead", "nic.contexts.ahead doubled",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { p.nic_contexts.ahead *= 2; }); }},
};

/// Packets that no cable loses are sent again because they overtook each other, or because answers came late.
bool loses(const schema::Scenario& s) {
  const auto lossy = [](const link::WireParams& l) { return std::max(l.loss, l.ber) > Probability{}; };
  for (const schema::NodeSpec& node : s.system.nodes)
    for (const PairSpec& pair : node.pairs)
      if (lossy(pair.nic_link)) return true;
  return std::any_of(s.system.fabric_links.begin(), s.system.fabric_links.end(), lossy);
}

}  // namespace

std::string widen(schema::Scenario& scenario, const report::Bound& bound) {
  const std::string& owner = bound.behind.empty() ? bound.resource : bound.behind;
  std::string name = owner.substr(owner.rfind('.') + 1);
  while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())))
    name.pop_back();  // one worker of several
  if (name == "retransmit" && !loses(scenario)) return {};
  for (const Widening& widening : widenings) {
    if (widening.stage != name) continue;
    widening.apply(scenario);
    const std::string why = bound.behind.empty() ? "" : "; the stage mostly waits for " + bound.behind;
    return std::string(widening.text) + why;
  }
  return {};
}

double improvement(double before, double after, Quantity headline) {
  const bool rate = headline == Quantity::bandwidth || headline == Quantity::message_rate;
  return rate ? after / before - 1 : 1 - after / before;
}

}  // namespace gicsim::whatif
