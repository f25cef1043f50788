// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/levels.h"

#include <utility>

#include "scenarios/system/system.h"

namespace gicsim::system {
namespace {

/// Adds what is read of one module.
class Adder {
 public:
  Adder(Levels& levels, std::string module) : levels_(levels), module_(std::move(module)) {}
  template <class Read>
  void operator()(const char* what, const char* unit, Read read) {
    levels_.push_back({module_, what, unit, [read] { return static_cast<std::int64_t>(read()); }});
  }

 private:
  Levels& levels_;
  std::string module_;
};

void add_credits(Levels& levels, const pcie::Link& link) {
  Adder add(levels, link.name());
  add("queued", "", [&link] { return link.queued(); });
  const std::pair<Flow, const char*> flows[] = {
      {Flow::posted, "posted"}, {Flow::non_posted, "non_posted"}, {Flow::completion, "completion"}};
  for (const auto& [flow, name] : flows) {
    const pcie::FlowCredits& credits = link.credits(flow);
    if (!credits.finite()) continue;
    add((std::string(name) + "_headers").c_str(), "", [&credits] { return credits.headers_out(); });
    add((std::string(name) + "_data").c_str(), "", [&credits] { return credits.data_out(); });
  }
}

void add_queue_pairs(Levels& levels, const nic::Nic& nic) {
  for (std::uint32_t n = 1; n <= nic.queue_pairs(); ++n) {
    Adder add(levels, std::string(nic.name()) + ".qp" + std::to_string(n));
    add("rung", "", [&nic, n] { return nic.rung(n); });
    add("fetched", "", [&nic, n] { return nic.fetched(n); });
    add("completed", "", [&nic, n] { return nic.completed(n); });
    if (nic.met(n).rate) add("rate", "bit/s", [&nic, n] { return nic.met(n).rate->bits_per_second(); });
  }
}

/// As nvidia-smi has it: while threads issue or poll, a kernel runs; its memory is busy with what other devices do to
/// it.
void add_engines(Levels& levels, const gpu::Gpu& gpu) {
  Adder add(levels, gpu.name());
  add("kernel", "ps", [&gpu] {
    const gpu::GpuStats& s = gpu.stats();
    return s.threads > 0 ? (s.issue_busy + s.waiting).count() / s.threads : 0;
  });
  add("memory", "ps", [&gpu] {
    const gpu::GpuStats& s = gpu.stats();
    return ((s.dma_written + s.dma_read) / gpu.params().memory_rate).count();
  });
}

}  // namespace

void Node::levels(Levels& levels) const {
  for (const GpuSet& one : gpus_) add_engines(levels, *one.gpu);
  for (const Plug& plug : plugs_)
    Adder(levels, plug.port->name())("tags", "", [port = plug.port] { return port->tags_in_use(); });
  for (const auto& link : links_) add_credits(levels, *link);
  for (const NicSet& one : nics_) add_queue_pairs(levels, *one.nic);
}

Levels System::levels() const {
  Levels all;
  for (const auto& node : nodes_) node->levels(all);
  for (const auto& wire : wires_) {
    Adder add(all, wire->name());
    add("waiting", "", [&wire = *wire] { return wire.waiting(); });
    add("paused", "bool", [&wire = *wire] { return wire.stopped(); });
  }
  for (const auto& at : switches_)
    if (!at->ends().empty()) Adder(all, at->name())("held", "B", [&at = *at] { return at.held().count(); });
  for (const auto& end : ends_) {
    Adder add(all, end->name());
    add("queued", "B", [&end = *end] { return end.queued().count(); });
    add("paused", "bool", [&end = *end] {
      for (int priority = 0; priority < static_cast<int>(link::priorities); ++priority)
        if (end.blocked(priority)) return true;
      return false;
    });
  }
  return all;
}

}  // namespace gicsim::system
