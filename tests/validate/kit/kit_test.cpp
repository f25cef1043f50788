// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/kit/kit.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "models/base/errors.h"
#include "tests/support/files.h"
#include "traces/result/read.h"

namespace gicsim::kit {
namespace {

TEST_CASE("kit: each point is asked of the system; what it can't run is in the README, not in the predictions") {
  std::size_t asked = 0;
  const auto simulate = [&](const compare::ScenarioRequest& request) {
    ++asked;
    CHECK(request.key("system") == "mine");
    if (request.key("pattern") != "fence") throw ConfigError({"t", 1, 1}, "path: this machine has no NIC");
    report::Finished f;
    Record r;
    r.pattern = Pattern::fence;
    r.path = Path::none;
    r.quantity = Quantity::latency;
    r.value = 129;
    f.results = {r};
    return f;
  };
  const std::vector<Point> points = predict(source_root(), "mine", simulate);
  CHECK(points.size() == asked);
  const Folder folder;
  const std::string out = folder.write("x", "") + ".kit";
  write(points, "mine", out);
  std::istringstream lines(contents(out + "/predictions.jsonl"));
  CHECK(read_records(lines, "p").size() == 2 * 2 * 4 * 2);  // scopes, semantics, stores, memories
  CHECK(contents(out + "/README.md").find("pattern=put") != std::string::npos);
  CHECK(contents(out + "/fill").find("hw run --kit") != std::string::npos);
  std::filesystem::remove_all(out);
}

}  // namespace
}  // namespace gicsim::kit
