// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/pcie/endpoint.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim {

/// Two ports 100 ns apart; the far one's memory takes 50 ns. The near one asks.
struct Ports {
  pcie::EndpointParams near_params, far_params;
  TransferPool pool;
  Bench bench;
  Way forth{bench.kernel, 100ns}, back{bench.kernel, 100ns};
  SlowMemory near_memory;
  CellMemory far_memory{50ns};
  TransferLog log{bench.kernel};
  Script script{bench.kernel};
  pcie::Endpoint &near, &far;

  explicit Ports(const pcie::EndpointParams& n = {}, const pcie::EndpointParams& f = {})
      : near_params(n),
        far_params(f),
        near(bench.add_named<pcie::Endpoint>("near", near_params, RequesterId{1}, pool)),
        far(bench.add_named<pcie::Endpoint>("far", far_params, RequesterId{2}, pool)) {
    near.out.bind(forth), far.out.bind(back);
    near.device.bind(near_memory), far.device.bind(far_memory);
    forth.far = far.in.operator->(), back.far = near.in.operator->();
  }
  Transfer& make(Transfer::Kind kind, Address address, Bytes length) {
    Transfer& transfer = near.memory->make();
    transfer.kind = kind;
    transfer.address = address;
    transfer.length = length;
    transfer.initiator = &log;
    return transfer;
  }
  void submit_at(Picoseconds t, Transfer::Kind kind, Address address, Bytes length) {
    script.at(t, [=, this] { near.memory->submit(make(kind, address, length)); });
  }
  void check_books() const {
    near.check_books(), far.check_books();
    if (pool.out() != 0) throw std::logic_error("transfers not ended");
  }
};

}  // namespace gicsim
