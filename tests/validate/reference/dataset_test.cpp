// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/dataset.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace gicsim;
using namespace gicsim::reference;

namespace {

/// A file that goes when the test ends.
struct Scratch {
  explicit Scratch(const std::string& text) {
    path = (std::filesystem::temp_directory_path() /
            ("gicsim_dataset_" + std::to_string(rand()) + ".yaml"))
               .string();
    std::ofstream(path) << text;
  }
  ~Scratch() { std::filesystem::remove(path); }
  std::string path;
};

}  // namespace

TEST_CASE("datasets: the published tables are read, with their uses") {
  const auto sets = load_datasets(source_root() + "/validate/reference/measurements.yaml");
  CHECK(sets.size() == 94);

  const Dataset* table3 = find(sets, "paper2610_t3_latency");
  REQUIRE(table3);
  CHECK(table3->unit == "us");
  CHECK(table3->rows.size() == 11);
  CHECK(table3->rows[0][*table3->column("put+completion_P-IB")].number == 4.03);
  CHECK_FALSE(table3->rows[1][*table3->column("rtt_P-IB")].number);
  CHECK(table3->uses() == std::vector{Use::fit});
  CHECK(table3->at.line > 0);

  const Dataset* rates = find(sets, "paper2610_t10_proxy_rate");
  REQUIRE(rates);
  CHECK(rates->row_use(1) == Use::fit);
  CHECK(rates->row_use(2) == Use::check);
  CHECK(rates->uses() == std::vector{Use::fit, Use::check});

  const Dataset* sizes = find(sets, "paper2610_size_90pct");
  REQUIRE(sizes);
  CHECK(sizes->key_use("peak_GBps") == Use::fit);
  CHECK(sizes->key_use("GDAKI") == Use::check);
}

TEST_CASE("datasets: maps inside are flattened, ranges keep their text and their ends") {
  const auto sets = load_datasets(source_root() + "/validate/reference/measurements.yaml");
  const Dataset* stages = find(sets, "paper2610_inferred_stages");
  REQUIRE(stages);
  REQUIRE(stages->scalar("P_IB.gpu_scope_fence"));
  CHECK(stages->scalar("P_IB.gpu_scope_fence")->number == 0.51);
  const Dataset* scalars = find(sets, "paper2610_text_scalars");
  REQUIRE(scalars);
  CHECK(scalars->scalar("packets_per_message_range")->text == "1.01 1.09");
  CHECK_FALSE(scalars->scalar("packets_per_message_range")->number);
  CHECK(scalars->scalar("packets_per_message_range")->range == std::pair{1.01, 1.09});
  const Dataset* scalars_of_requests = find(sets, "torchcomms_pr_scalars");  // before and after: no range
  REQUIRE(scalars_of_requests);
  CHECK_FALSE(scalars_of_requests->scalar("pr3325_1B_before_after"));
  REQUIRE(scalars_of_requests->scalar("pr3325_1B_before_after.1"));
  CHECK(scalars_of_requests->scalar("pr3325_1B_before_after.1")->number == 35.7);
}

TEST_CASE("datasets: all that is wrong is said at once") {
  const Scratch file(
      "datasets:\n"
      "- {id: a, title: t, quantity: q, unit: us, use: fit, data: {columns: [x, y], rows: [[r, 1], "
      "[s]]}}\n"
      "- {id: a, title: t, quantity: q, unit: us, use: maybe, data: {k: 1}}\n"
      "- {id: b, title: t, quantity: q, use: mixed, fit_rows: [7], data: {columns: [x], rows: "
      "[[r]]}}\n");
  try {
    load_datasets(file.path);
    FAIL("nothing thrown");
  } catch (const ConfigError& error) {
    CHECK(error.mistakes().size() == 5);
    CHECK(error.mistakes()[0].at.line == 2);
  }
}
