// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>

#include "models/base/context.h"
#include "models/units/text.h"
#include "scenarios/paths/machine_load.h"
#include "scenarios/paths/make.h"
#include "scenarios/system/system.h"
#include "scenarios/whatif/bound.h"
#include "scenarios/whatif/flow_meter.h"
#include "scenarios/whatif/heard.h"
#include "scenarios/whatif/results.h"
#include "scenarios/whatif/shares.h"
#include "scenarios/workloads/workload.h"

namespace gicsim::whatif {
namespace {

/// A run of more events isn't repeated for its gain; counted, not timed, so that reports are equal.
constexpr Count longest_repeated = 20'000'000;

/// A built machine with its work, in a SystemC context of its own.
struct Built {
  ContextScope context;
  system::System system;
  paths::Connections connections;
  std::unique_ptr<workloads::Workload> workload;
  std::optional<paths::MachineLoad> loads;

  Built(const schema::Scenario& scenario, Kernel::Steps steps)
      : system(scenario.system, steps), connections(system, scenario) {
    std::vector<workloads::Pair> pairs;
    for (paths::Ends& ends : connections.ends()) pairs.push_back({*ends.near, *ends.far});
    if (scenario.role == Role::both)
      for (paths::Ends& ends : connections.ends()) pairs.push_back({*ends.far, *ends.near});
    workload = workloads::make_workload(std::move(pairs), scenario);
    const bool kernels = scenario.system.kernel_beside && scenario.system.beside.blocks > 0;
    if (scenario.copy_load == CopyLoad::off && scenario.storage == Storage::off && scenario.word_load == WordLoad::off && !kernels)
      return;
    loads.emplace(system, scenario, [this]() -> std::optional<std::uint64_t> {
      if (workload->finished()) return std::nullopt;
      return workload->ended();
    });
  }
  void start() {
    if (loads) loads->start();
    workload->start();
  }
  ~Built() { system.kernel().abandon(); }
};

/// For a sentence: nobody reads a thousandth of a long time.
Picoseconds rounded(Picoseconds t) { return t < 10us ? t : (t + 500ns) / 1us * 1us; }

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

/// The first atomic that a NIC's read and write undid.
std::optional<report::Diagnosis> lost_atomic(system::System& system) {
  std::optional<report::Diagnosis> first;
  for (std::size_t n = 0; n < system.nodes(); ++n)
    if (const auto& lost = system.node(n).atomics().lost(); lost && (!first || lost->at < first->at))
      first = diagnose(*lost, system.node(n).atomics().undid());
  return first;
}

/// What each flow's queue pairs met on their way.
void tell_flows(report::Finished& finished, const Built& built, const schema::Scenario& scenario) {
  for (std::size_t i = 0; i < finished.flows.size() && i < built.connections.posting().size(); ++i) {
    report::FlowShare& flow = finished.flows[i];
    flow.priority = scenario.lanes[i].service_level;
    for (const system::Queue& queue : built.connections.posting()[i]) {
      const nic::Nic::Met met = queue.nic->met(queue.qpn);
      flow.resent += met.resent, flow.cnps += met.cnps;
      if (!met.lowest) continue;
      const double rate = static_cast<double>(met.lowest->bits_per_second()) / 1e9;
      flow.lowest = std::min(flow.lowest.value_or(rate), rate);
    }
  }
}

/// In one line what the fabric did about too much traffic.
void say_fabric(report::Finished& finished, const Built& built, const schema::Scenario& scenario) {
  const system::System& system = built.system;
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
  for (std::size_t i = 0; i < built.connections.posting().size(); ++i)
    for (const system::Queue& queue : built.connections.posting()[i])
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

/// What was scripted to fail explains a run, whatever its end.
void tell_faults(report::Finished& finished, const Built& built) {
  for (const std::string& fault : built.system.faults().happened()) finished.system_notes.push_back("fault " + fault);
  for (const std::string& fault : built.system.faults().missed())
    finished.warnings.push_back("fault " + fault + ": the run was over before");
  for (const std::string& flap : built.system.flaps().happened()) finished.system_notes.push_back("flap " + flap);
  for (const std::string& flap : built.system.flaps().missed())
    finished.warnings.push_back("flap " + flap + ": the run was over before");
  if (const Count n = built.workload->repeated(); n > 0)
    finished.system_notes.push_back(std::to_string(n) + (n == 1 ? " round was" : " rounds were") +
                                    " begun anew with new queue pairs; lost until then: " +
                                    text::write(rounded(built.workload->lost())));
}

report::Finished run_once(const schema::Scenario& scenario, const RunOptions& options,
                          std::optional<Picoseconds> wanted = std::nullopt) {
  const auto begun = std::chrono::steady_clock::now();
  Built built(scenario, options.steps);
  Kernel& kernel = built.system.kernel();
  FlowMeter meter(kernel, built.connections.posting());
  Heard heard(options.exporters, scenario, built.system, built.workload->messages());
  if (wanted) built.workload->want_only(*wanted);
  Uses before;
  Busy busy_before;
  Picoseconds window_begin{};
  built.workload->on_measured([&] {
    before = uses(scenario, built.system), busy_before = busy(built.system), window_begin = kernel.now();
  });
  built.start();
  meter.start();
  kernel.run();

  report::Finished finished = describe_run(scenario);
  finished.counters = counters(built.system);
  finished.ports = port_counters(built.system);
  finished.elapsed = kernel.now();
  say_pauses(finished, built.system);
  if (has_nics(scenario.system)) say_resends(finished, scenario, built.system);
  say_fabric(finished, built, scenario);
  const auto circle = built.system.deadlock();
  say_dropped(finished, built.system);
  say_refused(finished, built.system);
  for (const nic::AsyncEvent& event : built.system.async_events())
    finished.system_notes.push_back("async event at " + text::write(rounded(event.at)) + ": " + std::string(name_of(event.kind)) +
                                    " " + event.what);
  const auto stale = built.system.stale_fetches();
  if (const auto& misreads = built.system.misreads(); !misreads.empty()) {
    finished.status = Status::ordering_violation;
    finished.diagnosis = report::Diagnosis{misreads.front().what, {}, misreads.front().at};
  } else if (!stale.empty()) {
    finished.status = Status::ordering_violation;
    finished.diagnosis = diagnose(stale.front());
  } else if (const auto& early = built.workload->early()) {
    finished.status = Status::ordering_violation;
    finished.diagnosis = diagnose(*early);
  } else if (auto lost = lost_atomic(built.system)) {
    finished.status = Status::ordering_violation;
    finished.diagnosis = std::move(*lost);
  } else if (!circle.empty()) {
    finished.status = Status::stuck;
    finished.diagnosis = report::Diagnosis{"the fabric is in deadlock: " + std::to_string(circle.size()) +
                                               " ports wait for each other's buffers in a circle",
                                           circle, kernel.now()};
  } else if (const auto failures = built.system.failures();
             !failures.empty() && !built.workload->recovered()) {
    finished.status = Status::error_completion;
    finished.diagnosis = diagnose(failures);
    say_verbs(finished, failures);
    for (std::string& line : built.system.refused()) finished.diagnosis->waits_for.push_back(std::move(line));
    if (scenario.poller != Poller::opcode && !built.workload->finished()) {
      finished.status = Status::stuck;
      finished.diagnosis->what += ", which the poster doesn't look for (poller: " + std::string(to_name(scenario.poller)) +
                                  "); no event is left, and programs wait";
    }
    for (std::string& line : kernel.waiting()) finished.diagnosis->waits_for.push_back(std::move(line));
    built.system.check_books();
  } else if (const auto failed = built.system.dma_failures(); !failed.empty() || !built.system.iommu_faults().empty()) {
    finished.status = Status::error_completion;
    finished.diagnosis = diagnose(failed, built.system.iommu_faults());
  } else if (!built.workload->finished()) {
    finished.status = Status::stuck;
    finished.diagnosis = report::Diagnosis{"no event is left, and programs wait", kernel.waiting(), kernel.now()};
    for (const std::string& fault : built.system.faults().happened()) finished.diagnosis->what += "; " + fault;
    for (std::string& line : built.system.unfinished())
      finished.diagnosis->waits_for.push_back(std::move(line));
    say_blocked(*finished.diagnosis, built.system);
  } else {
    built.system.check_books();
  }
  tell_faults(finished, built);
  if (finished.status == Status::done) {
    if (!fill_results(finished, scenario, built.workload->measured()) && !wanted)
      return run_once(scenario, options, explained(scenario, built.workload->measured()));
    tell_flows(finished, built, scenario);
    finished.jain_by_ms = meter.jain(built.workload->measured().first_end);
    finished.shares = shares(busy_before, busy(built.system), kernel.now() - window_begin);
    finished.bound_by =
        bound(finished, scenario, before, uses(scenario, built.system), kernel.now() - window_begin);
  }
  finished.events = kernel.events() - heard.events();
  finished.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  heard.finish(finished.status, finished.elapsed, finished.ports);
  return finished;
}

report::Finished run_heard(const schema::Scenario& scenario, const RunOptions& options) {
  try {
    return run_once(scenario, options);
  } catch (const ConfigError&) {  // an exporter wants what this machine hasn't
    throw;
  } catch (...) {
    broke_off(options.exporters);
    throw;
  }
}

}  // namespace

report::Finished run_scenario(const schema::Scenario& scenario, const RunOptions& options) {
  report::Finished finished = run_heard(scenario, options);
  if (!options.gain || !finished.bound_by) return finished;
  if (finished.events > longest_repeated) {
    finished.warnings.push_back("what widening would gain was not measured: the run took " +
                                std::to_string(finished.events) + " events, and would be repeated");
    return finished;
  }
  schema::Scenario wider = scenario;
  finished.bound_by->widened = widen(wider, *finished.bound_by);
  if (finished.bound_by->widened.empty()) return finished;
  RunOptions unheard = options;
  unheard.exporters.clear();
  const report::Finished second = run_once(wider, unheard);
  if (second.status == Status::done)
    finished.bound_by->gain = improvement(headline(finished), headline(second), finished.headline);
  finished.events += second.events;
  finished.wall_seconds += second.wall_seconds;
  return finished;
}

std::vector<std::string> traffic(const schema::Scenario& given) {
  schema::Scenario scenario = given;
  scenario.warmup = 1;
  scenario.iterations = 1;
  Built built(scenario, Kernel::Steps::run_ahead);
  std::vector<std::pair<Picoseconds, std::string>> sent_at;
  Picoseconds start{-1};
  const auto note = [&](std::string_view at, std::string_view kind, Bytes length, Picoseconds when) {
    if (start < Picoseconds{}) start = when;
    sent_at.emplace_back(when, std::string(at) + " " + std::string(kind) + " " + text::write(length) + " at " +
                    text::write(when - start));
  };
  bool measured = false;
  built.system.tlps().listen([&](const TlpSent& sent) {
    if (measured) note(sent.link, name_of(sent.tlp.kind), sent.tlp.length, sent.begin);
  });
  built.system.packets().listen([&](const PacketSent& sent) {
    if (measured)
      note(sent.wire, std::string(name_of(sent.packet.kind)) + (sent.lost ? " (lost)" : ""), sent.packet.payload,
           sent.begin);
  });
  built.workload->on_measured([&] { measured = true; });
  built.start();
  built.system.kernel().run();
  std::stable_sort(sent_at.begin(), sent_at.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> lines;
  for (auto& [when, line] : sent_at) lines.push_back(std::move(line));
  return lines;
}

}  // namespace gicsim::whatif
