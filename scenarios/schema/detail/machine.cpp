// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/machine.h"

#include <algorithm>
#include <set>

#include "scenarios/schema/hint.h"

namespace gicsim::schema::detail {
namespace {

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> words;
  for (std::size_t start = 0;;) {
    const std::size_t dot = path.find('.', start);
    words.push_back(path.substr(start, dot - start));
    if (dot == path.npos) return words;
    start = dot + 1;
  }
}

std::string without_number(std::string_view word) {
  return std::string(word.substr(0, word.find_last_not_of("0123456789") + 1));
}

/// The last word means a kind ("switch" is no pcie_switch) or one number of it; the words
/// before may also leave out their number.
bool matches(const Instance& instance, const std::vector<std::string_view>& words) {
  const std::vector<Token>& tokens = instance.tokens;
  if (words.size() > tokens.size()) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[words.size() - 1 - i];
    const Token& token = tokens[tokens.size() - 1 - i];
    if (word != token.name && word != token.kind && (i == 0 || word != token.bare)) return false;
  }
  return true;
}

}  // namespace

Instance* Machine::add(Instance* owner, std::string name, std::string_view kind, void* params) {
  Instance instance;
  if (owner) instance.tokens = owner->tokens;
  for (const std::string_view word : split(name)) {
    std::string bare = without_number(word);
    instance.tokens.push_back({std::string(word), bare, std::string(bare)});
  }
  instance.tokens.back().kind = kind;
  instance.name = owner ? owner->name + "." + name : std::move(name);
  instance.block = block_of(kind);
  instance.params = params;
  instance.owner = owner;
  instance.given.resize(instance.block->fields.size());
  instances_.push_back(std::move(instance));
  return &instances_.back();
}

void Machine::add_cable(Instance* owner, std::string name, Cable& cable) {
  Instance* link = add(owner, std::move(name), "link", static_cast<link::WireParams*>(&cable));
  add(link, "burst", "burst", &cable.errors.burst);
  add(link, "fec", "fec", &cable.errors.fec);
  add(link, "retry", "retry", &cable.errors.retry);
  add(link, "stress", "stress", &cable.errors.stress);
}

Machine::Machine(SystemSpec& system) {
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    NodeSpec& node = system.nodes[n];
    const std::string prefix = "node" + std::to_string(n) + ".";
    Instance* host = add(nullptr, prefix + "host", "host", &node.host);
    add(host, "port", "port", &node.host_port);
    add(host, "interrupt", "interrupt", &node.interrupt);
    add(host, "gate", "gate", &node.gate);
    add(nullptr, prefix + "root", "root", &node.root);
    add(nullptr, prefix + "iommu", "iommu", &node.iommu);
    if (system.sockets > 1) add(nullptr, prefix + "upi", "upi", &node.upi);
    for (std::size_t b = 0; b < node.bridges.size(); ++b)
      add(nullptr, prefix + "bridge" + std::to_string(b), "root", &node.bridges[b]);
    for (std::size_t i = 0; i < std::max(node.pairs.size(), node.switches.size()); ++i) {
      const std::string number = std::to_string(i);
      if (i < static_cast<std::size_t>(system.gpus)) {
        PairSpec& pair = node.pairs[i];
        Instance* gpu = add(nullptr, prefix + "gpu" + number, "gpu", &pair.gpu);
        add(gpu, "front_end", "front_end", &pair.front_end);
        add(gpu, "copy_engine", "copy_engine", &pair.copy_engine);
        add(gpu, "mmu", "mmu", &pair.mmu);
        add(gpu, "sm", "sm", &pair.sm);
        if (system.attach == Attach::coherent) {
          add(gpu, "c2c", "c2c", &pair.gpu_c2c);
        } else {
          add(gpu, "port", "port", &pair.gpu_port);
          add(gpu, "pcie", "pcie", &pair.gpu_pcie);
        }
        add(gpu, "slot", "slot", &pair.gpu_slot);
      }
      if (i < node.switches.size()) {
        Instance* middle = add(nullptr, prefix + "switch" + number, "pcie_switch", &node.switches[i].params);
        add(middle, "pcie", "pcie", &node.switches[i].pcie);
        add(middle, "slot", "slot", &node.switches[i].slot);
      }
      if (i >= static_cast<std::size_t>(system.nics)) continue;
      PairSpec& pair = node.pairs[i];
      Instance* nic = add(nullptr, prefix + "nic" + number, "nic", &pair.nic);
      add(nic, "slot", "slot", &pair.nic_slot);
      add(nic, "ats", "ats", &pair.nic_ats);
      add(nic, "transport", "transport", &pair.nic_transport);
      add(nic, "fetch", "fetch", &pair.nic_fetch);
      add(nic, "contexts", "contexts", &pair.nic_contexts);
      add(nic, "limits", "limits", &pair.nic_limits);
      add(nic, "queues", "queues", &pair.nic_queues);
      add(nic, "port", "port", &pair.nic_port);
      add(nic, "pcie", "pcie", &pair.nic_pcie);
      add_cable(nic, "link", pair.nic_link);
    }
  }
  for (std::size_t n = 0; n < system.nodes.size(); ++n)
    for (std::size_t i = 0; i < system.nodes[n].dmas.size(); ++i) {
      DmaSpec& spec = system.nodes[n].dmas[i];
      Instance* dma = add(nullptr, "node" + std::to_string(n) + ".dma" + std::to_string(i), "dma", &spec.params);
      add(dma, "port", "port", &spec.port);
      add(dma, "pcie", "pcie", &spec.pcie);
      add(dma, "slot", "slot", &spec.slot);
      add(dma, "ats", "ats", &spec.ats);
    }
  for (std::size_t i = 0; i < system.fabric_switches.size(); ++i) {
    Instance* at = add(nullptr, "fabric.switch" + std::to_string(i), "switch", &system.fabric_switches[i]);
    add(at, "buffer", "buffer", &system.fabric_buffers[i]);
  }
  if (!system.fabric_switches.empty()) {
    Instance* fabric = add(nullptr, "fabric", "fabric", &system.fabric);
    add(fabric, "arbitration", "arbitration", &system.arbitration);
  }
  if (system.dcqcn_on) {
    add(nullptr, "dcqcn", "dcqcn", &system.dcqcn);
    add(nullptr, "ecn", "ecn", &system.ecn);
  }
  if (system.ib_cc_on) add(nullptr, "ib_cc", "ib_cc", &system.ib_cc);
  for (std::size_t i = 0; i < system.fabric_links.size(); ++i)
    add_cable(nullptr, "fabric.link" + std::to_string(i), system.fabric_links[i]);
  if (system.gpus > 0) {  // without, nobody posts there
    add(nullptr, "library", "library", &system.library);
    add(nullptr, "proxy", "proxy", &system.proxy);
    add(nullptr, "verbs", "verbs", &system.verbs);
    add(nullptr, "runtime", "runtime", &system.runtime);
    add(nullptr, "setup", "setup", &system.setup);
    add(nullptr, "recovery", "recovery", &system.recovery);
  }
  add(nullptr, "spread", "spread", &system.spread);
  if (system.kernel_beside) add(nullptr, "beside", "beside", &system.beside);
}

