// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/pcie/endpoint.h"
#include "models/pcie/link.h"
#include "tests/support/bench.h"
#include "tests/support/files.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"
#include "validate/reference/dataset.h"

namespace gicsim::pcie {
namespace {

/// Bytes on the lanes towards memory of a device that writes, reads, or both, `length` each.
struct Device {
  LinkParams params{.generation = 3, .lanes = 8, .posted_headers = 4096, .posted_data = 16_MiB,
                    .non_posted_headers = 4096};
  EndpointParams port{.mps = 256_B, .mrrs = 512_B, .tags = 512, .completion_buffer = 1_MiB};
  TransferPool pool;
  Probe<TlpSent> sent;
  Bench bench;
  Endpoint& endpoint = bench.add_named<Endpoint>("port", port, RequesterId{1}, pool);
  Link& link = bench.add_named<Link>("link", params, Kernel::Lane{1}, sent);
  TlpLog log{bench.kernel};
  SlowMemory memory;
  Script script{bench.kernel};

  Device() { endpoint.out.bind(link.in), endpoint.device.bind(memory), link.out.bind(log); }
  void ask(Transfer::Kind kind, Bytes length) {
    script.at(0ns, [this, kind, length] {
      Transfer& transfer = endpoint.memory->make();
      transfer.kind = kind, transfer.length = length, transfer.address = Address{1} << 33;
      endpoint.memory->submit(transfer);
    });
  }
};

// pcie-bench takes 8.1 % off the lanes for flow control and acknowledgements: 57.88 Gb/s.
TEST_CASE("endpoint and link: reads and writes at once share the lanes as in the pcie-bench model, Gen3 x8") {
  constexpr double lanes = 57.88;
  constexpr int transfers = 100;
  const auto datasets = reference::load_datasets(source_root() + "/validate/reference/measurements.yaml");
  const auto* model = reference::find(datasets, "pciebench_model_bw");
  REQUIRE(model);
  int rows = 0;
  for (const auto& row : model->rows) {
    const Bytes length(static_cast<std::int64_t>(*row[0].number));
    CAPTURE(length.count());
    if (length < 4_B) continue;  // their model counts bytes; a TLP carries whole words
    Device device;
    for (int i = 0; i < transfers; ++i)
      device.ask(Transfer::Kind::write, length), device.ask(Transfer::Kind::read, length);
    device.bench.run();
    const double payload = static_cast<double>(transfers * length.count());
    CHECK(lanes * payload / static_cast<double>(device.link.stats().wire.count()) == doctest::Approx(*row[3].number).epsilon(0.01));
    ++rows;
  }
  CHECK(rows == 14);
}

}  // namespace
}  // namespace gicsim::pcie
