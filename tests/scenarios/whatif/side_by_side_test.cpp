// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/side_by_side.h"

#include <nlohmann/json.hpp>

#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

using report::Crossover;

/// `second` is better from `flip` on, and worse again from `back` on.
Crossover found(Bytes flip, Bytes back = Bytes(INT64_MAX), int* asked = nullptr) {
  return whatif::crossover(Path::gpu_direct, Path::cpu_proxy, 8_B, 64_MiB, [=](Bytes at) -> std::optional<int> {
    if (asked) ++*asked;
    return at >= flip && at < back ? 1 : -1;
  });
}

TEST_CASE("crossover: each flip is found to neighbouring powers of two") {
  for (Bytes at = 16_B; at <= 64_MiB; at = at * 2) {
    int asked = 0;
    const Crossover c = found(at, Bytes(INT64_MAX), &asked);
    REQUIRE(c.flips.size() == 1);
    CHECK(c.flips[0].up_to == Bytes(at.count() / 2));
    CHECK(c.flips[0].from == at);
    CHECK(c.flips[0].before == Path::gpu_direct);
    CHECK(c.flips[0].after == Path::cpu_proxy);
    CHECK(asked <= 11);
  }
  const Crossover twice = found(256_B, 1_MiB);
  REQUIRE(twice.flips.size() == 2);
  CHECK(twice.flips[1].up_to == 512_KiB);
  CHECK(twice.flips[1].after == Path::gpu_direct);
}

TEST_CASE("crossover: none says who is ahead, equal sizes say nothing, unknown ones are left out") {
  const Crossover first = found(Bytes(INT64_MAX));
  CHECK(first.flips.empty());
  CHECK(first.ahead == Path::gpu_direct);
  CHECK(found(8_B).ahead == Path::cpu_proxy);
  const auto ask = [](auto order) { return whatif::crossover(Path::gpu_direct, Path::cpu_proxy, 8_B, 64_MiB, order); };
  CHECK_FALSE(ask([](Bytes) { return std::optional<int>(0); }).ahead);
  const Crossover wide = ask([](Bytes at) { return std::optional<int>(at < 1_KiB ? -1 : at < 16_KiB ? 0 : 1); });
  REQUIRE(wide.flips.size() == 1);
  CHECK(wide.flips[0].up_to <= 512_B);
  CHECK(wide.flips[0].from >= 16_KiB);
  const Crossover one = ask([](Bytes at) { return at == 8_B ? std::optional<int>(1) : std::nullopt; });
  CHECK_FALSE(one.why_not.empty());
}

TEST_CASE("paths: all of the enum, or some by name") {
  CHECK(whatif::paths_from("all").size() + 1 == names_of(Path{}).size());  // `none` submits nothing
  CHECK(whatif::paths_from("cpu_proxy,gpu_direct") == std::vector<Path>{Path::cpu_proxy, Path::gpu_direct});
  const auto wrong = [](const char* names) { return mistakes_of([&] { whatif::paths_from(names); }); };
  CHECK(holds(wrong("gpu_drect"), "did you mean 'gpu_direct'?"));
  CHECK(holds(wrong("gpu_direct,"), "'' is none of all, gpu_direct"));
  CHECK(holds(wrong("gpu_direct,gpu_direct"), "given twice"));
}

report::SideBySide both(const std::string& name, const Sets& sets) {
  return whatif::side_by_side(name, sets, {Path::gpu_direct, Path::cpu_proxy}, source_root());
}

TEST_CASE("side by side: a row is what a run on that path gives, and only a proxy's core works") {
  const report::SideBySide table = both("put_8B", {{"iterations", "20"}});
  REQUIRE(table.paths.size() == 2);
  for (const report::PathRun& row : table.paths) {
    REQUIRE(row.run);
    const report::Finished alone = simulate(schema::load_scenario(
        "put_8B", {{"iterations", "20"}, {"path", std::string(to_name(row.path))}}, source_root()));
    CHECK(value(*row.run, Quantity::put_completion) == value(alone, Quantity::put_completion));
    REQUIRE(report::cpu_share(*row.run));
    CHECK((*report::cpu_share(*row.run) > 0) == (row.path == Path::cpu_proxy));
    CHECK(*report::cpu_share(*row.run) < 1);
  }
  CHECK(table.warnings.empty());  // of ordering and queues, which a proxy doesn't know
  REQUIRE(table.crossovers.size() == 1);
  const auto json = nlohmann::json::parse(report::json(table));
  CHECK(json.at("schema") == "gicsim.paths/1");
  CHECK(json.at("rows").size() == 2);
  CHECK(json.at("crossovers")[0].at("paths") == nlohmann::json{"gpu_direct", "cpu_proxy"});
  CHECK(holds(report::text(table), "\n  cpu_proxy "));
  CHECK(report::text(both("put_8B", {{"iterations", "20"}})) == report::text(table));
}

TEST_CASE("side by side: a payload that the file wants inline is read by a path that can't, and that is said") {
  const Folder folder;
  const std::string file = folder.write(
      "s.yaml", "system: h200_cx7_ib\npattern: put\npath: gpu_direct\niterations: 5\nbytes: 64 B\npayload: inline\n");
  const report::SideBySide table = both(file, {});
  CHECK(table.paths[0].note.empty());
  REQUIRE(table.paths[1].run);
  CHECK(holds(report::text(table), "  cpu_proxy: the payload is read"));
  // Who insists gets the reason instead.
  CHECK(holds(both(file, {{"payload", "inline"}}).paths[1].why_not, "a request to a proxy carries"));
}

/// What the crossovers say holds when one looks at both sides of each.
TEST_CASE("side by side: runs at both sides of a flip confirm it") {
  const report::SideBySide table = both("put_8B", {{"iterations", "20"}});
  const auto at = [](Path path, Bytes bytes) {
    const Sets sets{{"iterations", "20"},
                    {"path", std::string(to_name(path))},
                    {"bytes", std::to_string(bytes.count()) + " B"}};
    return value(simulate(scenario(sets)), Quantity::put_completion);
  };
  REQUIRE_FALSE(table.crossovers[0].flips.empty());
  for (const Crossover::Flip& flip : table.crossovers[0].flips) {
    CHECK(at(flip.before, flip.up_to) < at(flip.after, flip.up_to));
    CHECK(at(flip.after, flip.from) < at(flip.before, flip.from));
  }
}

TEST_CASE("side by side: a path that can't express the scenario is listed with its reason") {
  const report::SideBySide table =
      both("put_8B", {{"iterations", "20"}, {"threads", "4"}, {"qps", "8"}});
  CHECK(table.paths[0].run);
  CHECK_FALSE(table.paths[1].run);
  CHECK(holds(table.paths[1].why_not, "a ring at most one"));
  CHECK(table.crossovers.empty());
  CHECK(holds(report::text(table), "  not cpu_proxy: qps: 8"));
  CHECK(nlohmann::json::parse(report::json(table)).at("not_expressed")[0].at("path") == "cpu_proxy");
  CHECK(holds(mistakes_of([] { both("put_8B", {{"byts", "8 B"}}); }), "did you mean 'bytes'?"));
  CHECK(holds(mistakes_of([] { both("put_8B", {{"threads", "4"}, {"sms", "3"}}); }), "spread evenly"));
}

}  // namespace
}  // namespace gicsim
