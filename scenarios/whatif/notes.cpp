// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/notes.h"

#include <algorithm>
#include <map>
#include <type_traits>

#include "models/units/text.h"
#include "scenarios/whatif/results.h"

namespace gicsim::whatif {

/// Whose receiver couldn't get rid of what came, and made the fabric wait.
void say_pauses(report::Finished& finished, const system::System& system) {
  system.visit_stats([&](const char* module, const auto& stats) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(stats)>, link::WireStats>) {
      if (stats.paused == Picoseconds{}) return;
      finished.warnings.push_back(std::string(module) + " stood paused for " + text::write(rounded(stats.paused)) + " of " +
                                  text::write(rounded(finished.elapsed)) +
                                  ": the NIC at its end couldn't post its writes into PCIe as fast as they came");
    }
  });
}

/// What the transport did twice, and by which timer: of each NIC, or of all together if they are many.
void say_resends(report::Finished& finished, const schema::Scenario& scenario, const system::System& system) {
  constexpr std::size_t each = 3;
  std::vector<const schema::PairSpec*> nics;
  for (const schema::NodeSpec& node : scenario.system.nodes)
    for (std::size_t p = 0; p < static_cast<std::size_t>(scenario.system.nics); ++p) nics.push_back(&node.pairs[p]);
  const auto many = [](Count n, const char* what) { return text::write(n) + " " + what + (n == 1 ? "" : "s"); };
  const auto timer = [](const schema::PairSpec& nic) {
    const nic::TransportParams& t = nic.nic_transport;
    if (t.rto == nic::Rto::adp) return std::string("adp");
    if (nic.nic.ack_timeout == 0) return std::string("spec, never");
    return "spec, 4.096 us x 2^" + text::write(nic.nic.ack_timeout) +
           (t.timeout_factor > 1 ? " x " + text::write(t.timeout_factor) : "") + " = " +
           text::write(nic::time_out(nic.nic) * t.timeout_factor);
  };
  const auto sent_again = [&](const std::string& who, Count resent, Count timeouts, const schema::PairSpec& nic) {
    return who + " sent " + many(resent, "packet") + " again, after " + many(timeouts, "time-out") + " (nic.transport.rto: " +
           timer(nic) + ") and what NAKs and missing answers told";
  };
  const auto changed_nothing = [&](const std::string& who, Count duplicates) {
    return who + " received " + many(duplicates, "packet") + " again, which changed nothing: writes were acknowledged anew, "
                 "READs answered anew, atomics from what was saved";
  };
  std::vector<std::string> senders, receivers;
  std::size_t number = 0;
  Count resent = 0, timeouts = 0, duplicates = 0, lost = 0;
  system.visit_stats([&](const char* module, const auto& stats) {
    using S = std::remove_cvref_t<decltype(stats)>;
    if constexpr (std::is_same_v<S, nic::NicStats>) {
      const schema::PairSpec& nic = *nics[number++];
      if (stats.resent > 0) senders.push_back(sent_again(module, stats.resent, stats.timeouts, nic));
      if (stats.duplicates > 0) receivers.push_back(changed_nothing(module, stats.duplicates));
      resent += stats.resent, timeouts += stats.timeouts, duplicates += stats.duplicates;
      lost += stats.overruns + stats.naks_sent + stats.out_of_sequence;
    } else if constexpr (std::is_same_v<S, link::WireStats>) {
      lost += stats.lost;
    } else if constexpr (std::is_same_v<S, link::SwitchStats>) {
      lost += stats.dropped;
    }
  });
  const auto in_sum = [](const std::vector<std::string>& lines) { return text::write(static_cast<Count>(lines.size())) + " NICs"; };
  if (senders.size() > each) senders = {sent_again(in_sum(senders), resent, timeouts, *nics.front())};
  if (receivers.size() > each) receivers = {changed_nothing(in_sum(receivers), duplicates)};
  for (const auto* lines : {&senders, &receivers})
    finished.system_notes.insert(finished.system_notes.end(), lines->begin(), lines->end());
  if (timeouts > 0 && resent > 0 && duplicates > 0 && lost == 0)
    finished.system_notes.push_back("nothing was lost: the time-out is shorter than an answer takes here, and what was sent twice "
                                    "is goodput lost, no error");
}

/// The claimed scan tells nobody; the report does.
void say_dropped(report::Finished& finished, const system::System& system) {
  system.visit_stats([&](const char* module, const auto& stats) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(stats)>, nic::FetchStats>)
      if (stats.dropped > 0)
        finished.warnings.push_back(std::string(module) + ": scans dropped " + text::write(stats.dropped) +
                                    " units of 64 B of WQEs that they couldn't take, after their posts had returned "
                                    "(nic.fetch: periodic_scan, a claim)");
  });
}

/// Nor does the claimed gate: a posted write has no completion.
void say_refused(report::Finished& finished, const system::System& system) {
  system.visit_stats([&](const char* module, const auto& stats) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(stats)>, host::GateStats>)
      if (stats.refused > 0)
        finished.warnings.push_back(std::string(module) + " refused " + text::write(stats.refused) +
                                    (stats.refused == 1 ? " doorbell" : " doorbells") +
                                    ", and told nobody, as a posted write has no completion (host.doorbell_gate, a claim)");
  });
}

