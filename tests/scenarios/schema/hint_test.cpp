// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/hint.h"

#include <doctest/doctest.h>

namespace gicsim::schema {

TEST_CASE("hint: edits are counted, a swap of neighbours as one") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("flight", "flight") == 0);
  CHECK(edit_distance("fligth", "flight") == 1);
  CHECK(edit_distance("decod", "decode") == 1);
}

TEST_CASE("hint: near words are offered, far ones aren't") {
  const std::vector<std::string> words{"flight", "rate", "fec", "h200_cx7_ib"};
  CHECK(nearest("fligth", words) == "flight");
  CHECK(nearest("h200", words) == "h200_cx7_ib");
  CHECK(nearest("completion", words) == "");
  CHECK(did_you_mean("rat", words) == "; did you mean 'rate'?");
  CHECK(did_you_mean("zzzzzz", words) == "");
}

}  // namespace gicsim::schema
