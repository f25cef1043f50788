// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

struct Upstream : PacketTray {
  struct Said {
    bool on;
    Picoseconds at;
    friend bool operator==(const Said&, const Said&) = default;
  };
  std::vector<Said> said;
  using PacketTray::PacketTray;
  void pause(bool on) override { said.push_back({on, kernel.now()}); }
};

NicParams narrow(bool lossless) {
  NicParams params = Fixture::defaults();
  params.receive_buffer = 8_KiB;
  params.xoff = 4_KiB;
  params.xon = 2_KiB;
  params.lossless = lossless;
  return params;
}

TEST_CASE("receive buffer: payload holds room until it is at its memory; too much pauses the port upstream") {
  Fixture f(narrow(true));
  Upstream upstream(f.bench.kernel);
  f.nic.fed_by(upstream);
  const Wqe wqe = f.wqe(f.make(), 0, 2_KiB);
  f.receive(wqe, 0, 0ns);
  f.receive(wqe, 1, 10ns);
  f.receive(wqe, 2, 20ns);  // 6 KiB
  f.bench.run();
  // 300 ns of receive pipeline and half a round trip of 600 each; two have left at 610 ns
  CHECK(upstream.said == std::vector<Upstream::Said>{{true, 20ns}, {false, 610ns}});
  CHECK(f.nic.stats().receive_peak == 6_KiB);
  CHECK(f.nic.stats().pauses_asked == 1);
  CHECK(f.dma.writes.size() == 3);
  f.nic.check_books();
}

TEST_CASE("receive buffer: without flow control it overruns, and what is missing is NAKed") {
  Fixture f(narrow(false));
  Upstream upstream(f.bench.kernel);
  f.nic.fed_by(upstream);
  const Wqe wqe = f.wqe(f.make(), 0, 4_KiB);
  for (std::uint32_t n = 0; n < 3; ++n) f.receive(wqe, n, Picoseconds{1000} * static_cast<int>(n));
  f.receive(wqe, 3, 1us);
  f.bench.run();
  CHECK(upstream.said.empty());
  CHECK(f.nic.stats().overruns == 1);
  CHECK(f.nic.stats().payload_received == 8_KiB);
  CHECK(f.nic.stats().payload_discarded == 8_KiB);  // the third and, out of sequence, the fourth
  CHECK(f.wire.all.back().packet.kind == PacketKind::nak);
  f.nic.check_books();
}

TEST_CASE("receive buffer: duplicates and what is out of sequence leave it at once") {
  Fixture f;
  const Wqe wqe = f.wqe(f.make(), 0, 4_KiB);
  f.receive(wqe, 0, 0ns);
  f.receive(wqe, 0, 1us);
  f.receive(wqe, 5, 2us);
  f.bench.run();
  CHECK(f.dma.writes.size() == 1);
  f.nic.check_books();
}

}  // namespace
}  // namespace gicsim::nic
