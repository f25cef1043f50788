// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/gpu_warp.h"

#include <algorithm>
#include <utility>

#include "scenarios/paths/places.h"

namespace gicsim::paths {
namespace {

using system::AddressMap;

constexpr Bytes line = 128_B;
constexpr Address area = Address{1} << 26;  ///< of a warp: it never comes back to what it has touched in a run

std::size_t sm_of(const schema::Scenario& s, std::size_t warp) {
  return warp * static_cast<std::size_t>(schema::warp_lanes) / static_cast<std::size_t>(std::max<Count>(1, s.threads / s.sms));
}

}  // namespace

GpuWarp::GpuWarp(system::System& system, const schema::Scenario& scenario, std::size_t number)
    : scenario_(scenario),
      thread_(system.kernel(), system.node(0).gpu(0),
              std::string(system.node(0).gpu(0).name()) + ".warp" + std::to_string(number), AddressMap::dram,
              AddressMap::window, {sm_of(scenario, number), number}),
      piece_(scenario.bytes * std::min(schema::warp_lanes, scenario.threads)),
      at_(AddressMap::dram + number * area) {
  thread_.host_cells(system.node(0).host().cells());
}

void GpuWarp::UnderWay::on_transferred(Transfer&) {
  if (--left > 0) return;
  const bool load = warp.scenario_.pattern == Pattern::host_load;
  message.completion.close(load ? Stage::remote_read : Stage::remote_write, warp.thread_.gpu().name(), warp.kernel().now());
  if (warp.wanted_ != &message) return;
  warp.wanted_ = nullptr;
  warp.kernel().resume(warp.kernel().now(), std::exchange(warp.waiting_, nullptr));
}

bool GpuWarp::has_room(Bytes, Count n) const {
  const Count most = scenario_.pattern == Pattern::host_load ? schema::loads_a_group : thread_.gpu().params().stores_outstanding;
  return static_cast<Count>(under_way_.size()) + n <= most;
}

Task GpuWarp::post(Operation, Message& message, bool) {
  thread_.follow(&message.completion);
  const bool load = scenario_.pattern == Pattern::host_load;
  co_await thread_.compute(thread_.gpu().params().store_issue, Stage::doorbell_issue);
  thread_.follow(nullptr);
  const auto lines = static_cast<int>(pieces(piece_, line));
  UnderWay& one = under_way_.emplace_back(*this, message, lines);
  for (int i = 0; i < lines; ++i, at_ += static_cast<Address>(line.count())) {
    const Bytes length = std::min(line, piece_ - line * i);
    thread_.send(load ? Transfer::Kind::read : Transfer::Kind::write, at_, length,
                 load ? Stage::remote_read : Stage::remote_write, one);
  }
}

struct GpuWarp::Returned {
  GpuWarp& warp;
  Message& message;
  bool await_ready() const { return warp.under_way_.front().left == 0; }
  void await_suspend(std::coroutine_handle<> program) { warp.waiting_ = program, warp.wanted_ = &message; }
  void await_resume() {}
};

/// Operations end in the order in which they were begun, as far as the thread is told.
Task GpuWarp::wait(Message& message) {
  while (true) {
    Message& oldest = under_way_.front().message;
    co_await Returned{*this, oldest};
    under_way_.pop_front();
    if (&oldest == &message) co_return;
  }
}

}  // namespace gicsim::paths
