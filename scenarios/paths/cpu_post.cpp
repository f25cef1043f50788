// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/cpu_post.h"

namespace gicsim::paths {

CpuPost::CpuPost(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
                 std::size_t number, system::Queue queue)
    : CpuEnd(system, scenario, node, number, queue), gpu_(system.node(node).gpu(pair)) {
  const bool get = schema::verb(scenario) == Verb::get;
  const bool reads = reads_gpu(scenario.gdr), writes = writes_gpu(scenario.gdr);
  if (get ? writes : reads) source_ = places::source(gpu_.base(), number, longest(scenario));
  if (get ? reads : writes) buffer_ = places::buffer(gpu_.base(), number, longest(scenario));
  if (told_by_receive(scenario))
    receives_.emplace(queue_, scenario, system.node(node).host().cells(), buffer_).fill({});
  core_.window_cells(gpu_.cells());
  if (scenario.flush == Flush::loopback || scenario.flush == Flush::other_nic)
    loopback_.emplace(system, scenario, core_, node, flushed_through(pair), places::word(system::AddressMap::dram, number, 3));
  if (scenario.receiver == Receiver::cpu) return;
  thread_.emplace(system.kernel(), gpu_, std::string(gpu_.name()) + ".thread" + std::to_string(number),
                  system::AddressMap::dram, system::AddressMap::window);
  thread_->host_cells(system.node(node).host().cells());
}

Task CpuPost::see(Address address, std::function<bool(const Content&)> wanted, std::string what) {
  if (!thread_) {
    co_await core_.poll(address, verbs_.loop, std::move(wanted), std::move(what));
    co_return;
  }
  thread_->follow(nullptr);
  co_await thread_->poll(address, std::move(wanted), Stage::poll, std::move(what),
                         scenario_.poll_load == PollLoad::cached);
}

Address CpuPost::told_at(const Operation& operation) const {
  if (told_by_receive(operation)) return queue_.receive_completion;
  return operation.signal ? places::signal(buffer_, scenario_.bytes) : flag(operation.bytes);
}

Task CpuPost::arrival(Operation operation) {
  if (told_by_receive(operation)) {
    co_await see(queue_.receive_completion, received(static_cast<std::uint32_t>(operation.value - 1)),
                 "a receive's CQE for value " + std::to_string(operation.value));
    receives_->post(1, kernel().now());
  } else {
    co_await see(
        told_at(operation),
        [value = operation.value](const Content& c) {
          const auto* seen = std::get_if<std::uint64_t>(&c);
          return seen && *seen >= value;
        },
        "a flag with value " + std::to_string(operation.value));
  }
  if (scenario_.flush != Flush::none) co_await flush();
}

/// The NIC that received, or the next one of its node.
schema::Flow CpuPost::flushed_through(std::size_t pair) const {
  system::Node& node = system_.node(node_);
  std::size_t own = 0;
  while (&node.nic(own) != queue_.nic) ++own;
  return {pair, scenario_.flush == Flush::other_nic ? (own + 1) % node.nics() : own};
}

/// A read of the GPU's window: it comes back behind all writes that went the same way before it.
Task CpuPost::flush() {
  const Address word = places::signal(buffer_, scenario_.bytes) + 64;
  flush_.start(kernel().now());
  if (loopback_) {
    co_await loopback_->read(word);
    flush_.append(loopback_->ledger());
    co_return;
  }
  co_await core_.poll(word, verbs_.loop, [](const Content&) { return true; }, "its flush read");
  flush_.close(Stage::remote_read, core_.host().name(), kernel().now());
}

void CpuPost::seen(Message& message) {
  message.delivered = kernel().now();
  const Picoseconds told = scenario_.flush == Flush::none ? message.delivered : flush_.begun();
  message.delivery.close(Stage::poll, thread_ ? thread_->gpu().name() : core_.host().name(), told);
  if (scenario_.flush != Flush::none) message.delivery.append(flush_);
}

Task CpuPost::acquire(Message& message) { co_await core_.work(verbs_.receive, 0, &message.delivery, Stage::sync); }

}  // namespace gicsim::paths
