// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/copy_load.h"

#include <algorithm>

namespace gicsim::paths {
namespace {

using system::AddressMap;

/// Behind what paths use, in a GPU's window as in host memory; a buffer each way.
constexpr Address area(Address base, std::size_t pair, Direction direction) {
  return base + (Address{3} << 40) + (2 * pair + (direction == Direction::h2d)) * (Address{1} << 31);
}

}  // namespace

void CopyLoad::start() {
  for (std::size_t node = 0; node < std::min<std::size_t>(2, system_.nodes()); ++node) {
    if (scenario_.copy_load != gicsim::CopyLoad::h2d) start(node, 0, Direction::d2h);
    if (scenario_.copy_load != gicsim::CopyLoad::d2h) start(node, 0, Direction::h2d);
  }
}

void CopyLoad::start(std::size_t node, std::size_t pair, Direction direction) {
  const Address gpu = area(AddressMap::gpu(pair), pair, direction), host = area(AddressMap::dram, pair, direction);
  gpu::CopyEngine& engine = system_.node(node).copy_engine(pair, direction);
  const bool down = direction == Direction::d2h;
  system_.kernel().start(engine.name() + ".load", copy(engine, down ? gpu : host, down ? host : gpu),
                         Kernel::Kind::service);
}

Task CopyLoad::copy(gpu::CopyEngine& engine, Address from, Address to) {
  while (goes_on()) co_await engine.copy(from, to, scenario_.copy_load_bytes, {}, nullptr);
}

bool CopyLoad::goes_on() {
  const std::optional<std::uint64_t> ended = ended_();
  if (!ended) return false;
  const Picoseconds now = system_.kernel().now();
  if (std::exchange(ended_before_, *ended) != *ended) got_on_ = now;
  return now < got_on_ + patience;
}

}  // namespace gicsim::paths