std::vector<Instance*> Machine::matching(std::string_view pattern) {
  const std::vector<std::string_view> words = split(pattern);
  std::vector<Instance*> found;
  for (Instance& instance : instances_)
    if (matches(instance, words)) found.push_back(&instance);
  return found;
}

Instance* Machine::named(std::string_view name) {
  for (Instance& instance : instances_)
    if (instance.name == name) return &instance;
  return nullptr;
}

std::vector<std::string> Machine::patterns() const {
  std::set<std::string> all;
  for (const Instance& instance : instances_) {
    all.insert(instance.name);
    all.insert(std::string(instance.block->kind));
    all.insert(instance.tokens.back().name);
    if (instance.owner)
      all.insert(std::string(instance.owner->block->kind) + "." + instance.tokens.back().kind);
  }
  return {all.begin(), all.end()};
}

std::string Machine::unknown(const std::string& path, const std::string& pattern,
                             const std::string& name) const {
  if (pattern.empty()) {
    std::vector<std::string> full;
    for (const Block& block : blocks())
      if (block.find(name) >= 0) full.push_back(std::string(block.kind) + "." + name);
    if (!full.empty()) return path + ": whose? write " + listed(full);
  }
  std::vector<std::string> paths;
  const std::string near = pattern.empty() ? "" : nearest(pattern, patterns());
  for (const Block& block : blocks())
    for (const Field& field : block.fields)
      paths.push_back(std::string(block.kind) + "." + std::string(field.name));
  std::string hint = did_you_mean(path, paths);
  if (hint.empty() && !near.empty()) hint = "; did you mean '" + near + "." + name + "'?";
  if (pattern == "beside") return path + ": no kernel runs beside; write 'beside: gemm', a file of configs/parts/kernels";
  if (pattern == "dcqcn" || pattern == "ecn")
    return path + ": DCQCN is off; write 'dcqcn: mlx5', a file of configs/parts/congestion";
  if (pattern == "ib_cc") return path + ": InfiniBand's congestion control is off; write 'ib_cc: on'";
  if (block_of(pattern)) return path + ": this system has no " + pattern;
  return path + ": nothing in this system has that name" + hint;
}

