// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/stream_triggered.h"

#include <algorithm>

#include "scenarios/paths/places.h"
#include "scenarios/paths/poller.h"

namespace gicsim::paths {

using system::AddressMap;

StreamTriggered::StreamTriggered(system::System& system, const schema::Scenario& scenario, std::size_t node,
                                 std::size_t pair, std::size_t number, system::Queue queue)
    : system_(system),
      scenario_(scenario),
      core_(system.node(node).host(), "node" + std::to_string(node) + ".host.core" + std::to_string(number)),
      gpu_(system.node(node).gpu(pair)),
      stream_(system.kernel(), gpu_, scenario.system.nodes[node].pairs[pair].front_end, number, AddressMap::dram,
              AddressMap::window, system.node(node).host().cells()),
      queue_(queue),
      mtu_(nic_mtu(scenario, node)),
      source_(places::source(gpu_.base(), number, longest(scenario))),
      buffer_(places::buffer(gpu_.base(), number, longest(scenario))) {
  system.kernel().start(core_.who() + ".prepare", prepare(), Kernel::Kind::service);
}

/// Whole batches, and never more than the send queue holds.
bool StreamTriggered::far_enough_ahead() const {
  const Count ahead = std::max(scenario_.system.runtime.ahead, scenario_.batch);
  return prepared_ - producer_ >= static_cast<std::uint64_t>(std::min<Count>(ahead, queue_.depth));
}

/// The CPU's side: builds the WQE, queues what the stream will do, rings the front end once an operation.
Task StreamTriggered::prepare() {
  struct Ahead {
    StreamTriggered& end;
    bool await_ready() const { return !end.far_enough_ahead(); }
    void await_suspend(Task::Handle program) { end.preparing_ = program; }
    void await_resume() const {}
  };
  const VerbsParams& verbs = scenario_.system.verbs;
  for (;;) {
    co_await Ahead{*this};
    co_await core_.work(verbs.post_more, 0, nullptr, Stage::call);
    co_await core_.work(scenario_.system.runtime.memory_operation, 0, nullptr, Stage::call);
    ++prepared_;
    core_.store(stream_.doorbell(), 8_B, prepared_, nullptr, Stage::doorbell_flight);
  }
}

/// The WQE has lain in its slot since it was prepared; only now the bookkeeping knows what it says.
Task StreamTriggered::post(Operation operation, Message& message, bool ring) {
  stream_.follow(&message.completion);
  co_await stream_.command(producer_ + std::uint64_t{1});
  stream_.close(Stage::launch);
  Wqe wqe{.signaled = ring, .qpn = queue_.qpn, .index = producer_};
  wqe.local = source_;
  wqe.remote = remote_;
  wqe.length = operation.bytes;
  wqe.value = operation.value;
  wqe.message = &message;
  message.index = producer_++;
  core_.store(queue_.ring + message.index % queue_.depth * Address{64}, wqe_unit, wqe, nullptr, Stage::call);
  if (preparing_ && !far_enough_ahead()) kernel().resume(kernel().now(), std::exchange(preparing_, {}));
  if (!ring) co_return;
  co_await stream_.write(queue_.record, 4_B, std::uint64_t{producer_}, Stage::doorbell_issue, Stage::doorbell_issue);
  co_await stream_.write(queue_.doorbell, 8_B, std::uint64_t{queue_.qpn} << 32 | producer_, Stage::doorbell_issue,
                         Stage::doorbell_flight);
}

Task StreamTriggered::wait(Message& message) {
  stream_.follow(&message.completion);
  const std::uint32_t wanted = message.index;
  co_await stream_.wait(
      queue_.completion,
      [this, wanted](const Content& c) {
        const auto* cqe = std::get_if<Cqe>(&c);
        if (cqe) seen_ = widened(cqe->counter(), wanted);
        return cqe && reached(seen_, wanted);
      },
      Stage::poll,
      "a CQE of " + std::string(queue_.nic->name()) + ".qp" + std::to_string(queue_.qpn) + " for index " +
          std::to_string(wanted));
  completed_ = wanted + 1;
}

bool StreamTriggered::retire(const Message& message) {
  if (!reached(seen_, message.index)) return false;
  completed_ = message.index + 1;
  return true;
}

Task StreamTriggered::arrival(Operation operation) {
  stream_.follow(nullptr);
  co_await stream_.wait(
      buffer_ + static_cast<Address>(((pieces(operation.bytes, mtu_) - 1) * mtu_).count()),
      [value = operation.value](const Content& c) {
        const auto* seen = std::get_if<std::uint64_t>(&c);
        return seen && *seen >= value;
      },
      Stage::poll, "a flag with value " + std::to_string(operation.value));
}

void StreamTriggered::seen(Message& message) {
  message.delivered = kernel().now();
  message.delivery.close(Stage::poll, gpu_.name(), message.delivered);
}

}  // namespace gicsim::paths
