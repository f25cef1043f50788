// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/load.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "scenarios/schema/block.h"
#include "scenarios/schema/detail/beside.h"
#include "scenarios/schema/detail/checks.h"
#include "scenarios/schema/detail/fabric.h"
#include "scenarios/schema/detail/files.h"
#include "scenarios/schema/detail/machine.h"
#include "scenarios/schema/detail/system_keys.h"
#include "scenarios/schema/hint.h"

namespace gicsim::schema {
namespace {

using namespace detail;

class Loader {
 public:
  explicit Loader(const std::string& root) : files_(root, mistakes_) {}

  Scenario scenario(const std::string& name_or_file, const std::vector<Override>& overrides) {
    std::error_code ignored;
    std::string file = name_or_file;
    if (!is_path(name_or_file) && !std::filesystem::is_regular_file(name_or_file, ignored))
      file = files_.find("scenarios/runs", name_or_file, ".", {name_or_file, 0, 0}, "scenario");
    give_up_if_wrong();
    s_.name = stem_of(file);
    s_.file = shown(file);
    folder_ = folder_of(file);
    const std::optional<text::Node> root = text::load(file, mistakes_, s_.file);
    if (!root) give_up_if_wrong();
    read_keys(*root);
    read_overrides(overrides);
    apply_keys();
    build(system_file(root->find("system")));
    const bool readable = mistakes_.empty();
    check(s_, keys_, set_, mistakes_);
    give_up_if_wrong(readable);
    put_beside(s_.system);
    return std::move(s_);
  }

  Scenario system(const std::string& name_or_file, const std::vector<Override>& overrides) {
    folder_ = ".";
    s_.name = s_.file = name_or_file;
    keys_["system"] =
        Given{"system", name_or_file, {}, {}, {name_or_file, 0, 0}, {name_or_file, 0, 0}};
    read_overrides(overrides);
    build(system_file(nullptr));
    give_up_if_wrong();
    return std::move(s_);
  }

 private:
  /// `readable`: each value by itself is fine.
  void give_up_if_wrong(bool readable = false) {
    if (mistakes_.empty()) return;
    const auto place = [](const Mistake& m) { return std::tie(m.at.file, m.at.line, m.at.column); };
    std::stable_sort(mistakes_.begin(), mistakes_.end(),
                     [&](const Mistake& a, const Mistake& b) { return place(a) < place(b); });
    if (readable) throw Inexpressible(std::move(mistakes_));
    throw ConfigError(std::move(mistakes_));
  }

  std::vector<std::string> known_keys() const {
    std::vector<std::string> names = scenario_block().names();
    names.emplace_back("set");
    return names;
  }

  void read_keys(const text::Node& root) {
    if (root.kind != text::Node::Kind::map) {
      mistakes_.push_back({root.at, "not a scenario; write 'system:', 'pattern:', 'path:'"});
      give_up_if_wrong();
    }
    const Origin user{Provenance::user, "scenario"};
    for (const text::Member& member : root.members) {
      if (member.key == "set") {
        for (Given& value : all_given(member, Layer::scenario, user, mistakes_))
          set_.push_back(std::move(value));
      } else if (scenario_block().find(member.key) < 0) {
        mistakes_.push_back(
            {member.at, member.key + ": no such key" + did_you_mean(member.key, known_keys())});
      } else if (member.key == "system" && member.value.kind == text::Node::Kind::map) {
        keys_["system"] = Given{"system", "", {}, {}, member.at, member.value.at};
      } else if (const auto value = scalar(member, mistakes_)) {
        keys_[member.key] = Given{member.key, *value, {}, {}, member.at, member.value.at};
      } else {
        keys_[member.key] = Given{member.key, "", {}, {}, member.at, member.value.at};
        keys_[member.key].good = false;
      }
    }
    for (const Field& field : scenario_block().fields) {
      required_.push_back(
          {{s_.file, 1, 1},
           std::string(field.name) + ": missing; write '" + std::string(field.name) + ": " +
               (field.choices.empty() ? field.example : field.choices.front()) + "' (" +
               std::string(field.sentence) + (field.choices.empty() ? "" : "; one of ") +
               listed(field.choices) + ")"});
      if (!field.source.by_part) required_.pop_back();
    }
  }