/// Posted writes that get lost on their way tell nobody; whoever waits for what they carried does so for ever.
void say_blocked(report::Diagnosis& diagnosis, const system::System& system) {
  system.visit_stats([&](const char* module, const auto& stats) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(stats)>, pcie::SwitchStats>)
      if (stats.blocked > 0)
        diagnosis.waits_for.push_back(std::string(module) + " let " + text::write(stats.blocked) +
                                      " TLPs not through: access control (slot.acs_*), a root port that passes none "
                                      "between devices (slot.peer_*), or an address that nobody has");
  });
}

/// What an application that polls through verbs is told. Source: rdma-core, libibverbs/verbs.h, enum ibv_wc_status
void say_verbs(report::Finished& finished, const std::vector<nic::Failure>& failures) {
  const auto first = std::find_if(failures.begin(), failures.end(), [](const nic::Failure& f) { return !f.responder; });
  if (first == failures.end()) return;
  const char* name = nullptr;
  switch (first->status) {
    case CqeStatus::ok: return;
    case CqeStatus::local_length: name = "LOC_LEN_ERR (1)"; break;
    case CqeStatus::local_qp_operation: name = "LOC_QP_OP_ERR (2)"; break;
    case CqeStatus::local_protection: name = "LOC_PROT_ERR (4)"; break;
    case CqeStatus::flushed: name = "WR_FLUSH_ERR (5)"; break;
    case CqeStatus::remote_invalid_request: name = "REM_INV_REQ_ERR (9)"; break;
    case CqeStatus::remote_access: name = "REM_ACCESS_ERR (10)"; break;
    case CqeStatus::remote_operation: name = "REM_OP_ERR (11)"; break;
    case CqeStatus::retry_exceeded: name = "RETRY_EXC_ERR (12)"; break;
    case CqeStatus::receiver_not_ready: name = "RNR_RETRY_EXC_ERR (13)"; break;
  }
  finished.system_notes.push_back("by verbs, the work completion's status is IBV_WC_" + std::string(name));
}

/// What each flow's queue pairs met on their way.
void tell_flows(report::Finished& finished, const schema::Scenario& scenario, const Flows& flows) {
  for (std::size_t i = 0; i < finished.flows.size() && i < flows.size(); ++i) {
    report::FlowShare& flow = finished.flows[i];
    flow.priority = scenario.lanes[i].service_level;
    for (const system::Queue& queue : flows[i]) {
      const nic::Nic::Met met = queue.nic->met(queue.qpn);
      flow.resent += met.resent, flow.cnps += met.cnps;
      if (!met.lowest) continue;
      const double rate = static_cast<double>(met.lowest->bits_per_second()) / 1e9;
      flow.lowest = std::min(flow.lowest.value_or(rate), rate);
    }
  }
}

/// In one line what the fabric did about too much traffic.
void say_fabric(report::Finished& finished, const schema::Scenario& scenario, const system::System& system, const Flows& flows) {
  if (scenario.system.fabric.flow_control == link::FlowControl::ideal) return;
  link::SwitchStats switches;
  link::PortStats ports;
  Count resent = 0, timeouts = 0;
  system.visit_stats([&](const char*, const auto& stats) {
    using S = std::remove_cvref_t<decltype(stats)>;
    if constexpr (std::is_same_v<S, link::SwitchStats>) {
      switches.dropped += stats.dropped, switches.dropped_lossless += stats.dropped_lossless;
      switches.marked += stats.marked;
    } else if constexpr (std::is_same_v<S, link::PortStats>) {
      ports.pauses_received += stats.pauses_received, ports.paused += stats.paused, ports.held_up += stats.held_up;
      ports.wait += stats.wait;
    } else if constexpr (std::is_same_v<S, nic::NicStats>) {
      resent += stats.resent, timeouts += stats.timeouts;
    }
  });
  std::string line = "fabric: " + text::write(switches.dropped) + " packets dropped";
  if (scenario.system.fabric.flow_control == link::FlowControl::pfc)
    line += " (" + text::write(switches.dropped_lossless) + " of a lossless priority), " +
            text::write(ports.pauses_received) + " pause frames, " + text::write(rounded(ports.paused)) + " paused";
  line += "; ports waited " + text::write(ports.held_up) + " times, " + text::write(rounded(ports.wait)) + "; " +
          text::write(switches.marked) + " packets marked; " + text::write(resent) + " sent again, " +
          text::write(timeouts) + " time-outs";
  std::map<int, Count> by_priority;
  for (std::size_t i = 0; i < flows.size(); ++i)
    for (const system::Queue& queue : flows[i])
      by_priority[scenario.lanes[i].service_level] += queue.nic->met(queue.qpn).resent;
  if (by_priority.size() > 1) {
    std::string each;
    for (const auto& [priority, n] : by_priority)
      each += (each.empty() ? " (" : ", ") + text::write(n) + " of priority " + std::to_string(priority);
    line.insert(line.rfind(" sent again") + std::string(" sent again").size(), each + ")");
  }
  if (const auto mark = system.first_mark()) line += "; first mark at " + text::write(rounded(*mark));
  if (const auto pause = system.first_pause()) line += "; first pause at " + text::write(rounded(*pause));
  finished.system_notes.push_back(std::move(line));
}

}  // namespace gicsim::whatif
