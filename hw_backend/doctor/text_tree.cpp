// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// lspci -tv: a drawing. A bus is a column; each '+' or '\' in it begins one of the bus's devices.
#include <cstring>
#include <map>

#include "hw_backend/doctor/saved.h"
#include "hw_backend/doctor/text.h"

namespace gicsim::hw::checkup {
namespace {

struct Bus {
  std::string domain, number, root, parent;  ///< parent: address of the bridge that leads here
};

PciFunction::Kind kind_of(const std::string& name) {
  if (holds(name, "Mellanox") || holds(name, "ConnectX") || holds(name, "15b3:")) return PciFunction::Kind::nic;
  return PciFunction::Kind::gpu;
}

bool relevant(const std::string& name) {
  const bool gpu = (holds(name, "NVIDIA") || holds(name, "10de:")) && !holds(name, "NVSwitch") &&
                   !holds(name, "Audio") && !holds(name, "bridge");
  return gpu || kind_of(name) == PciFunction::Kind::nic;
}

class Tree {
 public:
  explicit Tree(Evidence& e) : e_(e) {}

  /// False: the line isn't one of a tree.
  bool line(const std::string& text) {
    std::size_t at = text.find_first_not_of(" |");
    if (at == text.npos) return true;
    if (text[at] == '-') return root(text, at);
    if (text[at] != '+' && text[at] != '\\') return false;
    const auto bus = open_.find(at);
    if (bus == open_.end()) return false;
    const Bus here = bus->second;
    open_.erase(open_.upper_bound(at), open_.end());
    return at + 2 < text.size() && text[at + 1] == '-' && text[at + 2] == '[' ? root(text, at)
                                                                              : devices(text, at + 1, here);
  }

 private:
  /// "-+-[0000:15]-+-01.0-…" or "-[0000:00]-+-00.0": a host bridge.
  bool root(const std::string& text, std::size_t at) {
    const std::size_t open = text.find('[', at), close = text.find(']', at);
    if (open == text.npos || close == text.npos || close < open + 8) return false;
    if (text[at] == '-' && text[at + 1] == '+') open_[at + 1] = Bus{};  // further host bridges hang in this column
    const std::string id = text.substr(open + 1, close - open - 1);
    Bus bus{id.substr(0, id.find(':')), id.substr(id.find(':') + 1, 2), "", ""};
    bus.root = bus.domain + ":" + bus.number;
    return devices(text, close + 1, bus);
  }

  /// What hangs on a bus, from the dashes before its first device.
  bool devices(const std::string& text, std::size_t at, Bus bus) {
    while (at < text.size()) {
      while (at < text.size() && text[at] == '-') ++at;
      if (at < text.size() && text[at] == '+') {
        open_[at] = bus;
        ++at;
        continue;
      }
      if (at + 4 > text.size() || text[at + 2] != '.') return at >= text.size();
      PciFunction f;
      f.address = bus.domain + ":" + bus.number + ":" + text.substr(at, 4);
      f.parent = bus.parent;
      f.root_bus = bus.root;
      at += 4;
      if (at < text.size() && text[at] == '-') {  // "-[16-19]-": a bridge
        const std::size_t open = text.find('[', at), close = text.find(']', at);
        if (open == text.npos || close == text.npos) return false;
        add(f);
        bus = Bus{bus.domain, text.substr(open + 1, 2), bus.root, f.address};
        at = close + 1;
        continue;
      }
      const std::string name = trimmed(text.substr(at));
      if (!relevant(name)) return true;
      f.kind = kind_of(name);
      add(f);
      return true;
    }
    return true;
  }

  void add(PciFunction f) {
    for (PciFunction& known : e_.functions)
      if (known.address == f.address) {  // lspci -vvv knows more, but may have been asked for one device only
        if (known.parent.empty()) known.parent = f.parent;
        known.root_bus = f.root_bus;
        return;
      }
    if (f.kind == PciFunction::Kind::gpu) e_.gpu(f.address);
    const std::string why = "only a tree was saved, not 'sudo lspci -vvv'";
    f.acs = Known<unsigned>::unknown(why);
    f.link = Known<Link>::unknown(why);
    f.control = Known<DeviceControl>::unknown(why);
    f.errors = Known<Counts>::unknown(why);
    f.iommu = Known<std::string>::unknown(why);
    e_.functions.push_back(std::move(f));
  }

  Evidence& e_;
  std::map<std::size_t, Bus> open_;  ///< by column
};

}  // namespace

std::string read_lspci_tree(const Lines& lines, Evidence& e) {
  Tree tree(e);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!tree.line(lines[i]))
      return lines.at(i,
                      "no line of 'lspci -tv': the drawing's columns must be as printed; the text before it is used");
  return {};
}

}  // namespace gicsim::hw::checkup
