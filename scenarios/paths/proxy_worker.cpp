// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/proxy_worker.h"

#include <algorithm>
#include <utility>

#include "scenarios/paths/poller.h"

namespace gicsim::paths {
namespace {

bool is_request(const Content& content, std::uint32_t index) {
  const auto* request = std::get_if<ProxyRequest>(&content);
  return request && request->index == index;
}

}  // namespace

ProxyWorker::ProxyWorker(system::System& system, const schema::Scenario& scenario, std::size_t node,
                         std::size_t number, host::SharedLine* shared)
    : system_(system),
      scenario_(scenario),
      node_(node),
      params_(scenario.system.proxy),
      core_(system.node(node).host(), std::string(system.node(node).host().name()) + ".proxy" + std::to_string(number)),
      shared_(shared) {}

ProxyWorker::Queue& ProxyWorker::add_queue(system::Queue queue) { return queues_.emplace_back(Queue{queue}); }

void ProxyWorker::add_ring(RequestRing& ring, Queue& queue) { rings_.emplace_back(&ring, &queue); }

void ProxyWorker::start() {
  Kernel& kernel = system_.kernel();
  for (std::size_t i = 0; i < rings_.size(); ++i)
    kernel.start(core_.who() + ".ring" + std::to_string(i), serve(*rings_[i].first, *rings_[i].second),
                 Kernel::Kind::service);
  for (std::size_t i = 0; i < queues_.size(); ++i)
    kernel.start(core_.who() + ".queue" + std::to_string(i), complete(queues_[i]), Kernel::Kind::service);
}

/// Of the idle worker: `loop` is that of one ring and one queue pair.
Cycles ProxyWorker::turn() const {
  return params_.loop + params_.look * (static_cast<std::int64_t>(rings_.size() + queues_.size()) - 2);
}

/// The worker has come to a line's news. Since they were there, or since the idle worker noticed
/// some, the core was busy with others.
void ProxyWorker::pick_up(Ledger* ledger, Address line, Picoseconds noticed) {
  if (!ledger) return;
  const Picoseconds now = system_.kernel().now();
  ledger->waited(now - std::max({noticed, core_.host().cells().read(line, now).visible, ledger->last()}));
  ledger->close(Stage::proxy_pickup, core_.host().name(), now);
}

/// Requests in order; up to a batch of those that are there share one doorbell and one CQE.
Task ProxyWorker::serve(RequestRing& ring, Queue& queue) {
  Kernel& kernel = system_.kernel();
  for (std::uint32_t index = 0;;) {
    const Picoseconds looked = kernel.now();
    co_await core_.poll(ring.slot(index), turn(), [index](const Content& c) { return is_request(c, index); },
                        "request " + std::to_string(index));
    const Picoseconds noticed = kernel.now() == looked ? Picoseconds{} : kernel.now();
    co_await core_.take();
    Wqe wqe;
    Count chained = 0;
    for (bool more = true; more; ++index) {
      const ProxyRequest request = std::get<ProxyRequest>(*core_.peek(ring.slot(index)));
      Ledger* ledger = request.message ? &request.message->completion : nullptr;
      pick_up(ledger, ring.slot(index), noticed);
      const bool first = chained++ == 0;
      co_await core_.work(first ? params_.work : params_.work_more, first ? params_.misses : 0, ledger,
                          Stage::proxy_work);
      if (shared_) co_await core_.work_on(*shared_, params_.shared_work, ledger, Stage::proxy_work);
      const Content* next = core_.peek(ring.slot(index + 1));
      more = chained < scenario_.batch && next && is_request(*next, index + 1);
      wqe = {.opcode = request.opcode,
             .inlined = request.inlined,
             .signaled = !more,
             .qpn = queue.queue.qpn,
             .index = queue.producer};
      wqe.local = request.local;
      wqe.remote = request.remote;
      wqe.length = request.length;
      wqe.value = request.value;
      wqe.compare = request.compare;
      wqe.message = request.message;
      if (request.message && request.message->track_delivery) wqe.data_of = request.message;
      core_.store(queue.queue.ring + queue.producer % queue.queue.depth * Address{64}, wqe_unit, wqe, nullptr,
                  Stage::doorbell_issue);
      ++queue.producer;
      queue.posted.push_back({&ring, wqe.signaled});
    }
    ring_up(queue, wqe, chained);
    core_.give();
  }
}

/// Record and doorbell; a single WQE may be pushed with it.
void ProxyWorker::ring_up(const Queue& queue, const Wqe& last, Count chained) {
  core_.store(queue.queue.record, 4_B, std::uint64_t{queue.producer}, nullptr, Stage::doorbell_issue);
  Ledger* ledger = last.message ? &last.message->completion : nullptr;
  if (params_.blueflame && chained == 1)
    core_.store(queue.queue.doorbell, wqe_unit, last, ledger, Stage::doorbell_flight);
  else
    core_.store(queue.queue.doorbell, 8_B, std::uint64_t{queue.queue.qpn} << 32 | queue.producer, ledger,
                Stage::doorbell_flight);
}

/// Asks for an event and sleeps until its interrupt. The NIC makes one at once for what came meanwhile.
Task ProxyWorker::sleep(Queue& queue, std::uint32_t done) {
  const host::InterruptParams& interrupt = scenario_.system.nodes[node_].interrupt;
  co_await core_.work(interrupt.arm, 0, nullptr, Stage::proxy_pickup);
  core_.store(queue.queue.arm, 8_B, std::uint64_t{queue.queue.qpn} << 32 | done, nullptr, Stage::doorbell_flight);
  co_await core_.sleep(
      queue.queue.vector, interrupt,
      [seen = queue.events](const Content& c) {
        const auto* number = std::get_if<std::uint64_t>(&c);
        return number && *number > seen;
      },
      "an event of " + std::string(queue.queue.nic->name()) + ".qp" + std::to_string(queue.queue.qpn));
  queue.events = std::get<std::uint64_t>(*core_.peek(queue.queue.vector));
}

/// Whatever the collapsed CQ tells of is passed on with one store to the counter of each ring.
Task ProxyWorker::complete(Queue& queue) {
  Kernel& kernel = system_.kernel();
  const Address line = queue.queue.completion;
  std::vector<RequestRing*> news;
  for (std::uint32_t done = 0;;) {
    const Picoseconds looked = kernel.now();
    const auto there = [done](const Content& c) {
      const auto* cqe = std::get_if<Cqe>(&c);
      return cqe && tells_of(*cqe, done);
    };
    const std::string what = "a CQE for index " + std::to_string(done);
    const Content* now = core_.peek(line);
    if (scenario_.proxy_wakeup == Wakeup::event && !(now && there(*now))) co_await sleep(queue, done);
    co_await core_.poll(line, turn(), there, what);
    const Picoseconds noticed = kernel.now() == looked ? Picoseconds{} : kernel.now();
    co_await core_.take();
    const Cqe cqe = std::get<Cqe>(*core_.peek(line));
    RequestRing* newest = nullptr;
    for (const std::uint32_t end = widened(cqe.counter(), done) + 1; done != end; ++done) {
      newest = queue.posted.front().ring;
      newest->cqes += queue.posted.front().signaled;
      queue.posted.pop_front();
      if (newest->told == newest->done++) news.push_back(newest);
    }
    for (RequestRing* ring : news) {
      Ledger* ledger = ring == newest && cqe.message ? &cqe.message->completion : nullptr;
      pick_up(ledger, line, noticed);
      const Count cqes = std::exchange(ring->cqes, 0);
      co_await core_.work(params_.completion_work * cqes, params_.completion_misses * cqes, ledger, Stage::proxy_work);
      for (; ring->told < ring->done; ++ring->told) {
        core_.host().count_ring(kernel.now() - ring->taken.front());
        ring->taken.pop_front();
      }
      core_.store(ring->counter, 8_B, ring->done, ledger, Stage::response_write);
    }
    news.clear();
    core_.give();
  }
}

Proxy::Proxy(system::System& system, const schema::Scenario& scenario, std::size_t node) : scenario_(scenario) {
  host::Host& host = system.node(node).host();
  if (scenario.system.proxy.shared_work > Cycles(0)) shared_.emplace(host, std::string(host.name()) + ".shared_state");
  for (Count i = 0; i < scenario.workers; ++i)
    workers_.emplace_back(system, scenario, node, static_cast<std::size_t>(i), shared_ ? &*shared_ : nullptr);
}

void Proxy::add_queue(system::Queue queue) {
  queues_.push_back(&workers_[queues_.size() % workers_.size()].add_queue(queue));
}

void Proxy::add_ring(Address gpu_counter) {
  const std::size_t i = rings_.size();
  const Address area = (Address{1} << 39) + i * (Address{1} << 22);
  RequestRing& ring = rings_.emplace_back();
  ring.requests = area;
  ring.counter = scenario_.system.proxy.completion == Completion::gpu ? gpu_counter : area + (Address{1} << 21);
  ring.depth = static_cast<std::uint32_t>(scenario_.depth);
  workers_[i % workers_.size()].add_ring(ring, *queues_[i % queues_.size()]);
}

void Proxy::start() {
  for (ProxyWorker& worker : workers_) worker.start();
}

}  // namespace gicsim::paths
