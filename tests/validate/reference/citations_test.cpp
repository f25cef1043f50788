// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/citations.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "traces/text/node.h"
#include "tests/support/files.h"

using namespace gicsim;
using namespace gicsim::reference;

namespace {

std::vector<Dataset> published() {
  return load_datasets(source_root() + "/validate/reference/measurements.yaml");
}

/// Every scalar of a tree, sources among them: none may name a row that is kept for checking.
void hold(const std::vector<Dataset>& sets, const text::Node& node, int& cited) {
  for (const Dataset& set : sets) cited += node.value.find(set.id) != std::string::npos;
  for (const std::string& wrong : misuses(sets, node.value)) {
    FAIL_CHECK(to_text(node.at) << ": " << wrong);
  }
  for (const text::Node& item : node.items) hold(sets, item, cited);
  for (const text::Member& member : node.members) hold(sets, member.value, cited);
}

}  // namespace

TEST_CASE("citations: fit rows may be named, check rows and unnamed rows of a mixed set may not") {
  const auto sets = published();
  CHECK(misuses(sets, "paper2610_t4_ordering, P-IB").empty());
  CHECK(misuses(sets, "arXiv 2610.01380, platforms").empty());
  CHECK(misuses(sets, "paper2610_t10_proxy_rate#0: 6.6 Mmsg/s").empty());
  CHECK(misuses(sets, "paper2610_size_90pct#peak_GBps").empty());
  CHECK(misuses(sets, "paper2610_t9_cold_warm") ==
        std::vector<std::string>{"paper2610_t9_cold_warm is of use check"});
  CHECK(misuses(sets, "from paper2610_t10_proxy_rate#4.") ==
        std::vector<std::string>{"paper2610_t10_proxy_rate#4 is of use check"});
  CHECK(misuses(sets, "paper2610_size_90pct#GDAKI, paper2610_t5_msgrate").size() == 2);
  CHECK(misuses(sets, "paper2610_t5_msgrate#99") ==
        std::vector<std::string>{"paper2610_t5_msgrate has no '99'"});
}

TEST_CASE("citations: no value of a part or a system rests on a row that is kept for checking") {
  const auto sets = published();
  int cited = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root() + "/configs")) {
    if (entry.path().extension() != ".yaml") continue;
    hold(sets, text::load(entry.path().string()), cited);
  }
  CHECK(cited > 20);
}
