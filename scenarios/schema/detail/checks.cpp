// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/checks.h"

#include "scenarios/schema/block.h"
#include "scenarios/schema/detail/checker.h"
#include "scenarios/schema/detail/drops.h"

namespace gicsim::schema::detail {

bool uses_verbs(Path path) {
  return path == Path::cpu_post || path == Path::cpu_doorbell || path == Path::host_staged ||
         path == Path::stream_triggered;
}
bool uses_runtime(const Scenario& s) {
  return s.path == Path::host_staged || s.path == Path::stream_triggered ||
         (is_probe(s.pattern) && !is_gpu_probe(s.pattern));
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
  const auto found = keys_.find("drop");
  if (machine() && found != keys_.end()) read_drops(s_, found->second.at, mistakes_);
}

void check(Scenario& scenario, const Keys& keys, const std::deque<Given>& set, Mistakes& mistakes) {
  Mistakes found;
  check_ports(scenario, found);
  Checker checker(scenario, keys, found);
  checker.probe();
  checker.gpu_probe();
  checker.pattern();
  checker.payload();
  checker.receiver();
  checker.work();
  checker.loads();
  checker.pushes();
  checker.windows();
  checker.losses();
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
    if (unused && value.layer >= Layer::scenario && value.provenance == Provenance::user)
      scenario.warnings.push_back(value.key + ": changes nothing, path is " +
                                  std::string(to_name(scenario.path)));
  }
  mistakes.insert(mistakes.end(), found.begin(), found.end());
}

}  // namespace gicsim::schema::detail
