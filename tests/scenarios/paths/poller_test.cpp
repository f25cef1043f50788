// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "scenarios/paths/poller.h"

namespace gicsim::paths {
namespace {

TEST_CASE("poller: a counter of 16 bits tells of the right index while fewer than 32,768 lie between") {
  for (const std::uint32_t wanted : {0u, 1u, 32'768u, 65'535u, 65'536u, 131'071u, 0xffff'ffffu})
    for (const std::int64_t off : {-32'768, -32'767, -1, 0, 1, 127, 32'767}) {
      const std::uint32_t index = wanted + static_cast<std::uint32_t>(off);
      const Cqe cqe{.index = index};
      CHECK(widened(cqe.counter(), wanted) == index);
      CHECK(tells_of(cqe, wanted) == (off >= 0));
    }
  CHECK(widened(Cqe{.index = 32'768}.counter(), 0) != 32'768u);  // one further is one too far
}

TEST_CASE("poller: ones tell of nothing to whoever waits for the first index") {
  CHECK_FALSE(tells_of(Cqe{.index = ~0u}, 0));
  CHECK(tells_of(Cqe{.index = 0}, 0));  // but zeros do
}

}  // namespace
}  // namespace gicsim::paths
