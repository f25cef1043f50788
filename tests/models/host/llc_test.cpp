// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/host/host.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"

namespace gicsim::host {
namespace {

/// 64 B take 1 ns of the memory.
HostParams with_cache() {
  HostParams p{};
  p.dram_read = 100ns;
  p.dram_rate = 512_Gbps;
  p.llc = Llc::on;
  p.llc_size = 64_KiB;
  p.llc_ways = 4;
  p.ddio_ways = 1;
  p.llc_read = 40ns;
  return p;
}

struct Fixture {
  Bench bench;
  HostParams params;
  Dma nobody;
  Host& host;
  Transfer transfer;

  explicit Fixture(const HostParams& p)
      : params(p), nobody(bench.kernel, 0ns), host(bench.add_named<Host>("host", params, Address{0}, Address{1} << 40)) {
    host.port.bind(nobody);
  }
  Picoseconds read(Address at, Bytes length, Picoseconds now) {
    transfer = Transfer{.kind = Transfer::Kind::read, .address = at, .length = length};
    return host.target->on_read(transfer, length, now);
  }
  void write(Address at, Bytes length, Picoseconds now) {
    transfer = Transfer{.kind = Transfer::Kind::write, .address = at, .length = length};
    host.target->accept(transfer, length, now);
    host.target->on_write(transfer, now);
  }
};

TEST_CASE("host: without a cache each read takes the memory's time, whatever was written") {
  HostParams params = with_cache();
  params.llc = Llc::off;
  Fixture f(params);
  f.write(0, 64_B, 0ns);
  CHECK(f.read(0, 64_B, 0ns) == 101ns);
}

TEST_CASE("host: a read of lines that the cache has takes llc_read; reads put nothing in, writes do") {
  Fixture f(with_cache());
  CHECK(f.read(0, 64_B, 0ns) == 101ns);
  CHECK(f.read(0, 64_B, 1000ns) == 1101ns);
  f.write(0, 64_B, 2000ns);
  CHECK(f.read(0, 64_B, 2000ns) == 2040ns);
  CHECK(f.read(32, 64_B, 3000ns) == 3101ns);  // two lines, one of them is missing
  CHECK(f.host.stats().llc_hits == 2);
  CHECK(f.host.stats().llc_misses == 3);
}

TEST_CASE("host: requests of one transfer are looked up where they are") {
  Fixture f(with_cache());
  f.host.warm(512, 512_B);
  f.transfer = Transfer{.kind = Transfer::Kind::read, .length = 1_KiB};
  CHECK(f.host.target->on_read(f.transfer, 512_B, 0ns) == 108ns);
  CHECK(f.host.target->on_read(f.transfer, 512_B, 200ns) == 240ns);
}

TEST_CASE("host: devices' writes keep to their ways: they push each other out, not what cores use") {
  Fixture f(with_cache());  // 256 sets of 4 ways
  f.host.warm(0, 48_KiB);
  for (Address at = 0; at < 1 << 20; at += 64) f.write((Address{1} << 30) + at, 64_B, 0ns);
  CHECK(f.read((Address{1} << 30) + (1 << 20) - 64, 64_B, 0ns) == 40ns);
  CHECK(f.read(Address{1} << 30, 64_B, 1000ns) == 1101ns);
  int found = 0;
  for (Address at = 0; at < 48 << 10; at += 64) found += f.read(at, 64_B, 5000ns + at * 10ns) == 5040ns + at * 10ns;
  CHECK(found >= 512);  // of 768; one of the four ways is shared
}

TEST_CASE("host: a window of twice the cache, warmed, is half there") {
  Fixture f(with_cache());
  f.host.warm(0, 128_KiB);
  int found = 0;
  for (Address at = 0; at < 128 << 10; at += 64) found += f.read(at, 64_B, at * 10ns) == at * 10ns + 40ns;
  CHECK(found == 1024);
}

TEST_CASE("host: a read behind a write waits until it is committed") {
  HostParams params = with_cache();
  params.write_commit = 70ns;
  Fixture f(params);
  f.transfer = Transfer{.kind = Transfer::Kind::write, .length = 64_B};
  CHECK(f.host.target->accept(f.transfer, 64_B, 10ns) == 10ns);
  f.host.target->on_write(f.transfer, 10ns);
  CHECK(f.read(0, 64_B, 20ns) == 120ns);
  CHECK(f.read(0, 64_B, 200ns) == 240ns);
  CHECK(f.host.stats().commit_wait == 60ns);
}

}  // namespace
}  // namespace gicsim::host