  void read_overrides(const std::vector<Override>& overrides) {
    for (const Override& one : overrides) {
      const Location at{std::string(one.option) + " " + one.key + "=" + one.value, 0, 0};
      Given value{one.key, one.value, Provenance::user, one.option, at, at, Layer::command_line};
      if (scenario_block().find(one.key) >= 0)
        keys_[one.key] = std::move(value);
      else if (one.key.find('.') == one.key.npos && !nearest(one.key, known_keys()).empty())
        mistakes_.push_back({at, one.key + ": no such key" + did_you_mean(one.key, known_keys())});
      else if (system_block().find(one.key) >= 0)
        mistakes_.push_back({at, one.key + ": a key of the system; write 'system." + one.key + "'"});
      else
        set_.push_back(std::move(value));
    }
  }

  void apply_keys() {
    for (const Mistake& missing : required_)
      if (keys_.find(missing.what.substr(0, missing.what.find(':'))) == keys_.end())
        mistakes_.push_back(missing);
    for (const auto& [key, value] : keys_) {
      if (!value.good || key == "system") continue;
      const int field = scenario_block().find(key);
      const std::string wrong =
          scenario_block().fields[static_cast<std::size_t>(field)].read(value.value, &s_);
      if (!wrong.empty()) mistakes_.push_back({value.at, key + ": " + wrong});
    }
  }

  SystemFile system_file(const text::Member* inside) {
    const auto key = keys_.find("system");
    if (key == keys_.end() || !key->second.good) return unreadable();
    const Given& value = key->second;
    if (inside && inside->value.kind == text::Node::Kind::map && value.layer == Layer::scenario) {
      SystemFile system = files_.system(inside->value, folder_);
      if (system.keys.name.empty()) system.keys.name = s_.name;
      return system;
    }
    const std::string beside = value.layer == Layer::command_line ? "." : folder_;
    const std::string path =
        files_.find("configs/systems", value.value, beside, value.at, "system");
    return path.empty() ? unreadable() : files_.system(path);
  }

  static SystemFile unreadable() {
    SystemFile system;
    system.good = false;
    return system;
  }

  void build(SystemFile system) {
    if (!system.good) return;  // without a machine no path can be told right from wrong
    take_system_keys(system, set_, mistakes_);
    check_keys(system, mistakes_);
    if (!system.good) return;
    SystemSpec& spec = s_.system;
    spec.seed = s_.seed;
    spec.kernel_beside = s_.beside != "none";
    spec.cpu_load = {s_.cpu_load, s_.cpu_load_at == CpuLoadAt::sibling};
    spec.name = system.keys.name;
    spec.about = system.keys.about;
    spec.notes = system.notes;
    spec.attach = system.keys.attach;
    spec.sockets = system.keys.sockets;
    spec.host_socket = system.keys.host_socket;
    spec.nodes.resize(static_cast<std::size_t>(system.keys.nodes));
    spec.gpus = static_cast<Count>(system.read.gpus);
    spec.nics = static_cast<Count>(system.read.nics);
    spec.dmas = static_cast<Count>(system.read.dmas);
    spec.tree = system.read.plugs;
    for (NodeSpec& node : spec.nodes) {
      node.pairs.resize(std::max(system.read.gpus, system.read.nics));
      node.switches.resize(system.read.switches);
      node.bridges.resize(system.read.bridges);
      node.dmas.resize(system.read.dmas);
    }
    size_fabric(spec, system.keys);
    spec.dcqcn_on = s_.dcqcn != "none";
    spec.ib_cc_on = s_.ib_cc == IbCc::on;

    Machine machine(spec);
    give_parts(machine, system);
    for (Given& value : set_) system.set.push_back(std::move(value));
    set_ = std::move(system.set);
    machine.apply(set_, mistakes_);
    give_profile(machine, "library", "configs/parts/libraries", s_.library);
    give_profile(machine, "proxy", "configs/parts/proxies", s_.proxy);
    give_profile(machine, "verbs", "configs/parts/verbs", s_.verbs);
    give_profile(machine, "runtime", "configs/parts/runtimes", s_.runtime);
    const std::size_t before = mistakes_.size();
    give_profile(machine, "dcqcn", "configs/parts/congestion", s_.dcqcn);
    if (mistakes_.size() == before) give_profile(machine, "ecn", "configs/parts/congestion", s_.dcqcn);
    else if (machine.named("ecn")) machine.named("ecn")->excused = true;  // the file is missing, which was said
    if (spec.kernel_beside) give_profile(machine, "beside", "configs/parts/kernels", s_.beside);
    s_.parameters = machine.resolve(system.parts_at, mistakes_);
    check_slots(s_, mistakes_);
  }

