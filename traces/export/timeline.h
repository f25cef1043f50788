// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/export/exporter.h"
#include "traces/export/trace_events.h"

namespace gicsim::exports {

/// A run as Perfetto shows it: a process a node and one for the fabric; tracks for threads, rings, PCIe directions, NIC
/// engines, cables and congestion; each message's stages, as its ledgers have them, with arrows from one to the next;
/// counters of what is sampled. docs/export.md says what stands where.
class Timeline final : public Exporter {
 public:
  explicit Timeline(const Options& options) : options_(options) {}
  void listen(const Probes& probes) override;
  Picoseconds interval() const override;
  void sample(const Sample& sample) override;
  void finish(const Outcome& outcome) override;
  Files files() override { return {{"timeline.json", std::move(text_)}}; }
  std::vector<LeftOut> left_out() const override;

 private:
  struct Level {
    std::int64_t value = 0;  ///< newest
    std::string shown{};     ///< what the newest event says
    bool moved = false;      ///< it has an event
    std::int64_t ahead = 0;  ///< of a busy time: counted already, but not over
  };
  using Track = TraceEvents::Track;
  void on_message(const MessageEnded& ended);
  void stages(TraceEvents::Unit& unit, const MessageEnded& ended, const Ledger& ledger, std::size_t from,
              std::size_t shared, std::string_view branch);
  void ring(TraceEvents::Unit& unit, const MessageEnded& ended);
  void on_tlp(const TlpSent& sent);
  void on_packet(const PacketSent& sent);
  void on_port(const PortEvent& event);
  Track track_of(const Ledger::Entry& entry, const MessageEnded& ended);

  Options options_;
  TraceEvents events_{Options::standard_limit};
  Machine machine_;
  std::vector<Gauge> gauges_;
  std::vector<Level> levels_;
  Picoseconds sampled_{};
  std::uint64_t messages_ = 0;
  std::string text_;
};

}  // namespace gicsim::exports
