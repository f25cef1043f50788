// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/checks.h"

#include "scenarios/schema/block.h"
#include "scenarios/schema/detail/checker.h"
#include "scenarios/schema/detail/drops.h"
#include "scenarios/schema/detail/tree.h"
#include "scenarios/schema/detail/faults.h"
#include "scenarios/schema/detail/flaps.h"

namespace gicsim::schema::detail {

bool uses_verbs(Path path) {
  return path == Path::cpu_post || path == Path::cpu_doorbell || path == Path::host_staged ||
         path == Path::stream_triggered;
}
bool uses_runtime(const Scenario& s) {
  return s.path == Path::host_staged || s.path == Path::stream_triggered ||
         (is_probe(s.pattern) && !is_gpu_probe(s.pattern) && !is_dma(s.pattern));
}

bool Checker::is_default(std::string_view key) const {
  const Field& field =
      scenario_block().fields[static_cast<std::size_t>(scenario_block().find(key))];
  return field.write(&s_) == field.default_text;
}

void Checker::wrong(std::string_view key, const std::string& what) {
  const auto found = keys_.find(key);
  const Location at = found == keys_.end() ? Location{s_.file, 1, 1} : found->second.at;
  mistakes_.push_back({at, std::string(key) + ": " + what});
}

void Checker::losses() {
  s_.system.seed = s_.seed;
  s_.system.relaxed_ordering = s_.relaxed_ordering;
  s_.system.placement = s_.placement;
  s_.system.transport = s_.transport;
  s_.system.wrong = s_.wrong;
  s_.system.sends = verb(s_) == Verb::send;
  const auto found = keys_.find("drop");
  const auto flows = keys_.find("flows");
  if (machine() && has_nics(s_.system)) {
    const Location at = flows == keys_.end() ? Location{s_.file, 1, 1} : flows->second.at;
    if (s_.system.gpus > 0) read_flows(s_, at, mistakes_);
    if (s_.routes.size() > 1 && (is_probe(s_.pattern) || s_.path == Path::cpu_proxy || s_.path == Path::cpu_doorbell ||
                                 !is_stream(s_.pattern)))
      wrong("flows", std::to_string(s_.routes.size()) + " of them carry streams over gpu_direct, cpu_post or "
                     "host_staged; write 'pattern: put_bw', or one flow");
  }
  if (machine() && found != keys_.end()) read_drops(s_, found->second.at, mistakes_);
  const auto flap = keys_.find("flap");
  if (machine() && flap != keys_.end()) read_flaps(s_, flap->second.at, mistakes_);
}

void Checker::faults() {
  const auto found = keys_.find("fault");
  if (machine() && found != keys_.end()) read_faults(s_, found->second.at, mistakes_);
  if (s_.retry == 0) return;
  const bool simple = s_.pattern == Pattern::put || s_.pattern == Pattern::get || s_.pattern == Pattern::atomic;
  if (!simple || s_.path != Path::gpu_direct || s_.sharing != Sharing::exclusive)
    wrong("retry", "only a put, get or atomic over gpu_direct with 'sharing: exclusive' is repeated; leave it out");
}

void check(Scenario& scenario, const Keys& keys, const std::deque<Given>& set, Mistakes& mistakes) {
  Mistakes found;
  check_ports(scenario, found);
  Checker checker(scenario, keys, found);
  checker.probe();
  checker.gpu_probe();
  checker.dma();
  checker.pattern();
  checker.barrier();
  checker.payload();
  checker.receiver();
  checker.work();
  checker.ordering();
  checker.queues();
  checker.loads();
  checker.pushes();
  checker.doorbells();
  checker.resources();
  checker.windows();
  checker.transport();
  checker.losses();
  checker.faults();
  checker.congestion();
  checker.traffic();
  checker.unused();
  for (const Given& value : set) {
    const std::string kind = value.key.substr(0, value.key.find('.'));
    const bool unused = (kind == "library" && !builds_on_gpu(scenario.path)) ||
                        (kind == "proxy" && scenario.path != Path::cpu_proxy) ||
                        (kind == "verbs" && !uses_verbs(scenario.path)) ||
                        (kind == "runtime" && !uses_runtime(scenario));
    const bool eager = kind == "setup" && scenario.lazy_init == LazyInit::off;
    if (eager && value.layer >= Layer::scenario && value.provenance == Provenance::user)
      scenario.warnings.push_back(value.key + ": changes nothing, lazy_init is off");
    if (kind == "recovery" && scenario.system.faults.empty() && value.layer >= Layer::scenario &&
        value.provenance == Provenance::user)
      scenario.warnings.push_back(value.key + ": changes nothing, fault is none");
    if (const std::string idle = idle_cable_value(value.key, scenario.system);
        !idle.empty() && value.layer >= Layer::scenario && value.provenance == Provenance::user)
      scenario.warnings.push_back(value.key + ": changes nothing, " + idle);
    if (unused && value.layer >= Layer::scenario && value.provenance == Provenance::user)
      scenario.warnings.push_back(value.key + ": changes nothing, path is " +
                                  std::string(to_name(scenario.path)));
  }
  mistakes.insert(mistakes.end(), found.begin(), found.end());
}

}  // namespace gicsim::schema::detail
