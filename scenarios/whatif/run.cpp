// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "models/base/context.h"
#include "models/units/text.h"
#include "scenarios/paths/machine_load.h"
#include "scenarios/paths/make.h"
#include "scenarios/system/system.h"
#include "scenarios/whatif/bound.h"
#include "scenarios/whatif/flow_meter.h"
#include "scenarios/whatif/heard.h"
#include "scenarios/whatif/notes.h"
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

/// The first atomic that a NIC's read and write undid.
std::optional<report::Diagnosis> lost_atomic(system::System& system) {
  std::optional<report::Diagnosis> first;
  for (std::size_t n = 0; n < system.nodes(); ++n)
    if (const auto& lost = system.node(n).atomics().lost(); lost && (!first || lost->at < first->at))
      first = diagnose(*lost, system.node(n).atomics().undid());
  return first;
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
  say_fabric(finished, scenario, built.system, built.connections.posting());
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
    tell_flows(finished, scenario, built.connections.posting());
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
