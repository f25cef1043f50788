// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/bound.h"

#include <algorithm>
#include <map>

namespace gicsim::whatif {
namespace {

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

}  // namespace

report::Bound busiest(const Uses& before, const Uses& after, Picoseconds elapsed) {
  const report::Bound nothing{true, "nothing", 0, {}, {}, {}};
  report::Bound of_kind[] = {nothing, nothing, nothing};
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Picoseconds busy = after[i].busy - (before.empty() ? Picoseconds{} : before[i].busy);
    const double share =
        static_cast<double>(busy.count()) / static_cast<double>(elapsed.count()) / after[i].servers;
    report::Bound& best = of_kind[after[i].kind];
    if (share > best.share) best.resource = after[i].resource, best.share = share;
  }
  for (const report::Bound& best : of_kind)
    if (best.share >= saturated) return best;
  return of_kind[Use::server];
}

Uses uses(const schema::Scenario& scenario, const system::System& system) {
  Uses all;
  const auto server = [&](const std::string& resource, Picoseconds busy, double servers = 1) {
    all.push_back({resource, busy, servers, Use::server});
  };
  const auto window = [&](const std::string& resource, Picoseconds busy, double size = 1) {
    all.push_back({resource, busy, size, Use::window});
  };
  const auto each = static_cast<double>(std::max<std::ptrdiff_t>(
      1, std::count_if(scenario.lanes.begin(), scenario.lanes.end(), [&](const schema::Lane& lane) {
        return scenario.traffic != Traffic::pair && lane.from == scenario.lanes[0].from &&
               lane.flow.gpu == scenario.lanes[0].flow.gpu;
      })));
  const double threads = static_cast<double>(schema::posters(scenario)) * each;
  const schema::NodeSpec& node = scenario.system.nodes[0];
  const schema::PairSpec none{};
  const schema::PairSpec& pair = node.pairs.empty() ? none : node.pairs[0];
  const double in_fetch = std::min(static_cast<double>(pair.nic.qp_window * scenario.qps),
                                   static_cast<double>(pair.nic.nic_window));
  system.visit_stats([&](const std::string& module, const auto& stats) {
    using S = std::remove_cvref_t<decltype(stats)>;
    if constexpr (std::is_same_v<S, link::WireStats>) server(module + ".link", stats.busy);
    else if constexpr (std::is_same_v<S, pcie::LinkStats>) server(module + ".pcie", stats.busy);
    else if constexpr (std::is_same_v<S, pcie::SocketLinkStats>) {
      server(module + ".upi", stats.busy);
      server(module + ".peers", stats.peer_busy);
    } else if constexpr (std::is_same_v<S, pcie::SwitchStats>) {
      server(module + ".peers", stats.peer_busy);
    } else if constexpr (std::is_same_v<S, gpu::GpuStats>) {
      server(module + ".thread", stats.issue_busy, threads);
      server(module + ".store_port", stats.port_busy, static_cast<double>(scenario.sms));
      server(module + ".queue_turn", stats.turn_busy, static_cast<double>(scenario.qps));
      server(module + ".write_window", stats.commit_time);
    }
    else if constexpr (std::is_same_v<S, host::HostStats>) {
      window(module + ".rings", stats.ring_time, static_cast<double>(scenario.rings * scenario.depth));
      server(module + ".write_window", stats.commit_time);
    }
    else if constexpr (std::is_same_v<S, ServerStats>) server(module, stats.busy);
    else if constexpr (std::is_same_v<S, dma::DmaStats>) {
      server(module + ".in_path", stats.in_busy);
      server(module + ".out_path", stats.out_busy);
      server(module + ".own_memory", stats.memory_busy);
      const auto most = static_cast<double>(node.dmas[0].params.outstanding);
      window(module + ".outstanding", std::max(stats.read_time, stats.write_time), most);
    } else if constexpr (std::is_same_v<S, host::IommuStats>)
      server(module + ".walkers", stats.walk_time, static_cast<double>(node.iommu.walks));
    else if constexpr (std::is_same_v<S, gpu::CopyEngineStats>) server(module + ".engine", stats.busy);
    else if constexpr (std::is_same_v<S, pcie::EndpointStats>)
      window(module + ".tags", stats.tag_time,
             static_cast<double>((module.find(".gpu") != module.npos   ? pair.gpu_port
                                  : module.find(".dma") != module.npos ? node.dmas[0].port
                                                                       : pair.nic_port)
                                     .tags));
    else if constexpr (std::is_same_v<S, nic::NicStats>) {
      server(module + ".decoder", stats.decode_busy);
      server(module + ".packetiser", stats.tx_busy);
      server(module + ".receiver", stats.rx_busy);
      server(module + ".acker", stats.ack_busy);
      server(module + ".atomic_unit", stats.atomic_busy);
      window(module + ".window", stats.window_time, in_fetch);
      window(module + ".transmit_buffer", stats.transmit_time);
      all.push_back({module + ".fetches_outstanding", stats.answer_time,
                     static_cast<double>(pair.nic.fetches_outstanding * scenario.qps) * each, Use::operations});
      window(module + ".congestion_control", stats.held_back, static_cast<double>(scenario.qps) * each);
    } else if constexpr (std::is_same_v<S, nic::FetchStats>) {
      server(module + ".units", stats.unit_busy, static_cast<double>(pair.nic_fetch.units));
    } else if constexpr (std::is_same_v<S, nic::ContextStats>) {
      server(module + ".in_order", stats.in_order_time, static_cast<double>(pair.nic_contexts.in_order));
      window(module + ".ahead", stats.ahead_time, static_cast<double>(pair.nic_contexts.ahead));
    }
  });
  return all;
}

std::optional<report::Bound> bound(const report::Finished& finished, const schema::Scenario& scenario,
                                   const Uses& before, const Uses& after, Picoseconds elapsed) {
  const report::Bound throughput = busiest(before, after, elapsed);
  if (is_stream(scenario.pattern)) return throughput;
  if (finished.ledger.empty()) return std::nullopt;
  return latency_bound(finished, throughput.resource);
}

}  // namespace gicsim::whatif
