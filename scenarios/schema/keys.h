// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/schema/scenario.h"

namespace gicsim::schema {

/// A key that a scenario file must give, and one that it may leave out.
inline constexpr Source required{Provenance::user, "required", true};
inline constexpr Source optional_key{Provenance::user, "default"};

template <class V>
constexpr void describe(V&& v, Scenario& s) {
  v("name", s.name, "what reports call it; left out: the file's name", optional_key);
  v("about", s.about, "one sentence: what is asked of which machine", optional_key);
  v("system", s.system.name, "configs/systems/NAME.yaml, or a file relative to this one", required);
  v("pattern", s.pattern, "what is done", required);
  v("path", s.path, "who initiates it; of a probe (launch, copy_engine, fence, ...): none", required);
  v("bytes", s.bytes, "payload of one operation", optional_key, within(1_B, 1_GiB));
  v("ordering", s.ordering, "what the posting GPU thread executes before the doorbell (gpu_direct, cpu_doorbell)",
    optional_key);
  v("atomic", s.atomic, "which one (pattern atomic)", optional_key);
  v("signal", s.signal, "how the receiver is told that the data are there (put_signal)", optional_key);
  v("scope", s.scope, "what the completion routine waits for (quiet)", optional_key);
  v("operation", s.operation, "what a stream consists of (put_bw, message_rate); 'send': of a put or ping_pong, too", optional_key);
  v("payload", s.payload,
    "inline: in the WQE; read: the NIC fetches it. Left out: inline where it fits", optional_key);
  v("queues", s.queues, "memory of send queue, completion queue and doorbell record (gpu_direct, cpu_doorbell)",
    optional_key);
  v("library", s.library, "instruction costs on the GPU: configs/parts/libraries/NAME.yaml",
    optional_key);
  v("proxy", s.proxy, "the CPU proxy (cpu_proxy): configs/parts/proxies/NAME.yaml", optional_key);
  v("verbs", s.verbs, "verbs library of a posting or ringing CPU thread: configs/parts/verbs/NAME.yaml", optional_key);
  v("runtime", s.runtime, "the CUDA runtime's calls on a CPU thread: configs/parts/runtimes/NAME.yaml", optional_key);
  v("gdr", s.gdr, "what touches GPU memory: the NIC's read at the sender, its write at the receiver (cpu_post)",
    optional_key);
  v("receiver", s.receiver,
    "who polls for arrivals (cpu_post). Left out: gpu where data land in GPU memory, but cpu in a ping_pong",
    optional_key);
  v("staging", s.staging,
    "host memory of copies: pinned, or pageable behind a pinned bounce buffer (host_staged, copy_engine)",
    optional_key);
  v("direction", s.direction, "of a copy_engine's copy; both: one each way at once, of that many bytes each", optional_key);
  v("memory", s.memory, "what a probe of the GPU touches (host_load, host_store, fence, host_atomic)", optional_key);
  v("semantics", s.semantics, "of a fence: acquire and release, sequentially consistent, or a releasing store",
    optional_key);
  v("fence_scope", s.fence_scope, "whom a fence orders for: threads of the GPU, or the whole system", optional_key);
  v("stores", s.stores, "of 8 B to 'memory', outstanding when the fence is executed", optional_key, within(0, 4096));
  v("window", s.window, "host memory that the device touches (dma_*)", optional_key, within(1_B, 64_GiB));
  v("access", s.access, "where in it (dma_*)", optional_key);
  v("cache", s.cache, "warm: a core has just touched it, and the last-level cache has what fits (dma_*)", optional_key);
  v("lazy_init", s.lazy_init,
    "on: a connection's first operation connects and registers memory; off: done before the run", optional_key);
  v("threads", s.threads, "posting threads", optional_key, within(1, 270'336));
  v("sms", s.sms, "multiprocessors that the threads are spread over", optional_key, within(1, 1024));
  v("qps", s.qps,
    "queue pairs; fewer than threads: shared by neighbours; more: a thread takes turns. Left out: as many as threads; "
    "of a proxy, as rings",
    optional_key, within(1, 131'072));
  v("workers", s.workers, "CPU threads of a node's proxy, each on a core of its own (cpu_proxy)", optional_key,
    within(1, 1024));
  v("rings", s.rings,
    "of requests to the proxy, dealt out to the workers in turn; fewer than threads: shared by neighbours. Left out: "
    "as many as threads",
    optional_key, within(1, 4096));
  v("sharing", s.sharing, "how threads share a queue pair (gpu_direct, cpu_doorbell)", optional_key);
  v("doorbell", s.doorbell,
    "batch: every batch is rung; latest: no thread rings whose successor will; latest_atomic: threads hand on first, then "
    "ring if an atomic says that theirs is the newest index (handoff)",
    optional_key);
  v("load", s.load,
    "ping_pong: thread blocks of one thread that put at both ends meanwhile, each on its multiprocessor", optional_key,
    within(0, 1024));
  v("load_bytes", s.load_bytes, "what each of these puts", optional_key, within(1_B, 1_GiB));
  v("load_gap", s.load_gap, "least time between two of its batches; 0: as fast as its queue takes them", optional_key,
    within(0ns, 1s));
  v("probe", s.probe, "the ping's queue pair: its own, or the first of the load's", optional_key);
  v("batch", s.batch, "WQEs a doorbell", optional_key, within(1, 32'768));
  v("depth", s.depth, "entries of a send queue", optional_key, powers_of_two(1, 32'768));
  v("iterations", s.iterations, "operations measured, a thread", optional_key,
    within(1, 1'000'000'000));
  v("warmup", s.warmup, "operations before, not measured", optional_key, within(0, 1'000'000'000));
  v("seed", s.seed, "of all random streams", optional_key, at_least(0));
  v("drop", s.drop,
    "packets that get lost, a comma between them: WIRE DIRECTION PACKET N, e.g. 'node0.nic0.link up ack 3'",
    optional_key);
  v("footprint", s.footprint, "memory that dependent loads walk through in no order, round and round; 0: one line (host_load)",
    optional_key, within(0_B, 512_GiB));
  v("stride", s.stride, "apart lie the places that they visit, a power of two of them", optional_key, within(8_B, 1_GiB));
  v("flows", s.flows,
    "GPU-NIC pairs of a node that carry the pattern at once, a comma between them: 'gpu0-nic0, gpu1-nic0'; each with "
    "'threads' and 'qps' of its own",
    optional_key);
  v("fault", s.fault,
    "devices that fail, a comma between them: DEVICE FAULT at TIME, or DEVICE FAULT N for its Nth answer, e.g. "
    "'node0.gpu0 fatal at 40 us', 'node1.gpu0 lost_completion 3'",
    optional_key);
  v("retry", s.retry,
    "times that the poster makes new queue pairs and repeats a round that ended in error (put, get, atomic; gpu_direct)",
    optional_key, within(0, 1000));
  v("expect", s.expect, "how the run should end; anything else is exit code 1", optional_key);
  v("relaxed_ordering", s.relaxed_ordering,
    "which of the NICs' writes have PCIe's relaxed ordering: none; data; flags and CQEs, too", optional_key);
  v("placement", s.placement, "order in which a receiving NIC writes a queue pair's packets to memory", optional_key);
  v("signal_queue", s.signal_queue, "queue pair of the signal: that of its data, or another one (put_signal)",
    optional_key);
  v("poll_load", s.poll_load, "load of the receiving GPU thread's polling loop; cached: a plain one, through its L1",
    optional_key);
  v("flush", s.flush,
    "receiver, before it uses data in GPU memory: reads that memory; has the NIC read it through a queue pair connected to "
    "itself, as NCCL does; has the node's next NIC do so (cpu_post, receiver cpu)",
    optional_key);
  v("role", s.role,
    "whose contexts count (streams): pair: either NIC's; send: the far NIC stands for many, which lack none; receive: the near "
    "one does; both: either NIC posts to the other, and rates are of one of them",
    optional_key);
  v("visit", s.visit, "writes to a queue pair, or DC target, before its thread goes to its next one (streams); 0: one batch", optional_key,
    within(0, 1'000'000));
  v("processes", s.processes, "of a node, over which threads and queue pairs are spread evenly; each opens the NIC anew",
    optional_key, within(1, 65'536));
  v("doorbell_register", s.doorbell_register,
    "a register in a doorbell page for each queue pair, or one for each process, whose threads take turns at it",
    optional_key);
  v("record", s.record, "doorbell record: written before the doorbell, after it, or not at all (gpu_direct)", optional_key);
  v("beside", s.beside, "a kernel that runs on all GPUs meanwhile: configs/parts/kernels/NAME.yaml; none", optional_key);
  v("copy_load", s.copy_load, "copies between GPU and pinned host memory meanwhile, one after another on each GPU",
    optional_key);
  v("copy_load_bytes", s.copy_load_bytes, "of one of these copies", optional_key, within(1_B, 1_GiB));
  v("storage", s.storage, "what the other bus masters of the machine (dma0 ..) do meanwhile: storage that is read writes to memory",
    optional_key);
  v("storage_memory", s.storage_memory, "theirs: of the host, or of gpu0", optional_key);
  v("storage_bytes", s.storage_bytes, "of one of their accesses", optional_key, within(1_B, 16_MiB));
  v("storage_depth", s.storage_depth, "accesses under way at each of them", optional_key, within(1, 1024));
  v("cpu_load", s.cpu_load, "share of its core that other programs take from each CPU thread that takes part",
    optional_key, within(Probability{}, Probability::steps(Probability::certain / 100 * 99)));
  v("cpu_load_at", s.cpu_load_at, "they run on the same core, by turns, or on its other hardware thread", optional_key);
  v("push", s.push,
    "the WQE is stored to the NIC with its doorbell (BlueFlame): by the thread, 16 B at a time, or by its warp, 64 B "
    "(gpu_direct)",
    optional_key);
  v("registered", s.registered, "of each GPU's memory, with its NIC. Left out: the buffers", optional_key,
    within(0_B, 4096 * 1_GiB));
  v("transport", s.transport, "what queue pairs speak; ud: datagrams, for 'operation: send' of at most a packet; dc: dynamically connected",
    optional_key);
  v("targets", s.targets, "DC: far queue pairs that each thread's operations go to in turn; at most 'qps'", optional_key,
    within(1, 4096));
  v("wrong", s.wrong, "what is wrong with what the near side asks for, or with what the far side has prepared",
    optional_key);
  v("word", s.word, "of atomics: each thread's own, or one for all, in memory or in the far NIC's own", optional_key);
  v("word_load", s.word_load, "a thread of the far GPU, or of a far CPU, that adds to the first thread's word meanwhile", optional_key);
  v("word_load_gap", s.word_load_gap, "from one of its atomics to the next; 0: back to back", optional_key, within(0ns, 1s));
  v("traffic", s.traffic,
    "who sends to whom in a stream: node 0 to node 1; all others to node 0; each node to each other one; each to "
    "the one 'shift' further on",
    optional_key);
  v("senders", s.senders, "of an incast: nodes 1 to so many send; 0: all", optional_key, within(0, 1023));
  v("shift", s.shift, "of 'traffic: shift': how much further on the receiver is", optional_key, within(1, 1023));
  v("stagger", s.stagger, "from one flow's first post to the next one's", optional_key, within(0ns, 1s));
  v("service_levels", s.service_levels, "priorities of queue pairs, 0 to 7, dealt out to the flows in turn: '3, 0'",
    optional_key);
  v("dcqcn", s.dcqcn,
    "DCQCN on all NICs and ECN on all switches: configs/parts/congestion/NAME.yaml; none (RoCE; fabric.flow_control "
    "not ideal)",
    optional_key);
  v("ib_cc", s.ib_cc, "InfiniBand's congestion control on all NICs and switches (fabric.flow_control: credits)",
    optional_key);
  v("flap", s.flap, "cables that go down, a comma between them: CABLE at TIME for TIME, e.g. 'node0.nic0.link at 40 us for 2 ms'",
    optional_key);
  v("cq", s.cq, "of a send queue: one slot that is written over, or a ring with an owner bit and a consumer index (ring: "
    "gpu_direct, cpu_doorbell)", optional_key);
  v("shared_cq", s.shared_cq,
    "on: all queue pairs of a thread complete into one ring, whose CQEs name theirs; where threads have one each, those of "
    "all threads do (cq: ring)",
    optional_key);
  v("cq_depth", s.cq_depth, "entries of a completion queue (cq: ring)", optional_key, powers_of_two(1, 16'384));
  v("cq_overrun", s.cq_overrun, "check: a NIC that finds its ring full ends the queue; ignore: it writes over CQEs (cq: ring)",
    optional_key);
  v("cq_initial", s.cq_initial, "bits of a completion queue's memory before the first CQE; ones are right", optional_key);
  v("poller", s.poller,
    "what a GPU thread makes of a CQE: opcode, then counter; the counter alone; success alone; the counter, widened, as a "
    "maximum (gpu_direct, cpu_doorbell)",
    optional_key);
  v("reserve", s.reserve, "blind: a stream's posters take it that their slots are free (gpu_direct, cpu_doorbell)",
    optional_key);
  v("in_flight", s.in_flight, "of a stream: operations of a thread under way at most. 0: a quarter of its iterations",
    optional_key, within(0, 1'000'000));
  v("signal_every", s.signal_every, "of a stream: WQEs a CQE, whole batches of them; 1: a batch", optional_key,
    within(1, 1'000'000));
  v("wrap", s.wrap, "of a WQE of several units at its send queue's end (gpu_direct)", optional_key);
  v("segments", s.segments, "of a scatter list: pieces of own memory that a put is read from or a get written to",
    optional_key, within(1, 30));
  v("proxy_wakeup", s.proxy_wakeup, "how its workers learn of CQEs: they poll, or an interrupt wakes them (cpu_proxy)",
    optional_key);
  v("mistake", s.mistake, "what the poster's author got wrong (gpu_direct; index_memory: cpu_doorbell)", optional_key);
  v("early_ring", s.early_ring, "on: the poster rings before it writes the doorbell record, and after (gpu_direct)",
    optional_key);
  v("record_memory", s.record_memory, "of doorbell records: where the queues are, of the GPU, of the host", optional_key);
  v("barrier", s.barrier, "who tells whom (barrier)", optional_key);
  v("grid", s.grid, "blocks of the launched kernel, which begins when all of them have room (launch)", optional_key,
    within(1, 1'000'000));
  v("block_threads", s.block_threads, "threads of each of them (launch)", optional_key, within(1, 1024));
  v("block_registers", s.block_registers, "registers of 32 bits of each of these (launch)", optional_key, within(1, 255));
  v("block_shared", s.block_shared, "shared memory of a block of the launched kernel (launch)", optional_key,
    within(0_B, 1_MiB));
  v("stream_priority", s.stream_priority, "whether it goes before other kernels' blocks that wait for room (launch)",
    optional_key);
}

/// What a system file says beside its parts and parameters.
struct SystemKeys {
  std::string name;
  std::string about;
  Count nodes = 2;
  Count pairs = 1;
  Attach attach = Attach::pcie_switch;
  std::string tree;
  Count sockets = 1;
  Count host_socket = 0;
  Count fabric_switches = 1;
  Topology fabric = Topology::chain;
  Count leaves = 2;
  Count spines = 2;
};

template <class V>
constexpr void describe(V&& v, SystemKeys& s) {
  v("name", s.name, "what reports call it; left out: the file's name", optional_key);
  v("about", s.about, "one sentence: which machine", optional_key);
  v("nodes", s.nodes, "machines", required, within(1, 1024));
  v("pairs", s.pairs, "GPU and NIC pairs of a node; a tree says so itself", optional_key, within(1, 16));
  v("attach", s.attach,
    "how a GPU meets its NIC: one PCIe switch, a coherent CPU link, root ports; no_nic: it has none; dma: neither, but another bus master; tree: as 'tree' says",
    required);
  v("tree", s.tree, "what is plugged in where: 'switch0: root0, gpu0: switch0, nic0: switch0', or a map with a line each",
    optional_key);
  v("sockets", s.sockets, "CPU sockets of a node; slot.socket says where devices hang", optional_key, within(1, 4));
  v("host_socket", s.host_socket, "socket whose memory and cores the paths use", optional_key, within(0, 3));
  v("fabric_switches", s.fabric_switches, "fabric switches between two NICs, in a chain; 0: back to back",
    optional_key, within(0, 16));
  v("fabric", s.fabric,
    "how switches stand: a chain of fabric_switches with node 0 at its head; leaf_spine: 'leaves' that share the "
    "nodes, each with a link to each of 'spines'; ring: fabric_switches that share the nodes, all goes round one way",
    optional_key);
  v("leaves", s.leaves, "of a leaf_spine", optional_key, within(1, 256));
  v("spines", s.spines, "of a leaf_spine", optional_key, within(1, 64));
}

}  // namespace gicsim::schema
