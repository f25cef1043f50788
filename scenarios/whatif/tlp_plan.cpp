// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/tlp_plan.h"

#include <algorithm>
#include <charconv>

#include "scenarios/system/node.h"
#include "scenarios/whatif/placement.h"

namespace gicsim::whatif {
namespace {

using system::AddressMap;

constexpr Address window = Address{1} << 38;  ///< of a foreign address that is kept

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (wrong != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "node0.gpu1"
std::optional<TlpDevice> device_of(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (!text.starts_with("node") || dot == text.npos) return std::nullopt;
  const auto node = number_in(text.substr(4, dot - 4));
  const std::string_view who = text.substr(dot + 1);
  if (!node || *node >= 1 << 16) return std::nullopt;
  const bool numbered = who.size() > 3 && number_in(who.substr(3)) &&
                        (who.starts_with("gpu") || who.starts_with("nic") || who.starts_with("dma"));
  if (who != "host" && !numbered) return std::nullopt;
  return TlpDevice{*node, std::string(who)};
}

/// Of a link as this program calls it.
std::optional<std::size_t> node_of(std::string_view link) {
  const std::size_t dot = link.find('.');
  if (!link.starts_with("node") || dot == link.npos) return std::nullopt;
  return number_in(link.substr(4, dot - 4));
}

std::optional<TlpDevice> below(std::string_view link) {
  for (const std::string_view end : {"_pcie", "_c2c"})
    if (link.ends_with(end)) return device_of(link.substr(0, link.size() - end.size()));
  return std::nullopt;
}

std::string numbered(const char* what, std::size_t i) { return what + std::to_string(i); }

}  // namespace

std::string name_of(const TlpDevice& device) { return "node" + std::to_string(device.node) + "." + device.who; }

TlpPlan::TlpPlan(tlp::Requests& trace, const ReplayRequest& request, const std::string& root) {
  build(request, root, 1);
  std::map<TlpDevice, std::string> targets;  // and a request for each
  std::size_t nodes = 1;
  tlp::Request one;
  for (std::uint64_t since = 0; trace.next(one); ++since) {
    if (request.progress && since % 65536 == 0) request.progress("reading", trace.source().progress());
    const std::string& link = one.record.link;
    if (!node_of(link)) continue;
    if (const auto target = by_address(link, one.record); target)
      targets.try_emplace(target->device, "a request on " + link);
  }
  read_map(request.map, trace);
  names_ = trace.links();
  for (const std::string& name : names_) {
    const auto mapped = map_.find(name);
    ours_.push_back(node_of(name).has_value());
    below_.push_back(mapped != map_.end() ? std::optional(mapped->second) : whatif::below(name));
    if (below_.back())
      nodes = std::max(nodes, below_.back()->node + 1);
    else if (const auto node = node_of(name))
      nodes = std::max(nodes, *node + 1);
  }
  if (nodes > scenario_.system.nodes.size()) build(request, root, nodes);
  choose(trace);
  for (const auto& [device, why] : targets)
    if (device.who != "host" && !map_.contains(name_of(device) + "_pcie")) check(device, why + " is for it");
}

/// @param nodes  at least so many
void TlpPlan::build(const ReplayRequest& request, const std::string& root, std::size_t nodes) {
  std::vector<schema::Override> set = request.set;
  std::string name = "h200_cx7_ib";
  for (const schema::Override& one : request.set)
    if (one.key == "system") name = one.value;
  std::erase_if(set, [](const schema::Override& one) { return one.key == "system"; });
  if (nodes > 1) {
    if (std::any_of(set.begin(), set.end(), [](const auto& one) { return one.key == "system.nodes"; }))
      throw ConfigError(Location{"--set system.nodes"}, "the trace's links are of " + std::to_string(nodes) + " nodes");
    set.push_back({"system.nodes", std::to_string(nodes), "trace"});
  }
  scenario_ = schema::load_system(name, set, root);
  scenario_.name = request.files.front();
}

void TlpPlan::read_map(const std::string& map, const tlp::Requests& trace) {
  for (const MapEntry& entry : map_entries(map, "write 'LINK=node0.nic0', with commas between several")) {
    const auto device = device_of(entry.to);
    if (!device) throw ConfigError(entry.at, "'" + entry.to + "' is no device; write 'node0.gpu0', nic, dma or host");
    const std::vector<std::string>& links = trace.links();
    if (std::find(links.begin(), links.end(), entry.from) == links.end()) {
      std::string known;
      for (const std::string& link : links) known += (known.empty() ? "" : ", ") + link;
      throw ConfigError(entry.at, "'" + entry.from + "' is no link of the trace; it has " + known);
    }
    map_[entry.from] = *device;
  }
}

void TlpPlan::check(const TlpDevice& device, const std::string& why) const {
  const schema::SystemSpec& system = scenario_.system;
  const std::string kind = device.who.substr(0, 3);
  const Count there = kind == "gpu" ? system.gpus : kind == "nic" ? system.nics : kind == "dma" ? system.dmas : 1;
  if (device.node < system.nodes.size() && (device.who == "host" || number(device) < static_cast<std::size_t>(there)))
    return;
  throw ConfigError(Location{"--system"}, system.name + " has no " + name_of(device) + ", but " + why +
                                              "; another system, or '--map LINK=DEVICE' for that link");
}

std::size_t TlpPlan::number(const TlpDevice& device) const {
  return device.who == "host" ? 0 : number_in(std::string_view(device.who).substr(3)).value_or(0);
}

/// Who asks, of each entry, and what each link is on the machine.
void TlpPlan::choose(const tlp::Requests& trace) {
  const schema::SystemSpec& system = scenario_.system;
  std::size_t nameless = 0;
  for (std::size_t link = 0; link < names_.size(); ++link) nameless += !below_[link] && !ours_[link];
  for (std::size_t link = 0; link < names_.size(); ++link) {
    if (below_[link] || ours_[link]) continue;
    if (nameless > 1) {
      std::string all;
      for (const std::string& name : names_) all += (all.empty() ? "" : ",") + name + "=node0.nic0";
      throw ConfigError(Location{"--map"}, "the trace has several links; say what is below each, as '" + all + "'");
    }
    below_[link] = {0, system.dmas > 0 ? "dma0" : system.nics > 0 ? "nic0" : "gpu0"};
    notes_.push_back("link " + names_[link] + " is taken to lead to " + name_of(*below_[link]) +
                     "; --map says otherwise");
  }
  for (std::size_t link = 0; link < names_.size(); ++link) {
    if (below_[link]) check(*below_[link], "link " + names_[link] + " leads to it");
    links_.push_back(map_.contains(names_[link]) || !ours_[link] ? name_of(*below_[link]) + "_pcie" : names_[link]);
  }
  if (std::find(ours_.begin(), ours_.end(), false) != ours_.end())
    notes_.push_back(
        "its addresses are another machine's: what goes up goes to host memory, what goes down to the device");
  for (const tlp::Entry& entry : trace.entries()) {
    const std::string& name = names_[entry.link];
    const bool up = entry.direction == tlp::Direction::up;
    if (up && !below_[entry.link])
      throw ConfigError(
          Location{"--map"},
          "requests go up " + name + " first, and no device is known below it; write '" + name + "=node0.nic0'");
    const std::size_t node = below_[entry.link] ? below_[entry.link]->node : node_of(name).value_or(0);
    seats_.push_back(up ? *below_[entry.link] : TlpDevice{node, "host"});
  }
}

/// By this program's map of a node.
std::optional<TlpPlan::Target> TlpPlan::by_address(const std::string& link, const tlp::Record& record) const {
  const auto node = node_of(link);
  if (!node) return std::nullopt;
  const Address at = record.address;
  const auto within = [at](Address base, Address size) { return at >= base && at - base < size; };
  if (at < AddressMap::window) return Target{{*node, "host"}, at};
  if (at < AddressMap::gpu(16))
    return Target{{*node, numbered("gpu", at / AddressMap::window - 1)}, at % AddressMap::window};
  if (within(AddressMap::nic(0), 64 * (Address{1} << 32)))
    return Target{{*node, numbered("nic", (at - AddressMap::nic(0)) >> 32)}, at & 0xffff'ffff};
  if (within(AddressMap::dma(0), 16 * (Address{1} << 32)))
    return Target{{*node, numbered("dma", (at - AddressMap::dma(0)) >> 32)}, at & 0xffff'ffff};
  return Target{{*node, "host"}, at};  // of another socket
}

Address TlpPlan::base(const TlpDevice& device) const {
  const std::size_t n = number(device);
  return device.who == "host"            ? AddressMap::dram
         : device.who.starts_with("gpu") ? AddressMap::gpu(n)
         : device.who.starts_with("nic") ? AddressMap::nic(n)
                                         : AddressMap::dma(n);
}

Address TlpPlan::target(const tlp::Request& request) const {
  const std::string& link = request.record.link;
  const TlpDevice& seat = seats_[request.entry];
  Target target{{seat.node, "host"}, request.record.address % window};
  if (const auto ours = by_address(link, request.record)) {
    target = *ours;
    if (const auto mapped = map_.find(name_of(target.device) + "_pcie"); mapped != map_.end())
      target.device.who = mapped->second.who;
  } else if (seat.who == "host") {
    const auto at = std::find(names_.begin(), names_.end(), link) - names_.begin();
    target.device = *below_[static_cast<std::size_t>(at)];
  }
  // A NIC's registers would ring: what reaches its doorbell page without a queue's number takes the same way and
  // doesn't.
  if (target.device.who.starts_with("nic")) target.offset = 0x800;
  if (target.device.who == "host" && scenario_.system.nodes[seat.node].host.doorbell_gate)
    target.offset |= Address{1} << 36;
  const Address at = base(target.device) + target.offset;
  return request.record.kind == TlpKind::atomic ? at / 8 * 8 : at;
}

}  // namespace gicsim::whatif
