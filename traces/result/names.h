// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

/// The words that simulator and hardware back-end share. C++17 and the standard library only.
/// Each enum has its names beside it, in order of value.
namespace gicsim {

/// The simulator runs the first `simulated_patterns`; of the others there are records only, measured or published.
enum class Pattern {
  put, get, atomic, put_signal, quiet, ping_pong, put_bw, message_rate, launch, copy_engine,
  host_load, host_store, fence, host_atomic, doorbell_echo,
  dma_read, dma_write_read, dma_read_bw, dma_write_bw, dma_rw_bw,
  bar_write, bar_ping_pong,
  barrier, send, broadcast, reduce, gather, scatter, all_gather, reduce_scatter, all_reduce, all_to_all,
  send_recv, moe_dispatch, pipeline
};
constexpr auto names_of(Pattern) {
  return std::array<std::string_view, 35>{
      "put",       "get",        "atomic",     "put_signal",     "quiet",         "ping_pong",  "put_bw",
      "message_rate", "launch",  "copy_engine", "host_load",     "host_store",    "fence",      "host_atomic",
      "doorbell_echo", "dma_read", "dma_write_read", "dma_read_bw", "dma_write_bw", "dma_rw_bw",
      "bar_write", "bar_ping_pong",
      "barrier",    "send",       "broadcast",      "reduce",        "gather",     "scatter",
      "all_gather", "reduce_scatter", "all_reduce", "all_to_all", "send_recv",    "moe_dispatch", "pipeline"};
}
constexpr std::size_t simulated_patterns = 23;

/// A probe asks one machine for one thing; nothing is submitted to a NIC.
constexpr bool is_probe(Pattern p) { return p >= Pattern::launch && p <= Pattern::bar_ping_pong; }

/// Of a CPU thread that stores into a GPU's window.
constexpr bool is_bar_probe(Pattern p) { return p == Pattern::bar_write || p == Pattern::bar_ping_pong; }

/// Of a GPU thread; the others are a CPU thread's calls.
constexpr bool is_gpu_probe(Pattern p) { return p >= Pattern::host_load && p <= Pattern::doorbell_echo; }

/// Of a DMA device, at host memory.
constexpr bool is_dma(Pattern p) { return p >= Pattern::dma_read && p <= Pattern::dma_rw_bw; }

/// Threads post as fast as their queues take messages.
constexpr bool is_stream(Pattern p) {
  return p == Pattern::put_bw || p == Pattern::message_rate || (p >= Pattern::dma_read_bw && p <= Pattern::dma_rw_bw);
}

/// What one operation of a stream is.
enum class Verb { put, get, fetch_add, compare_swap, send };
constexpr auto names_of(Verb) {
  return std::array<std::string_view, 5>{"put", "get", "fetch_add", "compare_swap", "send"};
}
constexpr bool is_atomic(Verb v) { return v == Verb::fetch_add || v == Verb::compare_swap; }
/// Carries data to the far side, and isn't answered by any.
constexpr bool carries(Verb v) { return v == Verb::put || v == Verb::send; }

enum class Atomic { fetch_add, compare_swap };
constexpr auto names_of(Atomic) { return std::array<std::string_view, 2>{"fetch_add", "compare_swap"}; }

/// How the receiver of a put is told: a fetch-add on a word, a write to a word, or an immediate in the
/// put itself, whose completion it polls.
enum class Signal { atomic, flag, immediate };
constexpr auto names_of(Signal) { return std::array<std::string_view, 3>{"atomic", "flag", "immediate"}; }

/// What a completion routine waits for: all queue pairs of its thread, used or not; the one that was
/// used; the completion of a signal that was sent behind the data.
enum class Scope { all, qp, signal };
constexpr auto names_of(Scope) { return std::array<std::string_view, 3>{"all", "qp", "signal"}; }

/// Who initiates. `none`: a probe.
enum class Path { gpu_direct, cpu_proxy, cpu_post, cpu_doorbell, host_staged, stream_triggered, none };
constexpr auto names_of(Path) {
  return std::array<std::string_view, 7>{"gpu_direct",  "cpu_proxy",        "cpu_post", "cpu_doorbell",
                                         "host_staged", "stream_triggered", "none"};
}
/// GPU threads build the WQEs.
constexpr bool builds_on_gpu(Path p) { return p == Path::gpu_direct || p == Path::cpu_doorbell; }

/// What the posting thread executes between WQE, doorbell record and doorbell.
enum class Ordering { none, gpu_fence, gpu_fence_dbr, gpu_release, threadfence, sys_release, sys_fence };
constexpr auto names_of(Ordering) {
  return std::array<std::string_view, 7>{"none",        "gpu_fence",   "gpu_fence_dbr", "gpu_release",
                                         "threadfence", "sys_release", "sys_fence"};
}

/// Whether the payload travels in the WQE or is read by the NIC.
enum class Payload { inlined, read };
constexpr auto names_of(Payload) { return std::array<std::string_view, 2>{"inline", "read"}; }

/// The memory that holds send queue, completion queue and doorbell record.
enum class Queues { gpu, host };
constexpr auto names_of(Queues) { return std::array<std::string_view, 2>{"gpu", "host"}; }

/// How threads that post to one queue pair keep out of each other's way: each has its own; a lock
/// a WQE; slots reserved at once and published in that order; one reservation and doorbell a warp.
enum class Sharing { exclusive, lock, handoff, warp };
constexpr auto names_of(Sharing) {
  return std::array<std::string_view, 4>{"exclusive", "lock", "handoff", "warp"};
}

/// Through which queue a probe goes while others load the machine: its own, or the load's first.
enum class ProbeQueue { reserved, shared };
constexpr auto names_of(ProbeQueue) { return std::array<std::string_view, 2>{"reserved", "shared"}; }

/// Who rings: whoever completes a batch; whoever has no successor that will.
enum class Doorbell { batch, latest, latest_atomic };
constexpr auto names_of(Doorbell) { return std::array<std::string_view, 3>{"batch", "latest", "latest_atomic"}; }

/// What each NIC does on the connections of a stream.
enum class Role { pair, send, receive, both };
constexpr auto names_of(Role) { return std::array<std::string_view, 4>{"pair", "send", "receive", "both"}; }

/// Whose a doorbell register is.
enum class Register { queue, process };
constexpr auto names_of(Register) { return std::array<std::string_view, 2>{"queue", "process"}; }

/// When a poster updates the doorbell record.
enum class RecordOrder { before, after, none };
constexpr auto names_of(RecordOrder) { return std::array<std::string_view, 3>{"before", "after", "none"}; }

/// Which halves of a put that a CPU posts touch GPU memory: the NIC's read of the payload, its write
/// at the far side. A half that doesn't uses host memory.
enum class Gdr { both, read, write, none };
constexpr auto names_of(Gdr) { return std::array<std::string_view, 4>{"both", "read", "write", "none"}; }
constexpr bool reads_gpu(Gdr g) { return g == Gdr::both || g == Gdr::read; }
constexpr bool writes_gpu(Gdr g) { return g == Gdr::both || g == Gdr::write; }

/// Whose thread polls for what arrives.
enum class Receiver { gpu, cpu };
constexpr auto names_of(Receiver) { return std::array<std::string_view, 2>{"gpu", "cpu"}; }

/// What a GPU probe touches: memory of its own, host memory.
enum class Memory { hbm, host };
constexpr auto names_of(Memory) { return std::array<std::string_view, 2>{"hbm", "host"}; }

/// What a fence is: of acquire and release, sequentially consistent, or the release of a store.
enum class Semantics { acq_rel, sc, release };
constexpr auto names_of(Semantics) { return std::array<std::string_view, 3>{"acq_rel", "sc", "release"}; }

enum class FenceScope { gpu, system };
constexpr auto names_of(FenceScope) { return std::array<std::string_view, 2>{"gpu", "system"}; }

/// Host memory that a copy engine reads and writes itself, or that a CPU copies to and from.
enum class Staging { pinned, pageable };
constexpr auto names_of(Staging) { return std::array<std::string_view, 2>{"pinned", "pageable"}; }

/// Of a copy: device to host, host to device, or one each way at once.
enum class Direction { d2h, h2d, both };
constexpr auto names_of(Direction) { return std::array<std::string_view, 3>{"d2h", "h2d", "both"}; }

/// What goes wrong with a device: its link, its function, its network port, one of its answers.
enum class Fault {
  surprise_down, fatal, function_reset, silent_reset, port_down, lost_completion, poisoned_completion, aborted_completion
};
constexpr auto names_of(Fault) {
  return std::array<std::string_view, 8>{"surprise_down",   "fatal",           "function_reset",
                                         "silent_reset",    "port_down",       "lost_completion",
                                         "poisoned_completion", "aborted_completion"};
}
/// The others happen at a time, and are over when the device is set up again.
constexpr bool is_misanswer(Fault f) { return f >= Fault::lost_completion; }

/// Where in a window accesses go: one after the other, or anywhere.
enum class Access { sequential, random };
constexpr auto names_of(Access) { return std::array<std::string_view, 2>{"sequential", "random"}; }

/// Whether a core has just touched the window, so that the last-level cache has of it what fits.
enum class Cache { warm, cold };
constexpr auto names_of(Cache) { return std::array<std::string_view, 2>{"warm", "cold"}; }

/// Copies that run meanwhile, back to back on each GPU's engines.
enum class CopyLoad { off, d2h, h2d, both };
constexpr auto names_of(CopyLoad) { return std::array<std::string_view, 4>{"off", "d2h", "h2d", "both"}; }

/// What storage does meanwhile.
enum class Storage { off, read, write };
constexpr auto names_of(Storage) { return std::array<std::string_view, 3>{"off", "read", "write"}; }

/// What a load on a CPU takes of a core that a path's thread runs on: turns, or its other hardware thread.
enum class CpuLoadAt { core, sibling };
constexpr auto names_of(CpuLoadAt) { return std::array<std::string_view, 2>{"core", "sibling"}; }

/// The WQE comes with its doorbell (BlueFlame), by stores of one GPU thread or of a whole warp at once.
enum class Push { off, thread, warp };
constexpr auto names_of(Push) { return std::array<std::string_view, 3>{"off", "thread", "warp"}; }

enum class LazyInit { off, on };
constexpr auto names_of(LazyInit) { return std::array<std::string_view, 2>{"off", "on"}; }

/// Which of a NIC's writes have relaxed ordering: none, what is written to data regions, flags and CQEs too.
enum class RelaxedOrdering { off, data, all };
constexpr auto names_of(RelaxedOrdering) { return std::array<std::string_view, 3>{"off", "data", "all"}; }

/// In which order the receiving NIC writes a queue pair's packets to memory.
enum class Placement { in_order, out_of_order };
constexpr auto names_of(Placement) { return std::array<std::string_view, 2>{"in_order", "out_of_order"}; }

/// Through which queue pair a put's signal goes: that of its data, or another one.
enum class SignalQueue { same, other };
constexpr auto names_of(SignalQueue) { return std::array<std::string_view, 2>{"same", "other"}; }

/// The load of a GPU thread's polling loop: past its L1 (ld.volatile, ld.acquire), or a plain one (ld.ca).
enum class PollLoad { uncached, cached };
constexpr auto names_of(PollLoad) { return std::array<std::string_view, 2>{"volatile", "cached"}; }

/// What a receiver does between a completion and the use of data in GPU memory: nothing; it reads that memory; it has
/// the NIC that wrote them read it, through a queue pair connected to itself; it has another NIC do so.
enum class Flush { none, read, loopback, other_nic };
constexpr auto names_of(Flush) {
  return std::array<std::string_view, 4>{"none", "read", "loopback", "other_nic"};
}

/// Whose blocks find room first, of kernels that wait for it.
enum class StreamPriority { normal, high };
constexpr auto names_of(StreamPriority) { return std::array<std::string_view, 2>{"normal", "high"}; }

/// What queue pairs speak: reliable connection, unreliable datagram, dynamically connected.
enum class Transport { rc, ud, dc };
constexpr auto names_of(Transport) { return std::array<std::string_view, 3>{"rc", "ud", "dc"}; }

/// What is wrong with what a program asks of its NIC: a key that names no region, an address beyond its end, a right
/// that wasn't given; another protection domain at the far queue pair, or that it was left in INIT; receives a byte too
/// short, or none.
enum class Wrong { none, rkey, range, access, lkey, pd, state, length, receive };
constexpr auto names_of(Wrong) {
  return std::array<std::string_view, 9>{"none", "rkey", "range", "access", "lkey", "pd", "state", "length", "receive"};
}

/// The word of an atomic: one of each thread in the far memory, one for all, one for all in the far NIC's own memory.
enum class Word { own, shared, device };
constexpr auto names_of(Word) { return std::array<std::string_view, 3>{"own", "shared", "device"}; }
/// Who sends to whom in a stream: node 0 to node 1; all others to node 0; each node to each other one; each to the node
/// `shift` further on.
enum class Traffic { pair, incast, all_to_all, shift };
constexpr auto names_of(Traffic) {
  return std::array<std::string_view, 4>{"pair", "incast", "all_to_all", "shift"};
}

/// InfiniBand's congestion control.
enum class IbCc { off, on };
constexpr auto names_of(IbCc) { return std::array<std::string_view, 2>{"off", "on"}; }

/// A send queue's completion queue: one slot that each CQE is written over; a ring, whose owner bit flips each time round.
enum class Cq { collapsed, ring };
constexpr auto names_of(Cq) { return std::array<std::string_view, 2>{"collapsed", "ring"}; }

/// Whether a NIC asks for the consumer index before it writes over a CQE that may not have been taken.
enum class CqOverrun { check, ignore };
constexpr auto names_of(CqOverrun) { return std::array<std::string_view, 2>{"check", "ignore"}; }

/// What a completion queue's memory holds before the first CQE.
enum class CqInitial { ones, zeros };
constexpr auto names_of(CqInitial) { return std::array<std::string_view, 2>{"ones", "zeros"}; }

/// What a GPU thread makes of a CQE: its opcode says whether there is one and whether it is an error; its counter alone
/// counts; all but success is taken for not finished; the counter widened, and kept as a maximum.
enum class Poller { opcode, counter, success, maximum };
constexpr auto names_of(Poller) {
  return std::array<std::string_view, 4>{"opcode", "counter", "success", "maximum"};
}

/// Whether a poster makes sure that its slots of the send queue are free.
enum class Reserve { poll, blind };
constexpr auto names_of(Reserve) { return std::array<std::string_view, 2>{"poll", "blind"}; }

/// Of a WQE of several units at a send queue's end: it goes on at the beginning, or a NOP fills up what is left.
enum class Wrap { split, pad };
constexpr auto names_of(Wrap) { return std::array<std::string_view, 2>{"split", "pad"}; }

/// How a proxy's worker learns of CQEs.
enum class Wakeup { polling, event };
constexpr auto names_of(Wakeup) { return std::array<std::string_view, 2>{"polling", "event"}; }

/// What whoever wrote the poster got wrong.
enum class Slip {
  none, record_slot, ownership, consumer_index, doorbell_page, doorbell_value, index_memory, key_order
};
constexpr auto names_of(Slip) {
  return std::array<std::string_view, 8>{"none",          "record_slot",    "ownership",    "consumer_index",
                                         "doorbell_page", "doorbell_value", "index_memory", "key_order"};
}

/// Who tells whom in a barrier: all tell the first, who tells all; in rounds, each the one twice as far as before; a packet
/// that NICs count.
enum class Barrier { flat, dissemination, packet };
constexpr auto names_of(Barrier) { return std::array<std::string_view, 3>{"flat", "dissemination", "packet"}; }

/// When a poster rings: behind the doorbell record, or also before it.
enum class EarlyRing { off, on };
constexpr auto names_of(EarlyRing) { return std::array<std::string_view, 2>{"off", "on"}; }

/// Where the doorbell record lies.
enum class RecordMemory { queues, gpu, host };
constexpr auto names_of(RecordMemory) { return std::array<std::string_view, 3>{"queues", "gpu", "host"}; }

/// Whose threads add to the word of the atomics meanwhile.
enum class WordLoad { off, gpu, cpu };
constexpr auto names_of(WordLoad) { return std::array<std::string_view, 3>{"off", "gpu", "cpu"}; }

/// Whether all queue pairs of a thread complete into one completion queue.
enum class SharedCq { off, on };
constexpr auto names_of(SharedCq) { return std::array<std::string_view, 2>{"off", "on"}; }

enum class Status { done, stuck, ordering_violation, error_completion };
constexpr auto names_of(Status) {
  return std::array<std::string_view, 4>{"done", "stuck", "ordering_violation", "error_completion"};
}

enum class Origin { simulated, measured, published };
constexpr auto names_of(Origin) {
  return std::array<std::string_view, 3>{"simulated", "measured", "published"};
}

/// `completion`: of a get or an atomic, as `put_completion` is of a put. Of a probe: `visible` until what it
/// did is seen by a poller, `synced` until the caller knows, `latency` of one load, fence, atomic or collective.
/// `bus_bandwidth`: of a collective, what a link carries, by the convention of nccl-tests. `flush`: from what told a
/// receiver of its data to the end of its flush; part of `one_way`.
enum class Quantity {
  issue, one_way, put_completion, rtt, bandwidth, message_rate, visible, synced, load_rate, completion, latency,
  bus_bandwidth, flush
};
constexpr auto names_of(Quantity) {
  return std::array<std::string_view, 13>{"issue",     "one_way",    "put_completion", "rtt",           "bandwidth",
                                          "message_rate", "visible", "synced",         "load_rate",     "completion",
                                          "latency",   "bus_bandwidth", "flush"};
}
/// ASCII, fixed by the quantity: latency ns, bandwidth GB/s (decimal), rate Mmsg/s.
constexpr std::string_view unit_of(Quantity q) {
  if (q == Quantity::bandwidth || q == Quantity::bus_bandwidth) return "GB/s";
  return q == Quantity::message_rate || q == Quantity::load_rate ? "Mmsg/s" : "ns";
}

/// The name of an enum value, by the table beside the enum.
template <class Enum>
constexpr std::string_view to_name(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

}  // namespace gicsim
