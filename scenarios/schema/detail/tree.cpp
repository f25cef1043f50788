// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/tree.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "scenarios/schema/hint.h"

namespace gicsim::schema::detail {
namespace {

constexpr std::array<std::string_view, 6> stands{"root", "bridge", "switch", "gpu", "nic", "dma"};
constexpr std::size_t most = 16;  ///< of a kind

std::string name_of(Stand stand, std::size_t number) {
  return std::string(stands[static_cast<std::size_t>(stand)]) + std::to_string(number);
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct Name {
  bool good = false;
  Stand stand = Stand::root;
  std::size_t number = 0;
  bool is(Stand s) const { return good && stand == s; }
};

/// "gpu12".
Name read_name(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const auto found = std::find(stands.begin(), stands.end(), name.substr(0, digits));
  if (found == stands.end() || digits == name.size() || name.size() - digits > 3) return {};
  return {true, static_cast<Stand>(found - stands.begin()), std::stoul(name.substr(digits))};
}

class Reader {
 public:
  Reader(const SystemFile& system, Mistakes& mistakes) : system_(system), mistakes_(mistakes) {}

  Tree read() {
    std::istringstream text(system_.keys.tree);
    for (std::string item; std::getline(text, item, ',');) take(trimmed(item));
    if (tree_.plugs.empty() && !wrong_)
      wrong("", "empty; write what is plugged in where, e.g. 'switch0: root0', 'gpu0: switch0', 'nic0: switch0'");
    for (const Plug& plug : tree_.plugs) check(plug);
    for (const Stand stand : {Stand::bridge, Stand::pcie_switch, Stand::gpu, Stand::nic, Stand::dma}) count(stand);
    return wrong_ ? Tree{} : std::move(tree_);
  }

 private:
  void take(const std::string& item) {
    const std::size_t colon = item.find(':');
    const std::string what = trimmed(item.substr(0, colon));
    if (colon == item.npos) return wrong(what, "'" + item + "' isn't 'WHAT: WHERE'; write e.g. 'gpu0: switch0'");
    const std::string where = trimmed(item.substr(colon + 1));
    const Name own = read_name(what), parent = read_name(where);
    if (!own.good || own.stand == Stand::root)
      return wrong(what, "'" + what + "' is nothing to plug in; write switchN, bridgeN, gpuN, nicN or dmaN");
    if (!parent.good || parent.stand > Stand::pcie_switch)
      return wrong(what, what + ": nothing plugs into '" + where + "'; write rootN (of socket N), bridgeN or switchN");
    if (own.stand == Stand::bridge && parent.stand != Stand::root)
      return wrong(what, what + ": a host bridge is part of a root complex; write rootN, not '" + where + "'");
    if (own.number >= most) return wrong(what, what + ": at most " + std::to_string(most) + " of a kind");
    for (const Plug& other : tree_.plugs)
      if (other.stand == own.stand && other.number == own.number) return wrong(what, what + ": plugged in twice");
    tree_.plugs.push_back({own.stand, own.number, parent.stand, parent.number});
  }

  const Plug* find(Stand stand, std::size_t number) const {
    for (const Plug& plug : tree_.plugs)
      if (plug.stand == stand && plug.number == number) return &plug;
    return nullptr;
  }

  /// The way up: it ends, and in a root complex that is there.
  void check(const Plug& plug) {
    const std::string who = name_of(plug.stand, plug.number);
    const Plug* at = &plug;
    for (std::size_t steps = 0; at->under != Stand::root; ++steps) {
      const std::string parent = name_of(at->under, at->under_number);
      if (steps > tree_.plugs.size()) return wrong(who, who + ": hangs in a loop, through " + parent);
      const Plug* next = find(at->under, at->under_number);
      if (!next) return at == &plug ? wrong(who, who + ": plugged into " + parent + ", which isn't in the tree") : void();
      at = next;
    }
    const auto sockets = static_cast<std::size_t>(system_.keys.sockets);
    if (at == &plug && at->under_number >= sockets)
      wrong(who, who + ": root" + std::to_string(at->under_number) + " is socket " + std::to_string(at->under_number) +
                     "'s, but a node has " + std::to_string(sockets) + ", counted from 0; write 'sockets: " +
                     std::to_string(at->under_number + 1) + "', or another root");
  }

  void count(Stand stand) {
    std::size_t n = 0, highest = 0;
    for (const Plug& plug : tree_.plugs)
      if (plug.stand == stand) ++n, highest = std::max(highest, plug.number);
    if (n > 0 && highest + 1 != n)
      for (std::size_t i = 0; i < highest; ++i)
        if (!find(stand, i))
          return wrong(name_of(stand, highest), name_of(stand, highest) + ", but no " + name_of(stand, i) +
                                                    "; count from 0 without gaps");
    switch (stand) {
      case Stand::bridge: tree_.bridges = n; break;
      case Stand::pcie_switch: tree_.switches = n; break;
      case Stand::gpu: tree_.gpus = n; break;
      case Stand::nic: tree_.nics = n; break;
      case Stand::dma: tree_.dmas = n; break;
      case Stand::root: break;
    }
  }

  void wrong(const std::string& item, const std::string& what) {
    wrong_ = true;
    const auto own = system_.tree_at.find(item);
    const auto key = system_.keys_at.find("tree");
    const Location at = own != system_.tree_at.end()   ? own->second
                        : key != system_.keys_at.end() ? key->second
                                                       : system_.parts_at;
    mistakes_.push_back({at, "tree: " + what});
  }

  const SystemFile& system_;
  Mistakes& mistakes_;
  Tree tree_;
  bool wrong_ = false;
};

}  // namespace

Tree read_tree(const SystemFile& system, Mistakes& mistakes) { return Reader(system, mistakes).read(); }

std::string tree_text(const std::vector<Plug>& plugs) {
  std::string text;
  for (const Plug& plug : plugs)
    text += (text.empty() ? "" : ", ") + name_of(plug.stand, plug.number) + ": " + name_of(plug.under, plug.under_number);
  return text;
}

void read_flows(Scenario& scenario, const Location& at, Mistakes& mistakes) {
  const SystemSpec& system = scenario.system;
  scenario.routes.clear();
  std::istringstream text(scenario.flows);
  for (std::string item; std::getline(text, item, ',');) {
    item = trimmed(item);
    const std::size_t dash = item.find('-');
    const Name gpu = read_name(item.substr(0, dash)), nic = read_name(dash == item.npos ? "" : item.substr(dash + 1));
    const auto wrong = [&](const std::string& what) { mistakes.push_back({at, "flows: '" + item + "': " + what}); };
    if (!gpu.is(Stand::gpu) || !nic.is(Stand::nic))
      return wrong("not a GPU and a NIC; write it like 'gpu0-nic0'");
    const auto there = [](Count n, const char* what) {
      const std::string word(what);
      return n == 0 ? "no " + word : n == 1 ? word + "0" : word + "0 to " + word + std::to_string(n - 1);
    };
    if (gpu.number >= static_cast<std::size_t>(system.gpus))
      return wrong("a node of " + system.name + " has " + there(system.gpus, "gpu"));
    if (nic.number >= static_cast<std::size_t>(system.nics))
      return wrong("a node of " + system.name + " has " + there(system.nics, "nic"));
    for (const Flow& other : scenario.routes)
      if (other.gpu == gpu.number && other.nic == nic.number) return wrong("given twice; raise 'threads' and 'qps'");
    scenario.routes.push_back({gpu.number, nic.number});
  }
  if (scenario.routes.empty()) {
    mistakes.push_back({at, "flows: empty; write at least one GPU and NIC, as 'gpu0-nic0'"});
    scenario.routes = {{}};
  }
}

}  // namespace gicsim::schema::detail
