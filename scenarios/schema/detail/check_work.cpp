// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/checker.h"

#include <algorithm>

#include "models/nic/queue_pair.h"
#include "models/units/text.h"

namespace gicsim::schema::detail {

Count Checker::units_of_a_wqe() const {
  const bool in = s_.path != Path::cpu_proxy && s_.payload == Payload::inlined && s_.bytes <= inline_max();
  const bool behind = signal(s_) && *signal(s_) != Signal::immediate;
  const Verb what = verb(s_);
  const Opcode opcode = what == Verb::send ? Opcode::send : is_atomic(what) ? Opcode::fetch_add : Opcode::rdma_write;
  return nic::wqe_units(in, s_.bytes, opcode, static_cast<Service>(s_.transport), s_.segments) + (behind ? 1 : 0);
}

void Checker::work() {
  if (is_probe(s_.pattern)) return;
  const std::string pattern(to_name(s_.pattern));
  const Count units = s_.batch * units_of_a_wqe();
  if (units > s_.depth && s_.reserve == Reserve::poll)
    wrong("batch",
          text::write(s_.batch) + " WQEs" +
              (units > s_.batch ? (signal(s_) ? " and a signal, " : " with " + text::write(s_.bytes) + " inline, ") +
                                      text::write(units) + " entries,"
                                : "") +
              " don't fit a send queue of " + text::write(s_.depth) + "; write a smaller batch, or a larger depth");
  if (!given("rings")) s_.rings = sharers();
  if (!given("qps")) s_.qps = s_.path == Path::cpu_proxy ? s_.rings : sharers();
  if (!given("qps") && s_.signal_queue == SignalQueue::other) s_.qps = 2 * s_.threads;
  sharing();
  load();
  if (!is_stream(s_.pattern) && s_.batch > 1 && s_.sharing != Sharing::warp && s_.load == 0)
    wrong("batch", pattern +
                       " has one operation outstanding; write 'batch: 1' or "
                       "'pattern: put_bw'");
  const Bytes buffers = (pieces(longest(s_), 4_KiB) * 4_KiB + 4_KiB) * posters(s_);
  if (buffers > 1024 * 1_GiB)
    wrong("threads", text::write(posters(s_)) + " buffers of " + text::write(longest(s_)) +
                         " are more than a GPU's window of 1 TiB holds; write fewer threads or bytes");
  if (s_.threads % s_.sms != 0)
    wrong("sms", text::write(s_.threads) + " threads don't spread evenly over " + text::write(s_.sms) +
                     " multiprocessors; write a divisor of 'threads'");
  else if (s_.threads / s_.sms > 2048)
    wrong("sms",
          text::write(s_.threads / s_.sms) + " threads on one multiprocessor, which holds 2048; write more 'sms'");
  if (s_.pattern == Pattern::ping_pong && s_.threads > 1)
    wrong("threads", "ping_pong is between one thread and another; write 'threads: 1'");
  if (s_.system.nodes.size() == 1)
    wrong("system", pattern + " goes from node to node, and " + s_.system.name +
                        " has one; write a system with two or more");
}

void Checker::sharing() {
  const Count low = std::min(sharers(), s_.qps), high = std::max(sharers(), s_.qps);
  const std::string both = text::write(sharers()) + (s_.load > 0 ? " loading threads and " : " threads and ") +
                           text::write(s_.qps) + " queue pairs";
  if (s_.path == Path::cpu_proxy) return proxies();
  if (!builds_on_gpu(s_.path)) {
    if (s_.qps != sharers())
      wrong("qps", text::write(s_.qps) + ", but each thread has a queue pair of its own here; write 'qps: " +
                       text::write(sharers()) + "' or leave it out");
    return;
  }
  if (high % low != 0)
    return wrong("qps", both + ": one must be a multiple of the other");
  if (sharers() > s_.qps && s_.sharing == Sharing::exclusive)
    return wrong("qps", both + ": " + text::write(sharers() / s_.qps) +
                            " threads share one; write 'sharing: lock', 'handoff' or 'warp', or more queue pairs");
  if (s_.probe == ProbeQueue::shared && s_.load > 0 && s_.sharing == Sharing::exclusive)
    return wrong("probe",
                 "shared, but nothing says how threads share a queue pair; write 'sharing: handoff' or 'lock'");
  if (s_.sharing != Sharing::exclusive && s_.qps > sharers())
    return wrong("sharing", both + ": none is shared; write fewer queue pairs, or 'sharing: exclusive'");
  if (s_.sharing == Sharing::warp) {
    if (!given("batch")) s_.batch = std::min<Count>(32, sharers() / s_.qps);
    if (s_.batch > 32 || (sharers() / s_.qps) % s_.batch != 0)
      wrong("batch", text::write(s_.batch) + " lanes post together, but a warp has 32 and " +
                         text::write(sharers() / s_.qps) + " threads share a queue pair; write a divisor of both");
  }
  if (s_.sharing == Sharing::lock && (sharers() / s_.qps) * s_.batch * units_of_a_wqe() > s_.depth && s_.batch > 1)
    wrong("batch", "unrung batches of " + text::write(sharers() / s_.qps) + " threads fill a send queue of " +
                       text::write(s_.depth) + ", and none could go on; write a smaller batch or a larger depth");
}

void Checker::load() {
  if (s_.load == 0) return;
  if (s_.pattern != Pattern::ping_pong)
    wrong("load", "it is for a ping_pong; write 'pattern: ping_pong', or more 'threads'");
  if (s_.sharing == Sharing::warp)
    wrong("sharing", "warp, but each loading thread is a block of its own; write 'handoff' or 'lock'");
  if (s_.probe == ProbeQueue::shared && !builds_on_gpu(s_.path) && s_.path != Path::cpu_proxy)
    wrong("probe", "shared, but each thread has a queue pair of its own here; write 'probe: reserved'");
}

void Checker::proxies() {
  if (sharers() % s_.rings != 0)
    return wrong("rings", text::write(sharers()) + " threads don't share " + text::write(s_.rings) +
                              " rings evenly; write a divisor of 'threads'");
  if (s_.load > 0 && s_.probe == ProbeQueue::shared && !s_.system.proxy.reserve)
    return wrong("probe",
                 "shared, and proxy " + s_.proxy +
                     " has one producer a ring; write 'probe: reserved', or 'proxy.reserve: true' under 'set'");
  if (s_.rings < sharers() && !s_.system.proxy.reserve)
    return wrong("rings",
                 text::write(sharers() / s_.rings) + " threads share one, and proxy " + s_.proxy +
                     " has one producer a ring; leave 'rings' out, or write 'proxy.reserve: true' under 'set'");
  if (s_.workers > s_.rings)
    return wrong("workers", text::write(s_.workers) + ", but there are only " + text::write(s_.rings) +
                                " rings to serve; write at most that");
  if (s_.qps > s_.rings || s_.qps < s_.workers || (s_.qps != s_.rings && s_.qps % s_.workers != 0))
    return wrong("qps", text::write(s_.qps) + " queue pairs, " + text::write(s_.workers) + " workers and " +
                            text::write(s_.rings) + " rings: a worker has its own, a ring at most one; write " +
                            "a multiple of 'workers' up to 'rings', or leave it out");
  const Count held = s_.depth * rings_a_queue(s_);
  if (held > 32'768)
    wrong("qps", "one takes the requests of " + text::write(rings_a_queue(s_)) + " rings of " +
                     text::write(s_.depth) + ", and holds 32768; write more, or a smaller depth");
}

}  // namespace gicsim::schema::detail
