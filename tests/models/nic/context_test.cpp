// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

constexpr Address tables = Address{1} << 40;

/// A NIC whose cache holds the contexts of two queue pairs of 4 lines each.
struct Small : Fixture {
  FetchParams fetch;
  ContextParams contexts{.lines = 8, .ways = 8, .requester = 3, .responder = 1, .ahead = 2, .in_order = 2};
  explicit Small(std::uint32_t queue_pairs) {
    equip();
    for (std::uint32_t i = 0; i < queue_pairs; ++i) make();
  }
  void equip() { nic.equip(fetch, contexts, tables); }
  std::vector<Dma::Access> context_reads() const {
    std::vector<Dma::Access> found;
    for (const Dma::Access& read : dma.reads)
      if (read.stage == Stage::wqe_decode) found.push_back(read);
    return found;
  }
  /// A queue pair none of whose lines are cached.
  void forget(std::uint32_t qpn) {
    for (std::uint32_t other = 1; other <= 64; ++other)
      if (other != qpn) nic.contexts().visited(other + 1000, Contexts::Role::requester);
  }
};

TEST_CASE("contexts: what connecting left is cached, and as long as all fits nothing is read") {
  Small f(2);
  for (const std::uint32_t qpn : {1u, 2u}) {
    f.write(f.wqe(qpn, 0));
    f.ring(qpn, 1);
  }
  f.bench.run();
  CHECK(f.context_reads().empty());
  CHECK(f.nic.contexts().stats().requester_hits == 2);
}

TEST_CASE("contexts: a requester's is read once its doorbell is there, in one read, and only then its WQE") {
  Small f(3);
  f.forget(1);
  f.write(f.wqe(1, 0));
  f.ring(1, 1);
  f.bench.run();
  const auto reads = f.context_reads();
  REQUIRE(reads.size() == 1);
  CHECK(reads[0].at == 150ns);  // nic.doorbell
  CHECK(reads[0].address == tables + 1 * 32 * 64);
  CHECK(reads[0].length == 3 * 64_B);
  REQUIRE(f.dma.reads.size() == 2);
  CHECK(f.dma.reads[1].stage == Stage::wqe_read);
  CHECK(f.dma.reads[1].at == 150ns + 600ns);
  CHECK(f.nic.contexts().stats().requester_misses == 1);
}

TEST_CASE("contexts: requesters' are read side by side, as many as there are slots") {
  Small f(4);
  for (std::uint32_t qpn = 1; qpn <= 3; ++qpn) f.forget(qpn);
  for (std::uint32_t qpn = 1; qpn <= 3; ++qpn) {
    f.write(f.wqe(qpn, 0));
    f.ring(qpn, 1);
  }
  f.bench.run();
  const auto reads = f.context_reads();
  REQUIRE(reads.size() == 3);
  CHECK(Dma::times(reads) == Times{150ns, 152ns, 150ns + 600ns});
}

TEST_CASE("contexts: the receive pipeline stands behind a packet whose context isn't here, and asks for those behind it") {
  Small f(6);
  for (std::uint32_t qpn = 1; qpn <= 5; ++qpn) f.forget(qpn);
  const Wqe first = f.wqe(1, 0), second = f.wqe(2, 0), third = f.wqe(3, 0);
  f.receive(first, 0, 1000ns);
  f.receive(second, 0, 1010ns);
  f.receive(third, 0, 1020ns);
  f.bench.run();
  const auto reads = f.context_reads();
  REQUIRE(reads.size() == 3);
  CHECK(Dma::times(reads) == Times{1000ns, 1010ns, 1600ns});  // two in order of arrival at once
  REQUIRE(f.dma.writes.size() == 3);
  CHECK(Dma::times(f.dma.writes) == Times{1600ns + 300ns, 1610ns + 300ns, 2200ns + 300ns});
  CHECK(f.nic.contexts().stats().responder_misses == 3);
  CHECK(f.nic.contexts().stats().stalled == 1200ns);
}

TEST_CASE("contexts: a packet of the same queue pair waits without a read of its own") {
  Small f(6);
  f.forget(1);
  const Wqe one = f.wqe(1, 0), two = f.wqe(1, 1);
  f.receive(one, 0, 1000ns);
  f.receive(two, 1, 1001ns);
  f.bench.run();
  CHECK(f.context_reads().size() == 1);
  CHECK(Dma::times(f.dma.writes) == Times{1900ns, 1902ns});
}

TEST_CASE("contexts: a NIC that stands for many lacks none") {
  Small f(6);
  f.forget(1);
  f.nic.contexts().never_miss();
  const Wqe one = f.wqe(1, 0);
  f.receive(one, 0, 1000ns);
  f.bench.run();
  CHECK(f.context_reads().empty());
}

TEST_CASE("translations: a key, then its page, and the payload only then") {
  Small f(1);
  f.contexts = {.lines = 64, .keys = 16, .translations = 1, .page = 4_KiB};
  f.equip();
  f.make();
  f.nic.contexts().registered(0x0, 1_MiB);
  const Wqe wqe = f.wqe(1, 0, 64_B, false);
  f.write(wqe);
  f.ring(1, 1);
  f.bench.run();
  const auto reads = f.context_reads();
  REQUIRE(reads.size() == 1);  // registering left the key and the last page
  CHECK(reads[0].length == 64_B);
  REQUIRE(f.dma.reads.size() == 3);
  CHECK(f.dma.reads[2].stage == Stage::payload_read);
  CHECK(f.dma.reads[2].at == reads[0].at + 600ns);
  CHECK(f.nic.contexts().stats().translation_misses == 1);
}

TEST_CASE("units: packets sent and received share them") {
  Small f(2);
  f.fetch.units = 1;
  f.fetch.unit_time = 100ns;
  f.equip();
  const Wqe one = f.wqe(1, 0), two = f.wqe(1, 1);
  f.receive(one, 0, 1000ns);
  f.receive(two, 1, 1000ns);
  f.bench.run();
  CHECK(Dma::times(f.dma.writes) == Times{1300ns, 1400ns});
  CHECK(f.nic.fetch_stats().unit_wait >= 100ns);
}

}  // namespace
}  // namespace gicsim::nic
