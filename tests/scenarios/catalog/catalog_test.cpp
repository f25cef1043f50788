// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/catalog/catalog.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "scenarios/schema/load.h"
#include "tests/support/files.h"
#include "traces/result/names.h"

namespace gicsim::catalog {
namespace {

TEST_CASE("catalog: list names what there is, with its sentence") {
  const std::string text = list(source_root());
  CHECK(holds(text, "scenarios (scenarios/runs)"));
  CHECK(holds(text, "h200_cx7_ib"));
  CHECK(holds(text, "one 8-byte put between two H200s"));
  CHECK(holds(text, "nvshmem_hopper"));
  CHECK(list("/nowhere") == "");
}

TEST_CASE("catalog: params of kinds, of a system, of one instance") {
  const std::string root = source_root();
  CHECK(holds(params(root, {}), "nic.decode"));
  CHECK(holds(params(root, {"nic"}), "nic.decode"));
  CHECK_FALSE(holds(params(root, {"nic"}), "gpu.clock"));
  CHECK(holds(params(root, {"gpu.clock"}), "by part"));
  const std::string system = params(root, {"h200_cx7_ib"});
  CHECK(holds(system, "gpu.fence_system "));
  CHECK(holds(system, "distance of gpu0 in node0: nic0 PIX, nic1 PHB"));
  CHECK(holds(params(root, {"h200nvl_cx7_loopback"}), "distance of gpu0 in node0: nic0 SYS\n"));
  CHECK(holds(system, "configs/systems/h200_cx7_ib.yaml:"));
  CHECK(holds(params(root, {"put_8B", "node1.nic0"}), "node1.nic0.decode"));
  CHECK(holds(params(root, {"h200_cx7_ib", "pcie"}), "pcie.lanes"));
  CHECK(holds(mistakes_of([&] { params(root, {"nic.decod"}); }), "did you mean 'nic.decode'?"));
  CHECK(holds(mistakes_of([&] { params(root, {"h200_cx7_ib", "zzz"}); }), "params zzz: no system"));
}

TEST_CASE("catalog: new writes a scenario that loads as it stands") {
  for (std::size_t i = 0; i < simulated_patterns; ++i) {
    const std::string_view pattern = to_name(static_cast<Pattern>(i));
    Folder folder;
    const std::string text = new_scenario(std::string(pattern));
    CHECK(holds(text, "# ordering: gpu_fence"));
    const std::string file = folder.write("mine.yaml", text);
    schema::Scenario scenario;
    CHECK(mistakes_of([&] { scenario = schema::load_scenario(file, {}, source_root()); }) == "");
    CHECK(to_name(scenario.pattern) == pattern);
    std::string all = text;  // what is commented out is right, too
    for (std::size_t at = 0; (at = all.find("\n# ", at)) != all.npos;) {
      const std::size_t colon = all.find_first_of(": \n", at + 3);
      if (all.compare(colon, 2, ": ") == 0 && all[at + 3] >= 'a' &&
          all.substr(at + 3, colon - at - 3).find_first_not_of("abcdefghijklmnopqrstuvwxyz") ==
              all.npos &&
          all.find(' ', colon + 2) > all.find('\n', colon))
        all.erase(at + 1, 2);
      at += 1;
    }
    CHECK(mistakes_of([&] {
            schema::load_scenario(folder.write("all.yaml", all), {}, source_root());
          }) == "");
  }
  CHECK(holds(mistakes_of([] { new_scenario("putt"); }), "did you mean 'put'?"));
}

TEST_CASE("catalog: the reference and the JSON Schema are as generated") {
  // To write them anew: GICSIM_UPDATE=1 and this test.
  const std::string docs = source_root() + "/docs/";
  if (std::getenv("GICSIM_UPDATE")) {
    std::ofstream(docs + "parameters.md") << parameter_reference();
    std::ofstream(docs + "scenario.schema.json") << scenario_json_schema();
  }
  CHECK(contents(docs + "parameters.md") == parameter_reference());
  CHECK(contents(docs + "scenario.schema.json") == scenario_json_schema());
  const auto schema = nlohmann::json::parse(scenario_json_schema());
  CHECK(schema["properties"]["bytes"]["pattern"] == "^[0-9][0-9_]*(\\.[0-9]+)? *(B|KiB|MiB|GiB)$");
  CHECK(schema["properties"]["threads"]["maximum"] == 270336);
  CHECK(schema["required"] == nlohmann::json({"system", "pattern", "path"}));
}

}  // namespace
}  // namespace gicsim::catalog
