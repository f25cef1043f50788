// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/cuda_stream.h"

#include <algorithm>

#include "scenarios/paths/places.h"

namespace gicsim::paths {
namespace {

using system::AddressMap;

constexpr Bytes release_size(16);  ///< a value and a time stamp

/// The pinned buffer of a stream's pageable copies.
Address bounce_buffer(std::size_t number) {
  return AddressMap::dram + (Address{7} << 37) + (Address{1} << 36) + number * (Address{1} << 22);
}

}  // namespace

CudaStream::CudaStream(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
                       std::size_t number, host::Core& core)
    : kernel_(system.kernel()),
      node_(system.node(node)),
      pair_(pair),
      runtime_(scenario.system.runtime),
      core_(core),
      gpu_(node_.gpu(pair)),
      multiprocessors_(node_.multiprocessors(pair)),
      grid_(schema::launched(scenario)),
      stream_(kernel_, gpu_, scenario.system.nodes[node].pairs[pair].front_end, number, AddressMap::dram,
              AddressMap::window, node_.host().cells()),
      bounce_(bounce_buffer(number)),
      semaphore_(places::word(AddressMap::dram, number, 1)) {
  kernel_.start(stream_.who(), serve(), Kernel::Kind::service);
}

Address CudaStream::last_piece(const Copy& copy) const {
  return node_.copy_engine(pair_, copy.direction).last_piece(copy.to, copy.bytes);
}

void CudaStream::queue(Job job) {
  jobs_.push_back(job);
  ++queued_;
}

void CudaStream::ring(Ledger* ledger) {
  core_.store(stream_.doorbell(), 8_B, queued_, ledger, Stage::doorbell_flight);
}

Task CudaStream::launch(Address flag, std::uint64_t value, Ledger* ledger, Ledger* data) {
  if (!kernel_thread_)
    kernel_thread_.emplace(kernel_, gpu_, stream_.who() + ".kernel", AddressMap::dram, AddressMap::window);
  co_await core_.work(runtime_.launch, 0, ledger, Stage::call);
  queue({.kernel = true, .copy = {.to = flag, .value = value}, .ledger = ledger, .data = data});
  ring(ledger);
}

Task CudaStream::copy(Copy copy, Ledger* ledger, Ledger* data) {
  co_await core_.work(runtime_.copy, 0, ledger, Stage::call);
  queue({.copy = copy, .ledger = ledger, .data = data});
  ring(ledger);
}

Task CudaStream::copy_pageable(Copy copy, Ledger* ledger, Ledger* data) {
  const bool to_host = copy.direction == Direction::d2h;
  const std::uint64_t before = queued_;
  const std::int64_t count = pieces(copy.bytes, runtime_.bounce);
  const auto piece = [&](std::int64_t i) {
    const Bytes offset = runtime_.bounce * i;
    const auto at_gpu = static_cast<Address>(offset.count());
    return Copy{copy.direction, to_host ? copy.from + at_gpu : bounce_, to_host ? bounce_ : copy.to + at_gpu,
                std::min(runtime_.bounce, copy.bytes - offset), copy.value};
  };
  co_await core_.work(runtime_.copy, 0, ledger, Stage::call);
  for (std::int64_t i = 0; i < count; ++i) {  // the first piece's way to the host is followed, the last one's from it
    const bool first = i == 0, last = i + 1 == count;
    if (!to_host) co_await core_.copy(piece(i).bytes, ledger, Stage::call);
    queue({.copy = piece(i),
           .ledger = (to_host ? first : last) ? ledger : nullptr,
           .data = !to_host && last ? data : nullptr});
    if (!to_host || last) ring((to_host || last) ? ledger : nullptr);
  }
  if (!to_host) co_return;
  for (std::int64_t i = 0; i < count; ++i) {
    co_await released(before + static_cast<std::uint64_t>(i) + 1);
    if (ledger) ledger->close(Stage::sync, core_.host().name(), kernel_.now());
    co_await core_.copy(piece(i).bytes, ledger, Stage::call);
  }
  if (data) *data = *ledger;
  core_.store(last_piece(copy), 8_B, copy.value, nullptr, Stage::call);
}

host::Core::Poll CudaStream::released(std::uint64_t number) {
  return core_.poll(
      semaphore_, runtime_.loop,
      [number](const Content& c) {
        const auto* value = std::get_if<std::uint64_t>(&c);
        return value && *value >= number;
      },
      "release " + std::to_string(number) + " of " + stream_.who());
}

Task CudaStream::synchronize(Ledger* ledger) {
  co_await released(queued_);
  if (ledger) ledger->close(Stage::sync, core_.host().name(), kernel_.now());
  co_await core_.work(runtime_.synchronize, 0, ledger, Stage::sync);
}

Task CudaStream::serve() {
  for (std::uint64_t number = 1;; ++number) {
    co_await stream_.command(number);
    const Job job = jobs_.front();
    jobs_.pop_front();
    stream_.follow(job.ledger);
    stream_.close(Stage::launch);
    if (job.kernel) {
      co_await stream_.kernel_start();
      gpu::Multiprocessors::Launch launch = multiprocessors_.launch(grid_);
      co_await launch;
      if (job.ledger) {
        job.ledger->waited(launch.waited());
        job.ledger->close(Stage::launch, multiprocessors_.name().c_str(), kernel_.now());
      }
      if (job.data) *job.data = *job.ledger;
      kernel_thread_->follow(job.data);
      co_await kernel_thread_->store(job.copy.to, 8_B, job.copy.value, Stage::compute, Stage::response_write);
      if (job.ledger) job.ledger->close(Stage::compute, gpu_.name(), kernel_.now());
      multiprocessors_.leave(launch);
      co_await stream_.kernel_end(Stage::sync);
    } else {
      const Copy& copy = job.copy;
      gpu::CopyEngine& engine = node_.copy_engine(pair_, copy.direction);
      co_await engine.copy(copy.from, copy.to, copy.bytes, copy.value, job.ledger, job.data);
    }
    co_await stream_.write(semaphore_, release_size, number, Stage::sync, Stage::response_write);
  }
}

}  // namespace gicsim::paths
