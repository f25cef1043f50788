// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/kit/kit.h"

#include <filesystem>

#include "models/base/errors.h"
#include "scenarios/report/out_dir.h"
#include "traces/text/node.h"

namespace gicsim::kit {
namespace {

namespace fs = std::filesystem;

std::vector<reference::ScenarioRequest> requests(const std::string& root, const std::string& system) {
  const text::Node list = text::load(root + "/validate/kit/points.yaml");
  std::vector<reference::ScenarioRequest> all;
  for (const text::Node& item : list.items) {
    std::vector<reference::ScenarioRequest> some(1);
    for (const text::Member& member : item.members) {
      std::vector<reference::ScenarioRequest> more;
      const std::vector<text::Node> one{member.value};
      for (const text::Node& value : member.value.items.empty() ? one : member.value.items)
        for (reference::ScenarioRequest request : some) {
          request.keys[member.key] = value.value;
          more.push_back(std::move(request));
        }
      some = std::move(more);
    }
    for (reference::ScenarioRequest& request : some) {
      request.keys["system"] = system;
      all.push_back(std::move(request));
    }
  }
  return all;
}

}  // namespace

std::vector<Point> predict(const std::string& root, const std::string& system, const compare::Simulate& simulate) {
  std::vector<Point> points;
  for (const reference::ScenarioRequest& request : requests(root, system)) {
    Point point;
    for (const auto& [key, value] : request.keys)
      if (key != "system") point.label += (point.label.empty() ? "" : " ") + key + "=" + value;
    try {
      const report::Finished finished = simulate(request);
      if (finished.status == Status::done) point.records = finished.results;
      else point.why = "the run ended " + std::string(to_name(finished.status));
    } catch (const ConfigError& error) {
      if (error.mistakes().front().what.starts_with("system: no")) throw;
      point.why = error.mistakes().front().what;
    }
    points.push_back(std::move(point));
  }
  return points;
}

void write(const std::vector<Point>& points, const std::string& system, const std::string& folder) {
  std::string lines, without;
  std::size_t count = 0;
  for (const Point& point : points) {
    for (const Record& record : point.records) lines += to_json_line(record) + "\n", ++count;
    if (point.records.empty()) without += "- `" + point.label + "`: " + point.why + "\n";
  }
  const std::string fill =
             "#!/bin/sh\n"
             "# Measures on this machine what predictions.jsonl predicts, and prints both side by side. GICSIM: gicsim's folder.\n"
             "# Two machines: './fill --listen 18515' on one, './fill --connect HOST:18515' on the other.\n"
             "here=$(dirname -- \"$0\")\n"
             "exec \"${GICSIM:-.}/gicsim\" hw run --kit \"$here/predictions.jsonl\" --system " + system +
                 " -o \"$here/measured.jsonl\" --samples \"$here/samples.jsonl\" \"$@\"\n";
  const std::string readme =
             "# What gicsim predicts for " + system + "\n\n" + std::to_string(count) +
                 " figures in `predictions.jsonl`, written before anybody measured. On that machine, from gicsim's folder:\n\n"
                 "    PATH_TO_THIS_FOLDER/fill\n\n"
                 "It builds gicsim-hw, runs every experiment that the machine allows, writes `measured.jsonl` and prints the table.\n"
                 "Two machines: `fill --listen 18515` on one, `fill --connect HOST:18515` on the other.\n"
                 "To hold the model against the result later: `gicsim compare --records measured.jsonl`.\n" +
                 (without.empty() ? "" : "\nNot predicted:\n\n" + without);
  report::OutDir(folder).write({{"predictions.jsonl", lines}, {"fill", fill}, {"README.md", readme}});
  std::error_code failed;
  fs::permissions(folder + "/fill", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, failed);
  if (failed) throw HardwareError(folder + "/fill: can't be made executable: " + failed.message());
}

}  // namespace gicsim::kit
