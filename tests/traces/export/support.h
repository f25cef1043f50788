// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/errors.h"
#include "scenarios/schema/load.h"
#include "scenarios/whatif/run.h"
#include "tests/support/files.h"
#include "traces/export/registry.h"

namespace gicsim::exports {

/// Keeps what a run announced.
class Recorder final : public Exporter {
 public:
  struct Ended {
    std::string verb, poster, peer, queue_pair;
    Bytes bytes;
    Picoseconds begun;
    bool measured;
    Ledger completion, delivery;
  };
  struct Sent {
    Tlp tlp;
    std::string link, stage;
    Picoseconds begin, end;
    std::optional<AtomicOp> op{};
  };
  void listen(const Probes& probes) override {
    messages.clear(), sent.clear(), tlps = packets = 0;
    probes.messages.listen([this](const MessageEnded& e) {
      messages.push_back({std::string(e.verb), std::string(e.poster), std::string(e.peer), e.queue_pair, e.bytes,
                          e.message.begun, e.measured, e.completion ? *e.completion : Ledger{},
                          e.delivery ? *e.delivery : Ledger{}});
    });
    probes.tlps.listen([this](const TlpSent& s) {
      ++tlps;
      sent.push_back({s.tlp, std::string(s.link), s.tlp.transfer ? std::string(name_of(s.tlp.transfer->stage)) : "",
                      s.begin, s.end});
      if (s.tlp.kind == TlpKind::atomic && s.tlp.transfer) sent.back().op = s.tlp.transfer->op;
    });
    probes.packets.listen([this](const PacketSent&) { ++packets; });
  }
  void finish(const Outcome& outcome) override { status = outcome.status; }
  Files files() override { return {}; }

  std::vector<Ended> messages;
  std::vector<Sent> sent;
  Count tlps = 0, packets = 0;
  std::string status;
};

/// What a run exported, and what it announced.
struct Exported {
  Files files;
  std::vector<LeftOut> left_out;
  Recorder heard;
  const std::string& file(std::string_view name) const {
    for (const auto& [file, content] : files)
      if (file == name) return content;
    throw std::runtime_error("no such file: " + std::string(name));
  }
};

/// Runs a few rounds of a scenario, with what differs from an 8-byte put.
inline Exported exported(std::string_view names, const std::string& differs = "", const Options& options = {},
                         const std::string& system = "h200_cx7_ib") {
  const Folder folder;
  const std::string text =
      "system: " + system + "\n" + (differs.find("pattern:") == std::string::npos ? "pattern: put\n" : "") +
      (differs.find("path:") == std::string::npos ? "path: gpu_direct\n" : "") +
      (differs.find("iterations:") == std::string::npos ? "iterations: 5\nwarmup: 2\n" : "") + differs;
  const schema::Scenario scenario = schema::load_scenario(folder.write("t.yaml", text), {}, source_root());
  Exported all;
  const auto exporters = make_exporters(names, options);
  whatif::Exporters heard{&all.heard};
  for (const auto& exporter : exporters) heard.push_back(exporter.get());
  try {
    whatif::run_scenario(scenario, {.gain = false, .exporters = heard});
  } catch (const ModelError&) {  // it broke off
  }
  for (const auto& exporter : exporters) {
    for (auto& file : exporter->files()) all.files.push_back(std::move(file));
    for (auto& one : exporter->left_out()) all.left_out.push_back(std::move(one));
  }
  return all;
}

}  // namespace gicsim::exports