void Machine::find_target(Given& value, Target& target, Mistakes& mistakes) {
  const std::string& path = value.key;
  const std::size_t dot = path.rfind('.');
  const std::string pattern = dot == path.npos ? "" : path.substr(0, dot);
  const std::string name = dot == path.npos ? path : path.substr(dot + 1);
  target.instances = matching(pattern);
  const auto wrong = [&](const Location& at, std::string what) {
    mistakes.push_back({at, std::move(what)});
    value.good = false;
  };
  if (target.instances.empty()) return wrong(value.key_at, unknown(path, pattern, name));
  const Instance& first = *target.instances.front();
  for (const Instance* other : target.instances)
    if (other->block != first.block)
      return wrong(value.key_at, path + ": means a " + std::string(first.block->kind) + " and a " +
                                     std::string(other->block->kind) + "; write '" + first.name +
                                     "." + name + "' or '" + other->name + "." + name + "'");
  target.field = first.block->find(name);
  if (target.field < 0) {
    std::string hint = did_you_mean(name, first.block->names());
    for (const Instance& other : instances_)
      if (hint.empty() && other.owner == &first && other.block->find(name) >= 0)
        hint = "; did you mean '" + pattern + "." + other.tokens.back().name + "." + name + "'?";
    return wrong(value.key_at, path + ": no such parameter" + hint);
  }
  const Field& field = first.block->fields[static_cast<std::size_t>(target.field)];
  if (const std::string bad = field.read(value.value, nullptr); !bad.empty())
    wrong(value.at, path + ": " + bad);
}

void Machine::apply(std::deque<Given>& values, Mistakes& mistakes) {
  std::vector<Target> targets;
  for (Given& value : values) {
    Target target{&value, -1, {}};
    find_target(value, target, mistakes);
    // A value that can't be read was said; its parameter counts as given all the same.
    if (target.field >= 0) targets.push_back(std::move(target));
  }
  const auto wider = [](const Target& a, const Target& b) {
    if (a.value->layer != b.value->layer) return a.value->layer < b.value->layer;
    if (a.value->layer == Layer::command_line) return false;
    return a.instances.size() > b.instances.size();
  };
  std::stable_sort(targets.begin(), targets.end(), wider);
  for (const Target& target : targets) {
    for (Instance* instance : target.instances)
      instance->given[static_cast<std::size_t>(target.field)] = target.value;
  }
  for (std::size_t i = 1; i < targets.size(); ++i) {
    const Target &a = targets[i - 1], &b = targets[i];
    if (a.value->layer != b.value->layer || a.value->layer == Layer::command_line) continue;
    for (std::size_t j = i; j-- > 0 && targets[j].value->layer == b.value->layer &&
                            targets[j].instances.size() == b.instances.size();) {
      if (targets[j].field != b.field || targets[j].instances != b.instances) continue;
      mistakes.push_back({b.value->key_at, b.value->key + ": given twice (first on line " +
                                               std::to_string(targets[j].value->key_at.line) +
                                               ", as '" + targets[j].value->key + "')"});
      break;
    }
  }
}

void Machine::apply(const std::vector<Given>& block, Instance& instance) {
  for (const Given& value : block) {
    const int field = instance.block->find(value.key);
    if (field < 0) continue;
    const Given*& slot = instance.given[static_cast<std::size_t>(field)];
    if (!slot || slot->layer == Layer::part) slot = &value;
  }
}

std::vector<Resolved> Machine::resolve(const Location& parts_at, Mistakes& mistakes) {
  std::vector<Resolved> table;
  std::set<std::string> said;
  const auto miss = [&](const Instance& instance, const Field& field) {
    const std::string kind(instance.block->kind);
    const std::string path = kind + "." + std::string(field.name);
    if (instance.part.empty()) {
      if (said.insert(kind).second)
        mistakes.push_back({parts_at, "parts: none for " + instance.name + "; write '" + kind +
                                          ": NAME', a file of configs/parts"});
    } else if (said.insert(path + instance.part).second) {
      mistakes.push_back({instance.part_at, path + ": missing, and it has no default; write '" +
                                                std::string(field.name) + ": " + field.example +
                                                "' (" + std::string(field.sentence) + ")"});
    }
  };
  for (const Instance& instance : instances_) {
    for (std::size_t i = 0; i < instance.block->fields.size(); ++i) {
      const Field& field = instance.block->fields[i];
      const Given* given = instance.given[i];
      if (!given && field.source.by_part && !instance.excused) miss(instance, field);
      if (given && given->good) field.read(given->value, instance.params);
      Resolved row;
      row.instance = instance.name;
      row.kind = instance.block->kind;
      row.name = field.name;
      row.value = field.write(instance.params);
      row.sentence = field.sentence;
      row.bounds = field.bounds;
      row.provenance = given ? given->provenance : field.source.kind;
      row.source = given ? given->source : std::string(field.source.text);
      if (given) row.at = given->at;
      table.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace gicsim::schema::detail
