// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/bound.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "models/protocol/stage.h"

namespace gicsim::whatif {
namespace {

using schema::NodeSpec;
using schema::PairSpec;
using schema::SystemSpec;

void each_pair(SystemSpec& system, const std::function<void(PairSpec&)>& change) {
  for (NodeSpec& node : system.nodes)
    for (PairSpec& pair : node.pairs) change(pair);
}
void half(Picoseconds& t) { t /= 2; }
void half(Cycles& c) { c = Cycles(c.count() / 2); }

/// Every latency that a read or write over PCIe (or C2C) meets.
void halve_pcie(SystemSpec& system) {
  for (NodeSpec& node : system.nodes) half(node.root.latency), half(node.host.dram_read);
  each_pair(system, [](PairSpec& p) {
    for (pcie::LinkParams* link : {&p.gpu_pcie, &p.switch_pcie, &p.nic_pcie}) half(link->latency);
    half(p.pcie_switch.latency), half(p.gpu_c2c.latency), half(p.gpu_c2c.ordered_write), half(p.gpu.read_latency);
  });
}

struct Widening {
  std::string_view stage, text;
  void (*apply)(schema::Scenario&);
};

template <auto Member>
void nic_half(schema::Scenario& s) {
  each_pair(s.system, [](PairSpec& p) { half(p.nic.*Member); });
}

constexpr std::string_view pcie_text = "latencies of PCIe links, switches, root complex and read targets halved";

/// Which parameters own a stage's time.
const Widening widenings[] = {
    {"fence", "gpu.fence_* and gpu.store_ack_gap halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         half(p.gpu.fence_gpu), half(p.gpu.fence_gpu_sc), half(p.gpu.fence_system), half(p.gpu.fence_system_sc);
         half(p.gpu.store_ack_gap), half(p.gpu.host_write_ack);
       });
     }},
    {"build_wqe", "gpu.store_issue and gpu.wqe_build halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { half(p.gpu.store_issue), half(p.gpu.wqe_build); });
     }},
    {"doorbell_issue", "gpu.store_issue halved",
     [](schema::Scenario& s) { each_pair(s.system, [](PairSpec& p) { half(p.gpu.store_issue); }); }},
    {"poll", "gpu.l2_load, gpu.poll_loop and host.poll halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { half(p.gpu.l2_load), half(p.gpu.poll_loop); });
       for (NodeSpec& node : s.system.nodes) half(node.host.poll);
     }},
    {"api", "library.call, library.call_read and proxy.enqueue halved",
     [](schema::Scenario& s) {
       half(s.system.library.call), half(s.system.library.call_read), half(s.system.proxy.enqueue);
     }},
    {"sync", "library and proxy completion and receive halved",
     [](schema::Scenario& s) {
       half(s.system.library.completion), half(s.system.library.receive);
       half(s.system.proxy.gpu_completion), half(s.system.proxy.receive);
     }},
    {"proxy_work", "proxy.work, proxy.completion_work and host.cache_miss halved",
     [](schema::Scenario& s) {
       half(s.system.proxy.work), half(s.system.proxy.work_more), half(s.system.proxy.completion_work);
       for (NodeSpec& node : s.system.nodes) half(node.host.cache_miss);
     }},
    {"proxy_pickup", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"doorbell_flight", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"wqe_read", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"payload_read", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"remote_write", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"response_write", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"cqe_write", pcie_text, [](schema::Scenario& s) { halve_pcie(s.system); }},
    {"nic_doorbell", "nic.doorbell halved", nic_half<&nic::NicParams::doorbell>},
    {"wqe_decode", "nic.decode halved", nic_half<&nic::NicParams::decode>},
    {"nic_tx", "nic.tx halved", nic_half<&nic::NicParams::tx>},
    {"nic_rx", "nic.rx halved", nic_half<&nic::NicParams::rx>},
    {"nic_ack", "nic.ack_turn, nic.ack_handle and nic.cqe_build halved",
     [](schema::Scenario& s) {
       each_pair(s.system,
                 [](PairSpec& p) { half(p.nic.ack_turn), half(p.nic.ack_handle), half(p.nic.cqe_build); });
     }},
    {"nic_wait", "nic.qp_window and nic.nic_window doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { p.nic.qp_window *= 2, p.nic.nic_window *= 2; });
     }},
    {"serialise", "link.rate doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { p.nic_link.rate = p.nic_link.rate * 2; });
       for (auto& link : s.system.fabric_links) link.rate = link.rate * 2;
     }},
    {"propagate", "link.flight and link.fec halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { half(p.nic_link.flight), half(p.nic_link.fec); });
       for (auto& link : s.system.fabric_links) half(link.flight), half(link.fec);
     }},
    {"switch", "switch.latency halved",
     [](schema::Scenario& s) { for (auto& at : s.system.fabric_switches) half(at.latency); }},
    // throughput resources, by the last word of their name
    {"window", "nic.qp_window and nic.nic_window doubled",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) { p.nic.qp_window *= 2, p.nic.nic_window *= 2; });
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
         for (pcie::LinkParams* link : {&p.gpu_pcie, &p.switch_pcie, &p.nic_pcie}) link->lanes *= 2;
       });
     }},
    {"thread", "gpu.clock doubled, gpu.fence_* halved",
     [](schema::Scenario& s) {
       each_pair(s.system, [](PairSpec& p) {
         p.gpu.clock = Frequency::hertz(p.gpu.clock.hertz() * 2);
         half(p.gpu.fence_gpu), half(p.gpu.fence_gpu_sc), half(p.gpu.fence_system), half(p.gpu.fence_system_sc);
       });
     }},
    {"core", "host clocks doubled, host.cache_miss halved",
     [](schema::Scenario& s) {
       for (NodeSpec& node : s.system.nodes) {
         node.host.clock_cold = Frequency::hertz(node.host.clock_cold.hertz() * 2);
         node.host.clock_warm = Frequency::hertz(node.host.clock_warm.hertz() * 2);
         half(node.host.cache_miss);
       }
     }},
    {"decoder", "nic.decode_gap halved", nic_half<&nic::NicParams::decode_gap>},
    {"packetiser", "nic.tx_gap halved", nic_half<&nic::NicParams::tx_gap>},
    {"receiver", "nic.rx_gap halved", nic_half<&nic::NicParams::rx_gap>},
};