  void give_parts(Machine& machine, const SystemFile& system) {
    struct Choice {
      const SystemFile::Part* part;
      std::vector<Instance*> instances;
    };
    std::vector<Choice> choices;
    for (const SystemFile::Part& part : system.parts) {
      choices.push_back({&part, machine.matching(part.pattern)});
      if (choices.back().instances.empty())
        mistakes_.push_back({part.at, "parts." + part.pattern +
                                          ": nothing in this system has that name" +
                                          did_you_mean(part.pattern, machine.patterns())});
    }
    std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
      return a.instances.size() > b.instances.size();
    });
    std::map<const Instance*, const SystemFile::Part*> chosen;
    for (const Choice& choice : choices)
      for (const Instance* instance : choice.instances) chosen[instance] = choice.part;
    for (Instance& instance : machine.instances()) {
      const auto own = chosen.find(&instance);
      if (own != chosen.end())
        give(instance, *own->second, system, true);
      else if (part_of_device(instance) && chosen.count(instance.owner) != 0)
        give(instance, *chosen.at(instance.owner), system, false);
    }
  }

  /// What a device's own part may describe, or leave at its defaults.
  static bool part_of_device(const Instance& instance) {
    const std::string_view kind = instance.block->kind;
    return kind == "port" || kind == "front_end" || kind == "copy_engine" || kind == "mmu" || kind == "sm" ||
           kind == "fetch" || kind == "contexts" || kind == "limits";
  }

  /// `must`: the part has to hold the instance's kind. A device's part may describe its port.
  void give(Instance& instance, const SystemFile::Part& part, const SystemFile& system, bool must) {
    const std::string place = part.pattern + "=" + part.name;
    auto [found, is_new] = part_paths_.try_emplace(place);
    if (is_new)
      found->second = files_.find("configs/parts", part.name, system.folder, part.name_at,
                                  "parts." + part.pattern);
    if (found->second.empty()) {
      instance.excused = true;
      return;
    }
    give(instance, files_.part(found->second), part.name_at, "parts." + part.pattern, must);
  }

  void give(Instance& instance, const PartFile& part, const Location& at, const std::string& what,
            bool must) {
    const std::string kind(instance.block->kind);
    const auto block = part.blocks.find(kind);
    if (block == part.blocks.end()) {
      if (!must) return;
      instance.excused = true;
      std::vector<std::string> kinds;
      for (const auto& [other, unused] : part.blocks) kinds.push_back(other);
      if (part.good && said_.insert(what + part.shown + kind).second)
        mistakes_.push_back({at, what + ": " + part.shown + " has no '" + kind + ":'; it has " +
                                     (kinds.empty() ? "no block" : listed(kinds))});
      return;
    }
    instance.part = part.shown;
    instance.part_at = block->second.at;
    Machine::apply(block->second.values, instance);
  }

  void give_profile(Machine& machine, const std::string& kind, const std::string& folder,
                    const std::string& name) {
    if (!machine.named(kind)) return;
    Instance& instance = *machine.named(kind);
    bool complete = true;  // as in a resolved scenario, which needs no file
    for (std::size_t i = 0; i < instance.given.size(); ++i)
      complete = complete && (instance.given[i] || !instance.block->fields[i].source.by_part);
    if (complete) return;
    const auto key = keys_.find(kind);
    const Location at = key == keys_.end() ? Location{s_.file, 0, 0} : key->second.at;
    const bool typed = key != keys_.end() && key->second.layer == Layer::command_line;
    const std::string path =
        files_.find_profile(folder, name, architecture(machine), typed ? "." : folder_, at, kind);
    instance.excused = true;
    if (path.empty()) return;
    const PartFile& part = files_.part(path);
    instance.excused = !part.good;
    give(instance, part, at, kind, true);
  }

  static std::string architecture(Machine& machine) {
    const Instance* gpu = machine.named("node0.gpu0");
    if (!gpu) return "";
    const Given* given = gpu->given[static_cast<std::size_t>(gpu->block->find("architecture"))];
    return given ? given->value : "";
  }

  Scenario s_;
  Mistakes mistakes_;
  Files files_;
  Keys keys_;
  std::deque<Given> set_;
  std::vector<Mistake> required_;
  std::string folder_;
  std::map<std::string, std::string> part_paths_;
  std::set<std::string> said_;
};

}  // namespace

Override override_from(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == argument.npos || equals == 0)
    throw ConfigError({"--set " + argument, 0, 0}, "write it like --set nic.decode='80 ns'");
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

Scenario load_scenario(const std::string& name_or_file, const std::vector<Override>& overrides,
                       const std::string& root) {
  return Loader(root).scenario(name_or_file, overrides);
}

Scenario load_system(const std::string& name_or_file, const std::vector<Override>& overrides,
                     const std::string& root) {
  return Loader(root).system(name_or_file, overrides);
}

}  // namespace gicsim::schema
