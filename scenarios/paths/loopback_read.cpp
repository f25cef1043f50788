// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/loopback_read.h"

#include "scenarios/paths/poller.h"

namespace gicsim::paths {
namespace {

constexpr std::uint32_t depth = 64;
constexpr Bytes length(4);

}  // namespace

LoopbackRead::LoopbackRead(system::System& system, const schema::Scenario& scenario, host::Core& core, std::size_t node,
                           schema::Flow flow, Address to)
    : verbs_(scenario.system.verbs),
      core_(core),
      queue_(system.loop_back(node, flow, system::Place::host, depth)),
      to_(to) {}

Task LoopbackRead::read(Address from) {
  Kernel& kernel = core_.host().kernel();
  Ledger& ledger = message_.completion;
  ledger.start(kernel.now());
  Wqe wqe;
  wqe.opcode = Opcode::rdma_read;
  wqe.local = to_, wqe.remote = from, wqe.length = length;
  wqe.lkey = queue_.lkey, wqe.rkey = queue_.rkey;
  wqe.qpn = queue_.qpn, wqe.index = producer_;
  wqe.message = &message_;
  const std::uint32_t units = nic::wqe_units(wqe), wanted = producer_;
  const Bytes size = wqe_unit * units;
  co_await core_.work(verbs_.post, verbs_.misses, &ledger, Stage::call);
  core_.store(queue_.ring + producer_ % queue_.depth * Address{64}, size, wqe, nullptr, Stage::call);
  producer_ += units;
  core_.store(queue_.record, 4_B, std::uint64_t{producer_}, nullptr, Stage::call);
  if (verbs_.blueflame) core_.store(queue_.doorbell, size, wqe, &ledger, Stage::doorbell_flight);
  else core_.store(queue_.doorbell, 8_B, std::uint64_t{queue_.qpn} << 32 | producer_, &ledger, Stage::doorbell_flight);
  co_await core_.poll(
      queue_.completion, verbs_.loop,
      [wanted](const Content& c) {
        const auto* cqe = std::get_if<Cqe>(&c);
        return cqe && tells_of(*cqe, wanted);
      },
      "a CQE of " + name_of(queue_) + " for its flush read");
  ledger.close(Stage::poll, core_.host().name(), kernel.now());
  co_await core_.work(verbs_.completion, verbs_.completion_misses, &ledger, Stage::sync);
}

}  // namespace gicsim::paths