struct StageSum {
  Picoseconds time{}, waiting{};
};

/// The largest stage; if most of it is waiting, `busiest` is what it waits for.
report::Bound latency_bound(const report::Finished& finished, const std::string& busiest) {
  std::map<std::string, StageSum> by_stage;
  for (const report::Row& row : finished.ledger) {
    StageSum& sum = by_stage[row.layer + "." + row.stage];
    sum.time += row.time, sum.waiting += row.waiting;
  }
  const auto largest = std::max_element(by_stage.begin(), by_stage.end(), [](const auto& a, const auto& b) {
    return a.second.time < b.second.time;
  });
  report::Bound bound;
  bound.resource = largest->first;
  bound.share = static_cast<double>(largest->second.time.count()) /
                static_cast<double>(report::total(finished.ledger).count());
  const bool own_queue = bound.resource == "L2.fence";  // a fence waits for its own thread's stores
  if (2 * largest->second.waiting > largest->second.time && !own_queue) bound.behind = busiest;
  return bound;
}

/// What can saturate: wires, PCIe links, NIC pipelines and windows, threads, cores.
class Busiest {
 public:
  Busiest(Picoseconds elapsed) : elapsed_(static_cast<double>(elapsed.count())) {}

  void offer(const std::string& resource, Picoseconds busy, double servers = 1) {
    const double utilisation = static_cast<double>(busy.count()) / elapsed_ / servers;
    if (utilisation > bound_.share) bound_.resource = resource, bound_.share = utilisation;
  }
  report::Bound bound() const { return bound_; }

 private:
  double elapsed_;
  report::Bound bound_{true, "nothing", 0, {}, {}, {}};
};

}  // namespace

std::optional<report::Bound> bound(const report::Finished& finished, const schema::Scenario& scenario,
                                   const system::System& system, Picoseconds elapsed) {
  Busiest busiest(elapsed);
  const double threads = static_cast<double>(scenario.threads);
  const double qp_windows = static_cast<double>(scenario.system.nodes[0].pairs[0].nic.qp_window) * threads;
  const double nic_window = static_cast<double>(scenario.system.nodes[0].pairs[0].nic.nic_window);
  system.visit_stats([&](const std::string& module, const auto& stats) {
    using S = std::remove_cvref_t<decltype(stats)>;
    if constexpr (std::is_same_v<S, link::WireStats>) busiest.offer(module + ".link", stats.busy);
    else if constexpr (std::is_same_v<S, pcie::LinkStats>) busiest.offer(module + ".pcie", stats.busy);
    else if constexpr (std::is_same_v<S, gpu::GpuStats>) busiest.offer(module + ".thread", stats.issue_busy, threads);
    else if constexpr (std::is_same_v<S, host::HostStats>) busiest.offer(module + ".core", stats.core_busy);
    else if constexpr (std::is_same_v<S, nic::NicStats>) {
      busiest.offer(module + ".decoder", stats.decode_busy);
      busiest.offer(module + ".packetiser", stats.tx_busy);
      busiest.offer(module + ".receiver", stats.rx_busy);
      busiest.offer(module + ".window", stats.window_time, std::min(qp_windows, nic_window));
    }
  });
  if (scenario.pattern == Pattern::put_bw) return busiest.bound();
  if (finished.ledger.empty()) return std::nullopt;
  return latency_bound(finished, busiest.bound().resource);
}

std::string widen(schema::Scenario& scenario, const report::Bound& bound) {
  const std::string& owner = bound.behind.empty() ? bound.resource : bound.behind;
  const std::string name = owner.substr(owner.rfind('.') + 1);
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
