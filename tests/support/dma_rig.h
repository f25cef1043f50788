// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/dma/stream.h"
#include "models/host/iommu.h"
#include "models/pcie/ats.h"
#include "models/pcie/conduit.h"
#include "models/pcie/endpoint.h"
#include "models/pcie/link.h"
#include "models/pcie/switch.h"
#include "tests/support/bench.h"

namespace gicsim {

/// A DMA device under a root port of a host, with its ATS and the host's IOMMU.
struct DmaRig : dma::Client {
  struct Params {
    dma::DmaParams dma{.issue = 50ns, .fetch = 30ns, .rate = 64_Gbps, .memory_rate = 640_Gbps, .burst = 64_B,
                       .read_interval = 10ns, .write_interval = 20ns, .outstanding = 32};
    pcie::AtsParams ats{};
    pcie::EndpointParams port{.mps = 256_B, .mrrs = 512_B};
    pcie::LinkParams link{.generation = 3, .lanes = 8};
    Picoseconds root = 100ns;
    host::IommuParams iommu{};
    host::HostParams host = plain_host();
    static host::HostParams plain_host() {
      host::HostParams p{};
      p.dram_read = 107ns;
      p.dram_rate = 546_Gbps;
      p.llc = host::Llc::on;
      p.llc_size = 15_MiB;
      p.llc_ways = 20;
      p.llc_read = 50ns;
      return p;
    }
  };

  Params params;
  Bench bench;
  Kernel& kernel = bench.kernel;
  TransferPool pool;
  Probe<TlpSent> sent;
  dma::Engine& engine;
  pcie::Ats& ats;
  pcie::Endpoint& port;
  pcie::Link &up, &down;
  pcie::Switch& root;
  pcie::Conduit &to_root, &to_memory;
  pcie::EndpointParams host_params{.mps = 256_B};
  pcie::Endpoint& host_port;
  host::Host& host;
  host::Iommu& iommu;
  std::vector<Picoseconds> ends;

  explicit DmaRig(const Params& p)
      : params(p),
        engine(bench.add_named<dma::Engine>("dma0", params.dma)),
        ats(bench.add_named<pcie::Ats>("dma0_ats", params.ats)),
        port(bench.add_named<pcie::Endpoint>("dma0_port", params.port, RequesterId{1}, pool)),
        up(bench.add_named<pcie::Link>("up", params.link, Kernel::Lane{1}, sent)),
        down(bench.add_named<pcie::Link>("down", params.link, Kernel::Lane{2}, sent)),
        root(bench.add_named<pcie::Switch>("root", params.root, 2)),
        to_root(bench.add_named<pcie::Conduit>("to_root", static_cast<const pcie::CoherentParams*>(nullptr), Kernel::Lane{3}, sent)),
        to_memory(bench.add_named<pcie::Conduit>("to_memory", static_cast<const pcie::CoherentParams*>(nullptr), Kernel::Lane{4}, sent)),
        host_port(bench.add_named<pcie::Endpoint>("host_port", host_params, RequesterId{0}, pool)),
        host(bench.add_named<host::Host>("host", params.host, Address{0}, Address{1} << 42)),
        iommu(bench.add_named<host::Iommu>("iommu", params.iommu, host, pool, 2)) {
    engine.port.bind(ats.memory);
    ats.port.bind(port.memory);
    port.device.bind(engine.target);
    host_port.device.bind(host.target);
    host.port.bind(host_port.memory);
    up.acknowledged_by(down), down.acknowledged_by(up);
    port.out.bind(up.in), up.out.bind(iommu.in[1]), iommu.out[0].bind(root.in[0]), iommu.out[1].bind(root.in[1]);
    const int memory = root.next_port(), device = root.next_port();
    root.out[static_cast<std::size_t>(memory)].bind(to_memory.in), to_memory.out.bind(host_port.in);
    root.out[static_cast<std::size_t>(device)].bind(down.in), down.out.bind(port.in);
    host_port.out.bind(to_root.in), to_root.out.bind(root.in[0]);
    root.route_address(0, Address{1} << 42, memory);
    root.route_requester(0, memory), root.route_requester(1, device);
    iommu.map(0, Address{1} << 40);
  }
  void on_done(dma::Job&) override { ends.push_back(bench.now()); }
  void submit(dma::Kind kind, Address at, Bytes length, Ledger* ledger = nullptr) {
    engine.submit({.kind = kind, .visible = kind == dma::Kind::write, .address = at, .length = length,
                   .ledger = ledger, .client = this});
  }
  void run() {
    bench.run();
    engine.check_books(), ats.check_books(), port.check_books(), host_port.check_books();
    up.check_books(), down.check_books(), iommu.check_books();
  }
};

}  // namespace gicsim
