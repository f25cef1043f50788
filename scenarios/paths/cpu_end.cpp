// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/cpu_end.h"

namespace gicsim::paths {
namespace {

constexpr Bytes most_pushed(256);  ///< half of a BlueFlame register

std::string core_name(std::size_t node, std::size_t number) {
  return "node" + std::to_string(node) + ".host.core" + std::to_string(number);
}

}  // namespace

CpuEnd::CpuEnd(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t number,
               system::Queue queue)
    : system_(system),
      scenario_(scenario),
      node_(node),
      verbs_(scenario.system.verbs),
      core_(system.node(node).host(), core_name(node, number)),
      queue_(queue),
      mtu_(nic_mtu(scenario, node)),
      source_(places::source(system::AddressMap::dram, number, longest(scenario))),
      buffer_(places::buffer(system::AddressMap::dram, number, longest(scenario))) {}

bool CpuEnd::inlined(Bytes bytes) const {
  return scenario_.payload == Payload::inlined && verbs_.inlines && bytes <= queue_.nic->params().inline_max;
}

bool CpuEnd::has_room(Bytes bytes, Count n) const {
  const std::uint32_t units = wqe_units(scenario_, inlined(bytes), bytes) * static_cast<std::uint32_t>(n);
  return producer_ + units - completed_ <= queue_.depth;
}

Task CpuEnd::submit(Operation operation, Message& message, bool ring) {
  Ledger& ledger = message.completion;
  Request request = make_request(operation, {source_, remote_, scenario_.bytes}, inlined(operation.bytes), message);
  address(request, queue_, scenario_);
  bool chained = !unrung_.empty();
  message.index = producer_;
  message.units = request.units();
  request.place(queue_.qpn, producer_, ring && operation.signaled);
  Bytes length{};
  for (const Wqe& wqe : request) {
    chained |= producer_ != message.index;
    co_await core_.work(chained ? verbs_.post_more : verbs_.post, chained ? 0 : verbs_.misses, &ledger, Stage::call);
    length = wqe_unit * nic::wqe_units(wqe);
    core_.store(queue_.ring + wqe.index % queue_.depth * Address{64}, length, wqe, nullptr, Stage::call);
    producer_ = message.index + message.units;
  }
  if (!ring) {
    unrung_.push_back(&message);
    co_return;
  }
  core_.store(queue_.record, 4_B, std::uint64_t{producer_}, nullptr, Stage::call);
  if (verbs_.blueflame && !chained && length <= most_pushed)
    core_.store(queue_.doorbell, length, request.wqes[0], &ledger, Stage::doorbell_flight);
  else
    core_.store(queue_.doorbell, 8_B, std::uint64_t{queue_.qpn} << 32 | producer_, &ledger, Stage::doorbell_flight);
  for (Message* earlier : unrung_) {
    earlier->completion.waited(kernel().now() - earlier->completion.last());
    earlier->completion.close(Stage::call, core_.host().name(), kernel().now());
  }
  unrung_.clear();
}

Task CpuEnd::await_room(Bytes, Count) {
  co_await core_.poll(queue_.completion, verbs_.loop, [](const Content&) { return false; },
                      full_queue(name_of(queue_), queue_.depth));
}

Task CpuEnd::wait(Message& message) {
  const std::uint32_t wanted = message.index;
  co_await core_.poll(
      queue_.completion, verbs_.loop,
      [this, wanted](const Content& c) {
        const auto* cqe = std::get_if<Cqe>(&c);
        if (cqe) seen_ = widened(cqe->counter(), wanted);
        return cqe && reached(seen_, wanted);
      },
      "a CQE of " + name_of(queue_) + " for index " + std::to_string(wanted));
  message.completion.close(Stage::poll, core_.host().name(), kernel().now());
  completed_ = wanted + message.units;
  co_await core_.work(verbs_.completion, verbs_.completion_misses, &message.completion, Stage::sync);
}

bool CpuEnd::retire(const Message& message) {
  if (!reached(seen_, message.index)) return false;
  completed_ = message.index + message.units;
  return true;
}

}  // namespace gicsim::paths
