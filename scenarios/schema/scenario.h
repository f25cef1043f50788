// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "models/base/errors.h"
#include "models/base/spread.h"
#include "models/dma/params.h"
#include "models/gpu/beside.h"
#include "models/gpu/engine_params.h"
#include "models/gpu/mmu.h"
#include "models/gpu/multiprocessors.h"
#include "models/gpu/params.h"
#include "models/host/gate_params.h"
#include "models/host/interrupt_params.h"
#include "models/host/iommu_params.h"
#include "models/host/load.h"
#include "models/host/params.h"
#include "models/link/fabric_params.h"
#include "models/link/errors.h"
#include "models/link/params.h"
#include "models/nic/congestion_params.h"
#include "models/nic/context_params.h"
#include "models/nic/fetch_params.h"
#include "models/nic/limit_params.h"
#include "models/nic/params.h"
#include "models/nic/queue_params.h"
#include "models/nic/transport_params.h"
#include "models/pcie/ats_params.h"
#include "models/pcie/params.h"
#include "models/pcie/slot.h"
#include "scenarios/schema/path_params.h"
#include "traces/result/names.h"

/// A scenario after reading: typed, complete, every value with its origin.
namespace gicsim::schema {

/// How a GPU meets its NIC: both under one PCIe switch, the GPU behind a coherent CPU link, or
/// each under a root port of its own; no_nic: a GPU under a root port, and none; dma: neither, but a
/// DMA device under a root port; tree: as the system's `tree` says.
enum class Attach { pcie_switch, coherent, root_port, no_nic, dma, tree };
constexpr auto names_of(Attach) {
  return std::array<std::string_view, 6>{"pcie_switch", "coherent", "root_port", "no_nic", "dma", "tree"};
}

/// A cable. Beside its own instance, node0.nic0.link: .burst, .fec, .retry and .stress.
struct Cable : link::WireParams {
  link::Errors errors;
};

/// A GPU and a NIC of the same number, of which a tree may have only one. Instances: node0.gpu0,
/// node0.gpu0.port, node0.gpu0.pcie (or node0.gpu0.c2c, then without a port), node0.gpu0.slot,
/// node0.gpu0.front_end, node0.gpu0.copy_engine, node0.gpu0.mmu, node0.gpu0.sm, node0.nic0, node0.nic0.port, node0.nic0.pcie,
/// node0.nic0.slot, node0.nic0.ats, node0.nic0.transport, node0.nic0.fetch, node0.nic0.contexts, node0.nic0.limits,
/// node0.nic0.queues, node0.nic0.link.
struct PairSpec {
  gpu::GpuParams gpu;
  gpu::FrontEndParams front_end;
  gpu::CopyEngineParams copy_engine;
  gpu::MmuParams mmu;
  gpu::MultiprocessorParams sm;
  pcie::EndpointParams gpu_port;
  pcie::LinkParams gpu_pcie;         ///< all but attach: coherent
  pcie::CoherentParams gpu_c2c;      ///< attach: coherent
  pcie::SlotParams gpu_slot;
  nic::NicParams nic;
  pcie::EndpointParams nic_port;
  pcie::LinkParams nic_pcie;
  Cable nic_link;
  pcie::SlotParams nic_slot;
  pcie::AtsParams nic_ats;
  nic::TransportParams nic_transport;
  nic::FetchParams nic_fetch;
  nic::ContextParams nic_contexts;
  nic::LimitParams nic_limits;
  nic::QueueParams nic_queues;
};

/// Instances: node0.switch0, node0.switch0.pcie, its uplink, and node0.switch0.slot.
struct SwitchSpec {
  pcie::SwitchParams params;
  pcie::LinkParams pcie;
  pcie::SlotParams slot;
};

/// Any other bus master. Instances: node0.dma0, node0.dma0.port, node0.dma0.pcie, node0.dma0.slot, node0.dma0.ats.
struct DmaSpec {
  dma::DmaParams params;
  pcie::EndpointParams port;
  pcie::LinkParams pcie;
  pcie::SlotParams slot;
  pcie::AtsParams ats;
};

/// Instances: node0.host, node0.host.port, node0.host.interrupt, node0.host.gate, node0.iommu, node0.root, which describe each socket alike, and
/// node0.upi between any two.
struct NodeSpec {
  host::HostParams host;
  pcie::EndpointParams host_port = pcie::root_complex_port;
  host::InterruptParams interrupt;
  host::GateParams gate;
  pcie::RootParams root;
  pcie::SocketLinkParams upi;
  host::IommuParams iommu;
  std::vector<PairSpec> pairs;         ///< as many as there are GPUs, or NICs if these are more
  std::vector<SwitchSpec> switches;
  std::vector<pcie::RootParams> bridges;  ///< further host bridges: node0.bridge0
  std::vector<DmaSpec> dmas;
};

/// What stands in a node's PCIe tree. A root complex is a socket's; a host bridge hangs off one.
enum class Stand { root, bridge, pcie_switch, gpu, nic, dma };
/// "gpu0: switch1".
struct Plug {
  Stand stand = Stand::gpu;
  std::size_t number = 0;
  Stand under = Stand::root;
  std::size_t under_number = 0;
};

/// How near a NIC is to a GPU of its node, in the words of `nvidia-smi topo`: one PCIe switch at most,
/// several, one host bridge, several of a socket, or across sockets.
enum class Distance { pix, pxb, phb, node, sys };
constexpr auto names_of(Distance) {
  return std::array<std::string_view, 5>{"PIX", "PXB", "PHB", "NODE", "SYS"};
}

/// A GPU and a NIC, of one node, that carry a pattern.
struct Flow {
  std::size_t gpu = 0, nic = 0;
};

/// What one posting thread's puts cross: from a GPU and a NIC of one node to those of another.
struct Lane {
  std::size_t from = 0, to = 1;
  Flow flow;
  std::uint8_t service_level = 0;
  std::optional<Flow> far{};  ///< at the other end; none: those of the same numbers
  const Flow& to_flow() const { return far ? *far : flow; }
};

/// How fabric switches stand. chain: node 0 at its head, all others at its tail; leaf_spine: each leaf has its share of
/// the nodes, and a link to each spine; ring: each has its share, and all goes round one way.
enum class Topology { chain, leaf_spine, ring };
constexpr auto names_of(Topology) { return std::array<std::string_view, 3>{"chain", "leaf_spine", "ring"}; }

/// A scripted loss on one direction of a cable, by its module's name: node0_nic0_link_up.
struct DropSpec {
  std::string wire;
  link::Drop drop;
};

/// A cable that goes down, and comes up again.
struct FlapSpec {
  std::string cable;               ///< "node0.nic0.link"
  std::vector<std::string> wires;  ///< its directions, by their modules' names
  Picoseconds at{}, lasts{};
  bool of_fault = false;           ///< a fault says so, and tells of it
};

/// A scripted fault of a device.
struct FaultSpec {
  std::size_t node = 0;
  std::string device;  ///< "gpu0"
  Fault fault = Fault::fatal;
  Count nth = 0;       ///< of a misanswer: which of its answers
  Picoseconds at{};    ///< of any other
};

/// Instances: fabric.switch0 .., fabric.link0 .. between switches: of a chain or ring from each to the next, of a
/// leaf_spine from leaf l to spine s number l x spines + s.
struct SystemSpec {
  std::string name, about;
  std::vector<std::string> notes;  ///< said on every report
  Attach attach = Attach::pcie_switch;
  Count sockets = 1;               ///< of a node
  Count host_socket = 0;           ///< whose memory and cores the paths use
  Count gpus = 1, nics = 1;        ///< of a node, as are its
  Count dmas = 0;                  ///< other bus masters
  std::vector<Plug> tree;          ///< attach: tree; of each node
  std::vector<NodeSpec> nodes;
  std::vector<link::SwitchParams>
      fabric_switches;  ///< of a leaf_spine the leaves, then the spines; none: a cable
  std::vector<Cable> fabric_links;
  Topology topology = Topology::chain;
  std::size_t spines = 0;
  link::FabricParams fabric;                      ///< instance: fabric
  link::ArbitrationParams arbitration;            ///< fabric.arbitration
  std::vector<link::BufferParams> fabric_buffers; ///< fabric.switch0.buffer ..
  bool dcqcn_on = false, ib_cc_on = false;        ///< the scenario's
  nic::DcqcnParams dcqcn;                         ///< instance: dcqcn, with the scenario's profile
  link::EcnParams ecn;                            ///< likewise
  nic::IbCcParams ib_cc;
  paths::LibraryParams library;
  paths::ProxyParams proxy;
  Count seed = 1;               ///< the scenario's
  std::vector<DropSpec> drops;  ///< likewise
  RelaxedOrdering relaxed_ordering = RelaxedOrdering::data;  ///< likewise
  Placement placement = Placement::in_order;                 ///< likewise
  paths::VerbsParams verbs;
  paths::RuntimeParams runtime;
  paths::SetupParams setup;
  paths::RecoveryParams recovery;
  std::vector<FaultSpec> faults;  ///< the scenario's
  std::vector<FlapSpec> flaps;    ///< likewise
  SpreadParams spread;
  bool kernel_beside = false;   ///< the scenario's `beside` names one
  gpu::BesideParams beside;
  Cq cq = Cq::collapsed;        ///< likewise, as what follows
  Count cq_depth = 1024;
  CqOverrun cq_overrun = CqOverrun::check;
  RecordMemory record_memory = RecordMemory::queues;
  std::optional<CqInitial> cq_memory;  ///< what a poller sees of it before the first CQE; nothing: it makes no difference
  host::CpuLoad cpu_load;       ///< likewise
  Transport transport = Transport::rc;  ///< likewise
  Wrong wrong = Wrong::none;            ///< likewise
  bool sends = false;                   ///< likewise: SENDs, which need receives
};

constexpr bool has_nics(const SystemSpec& system) { return system.nics > 0; }
/// What is plugged in where on a node, whatever form the system says it in: GPUs, NICs and switches
/// of a pair beside each other.
std::vector<Plug> plugs(const SystemSpec& system, std::size_t node);
/// @param gpu,nic  numbers of their pairs
Distance distance(const SystemSpec& system, std::size_t node, std::size_t gpu, std::size_t nic);

/// A parameter as it was resolved.
struct Resolved {
  std::string instance;  ///< "node0.nic0"
  std::string kind;      ///< "nic"
  std::string name;      ///< "decode"
  std::string value;     ///< "100 ns"
  std::string sentence, bounds;
  Provenance provenance = Provenance::assumed;
  std::string source;    ///< "arXiv 2610.01380, Table 4"
  Location at;           ///< file:line:column; a default in C++ has no line
};

struct Scenario {
  std::string name;   ///< file name without suffix
  std::string file;
  std::string about;
  Pattern pattern = Pattern::put;
  Path path = Path::gpu_direct;
  Bytes bytes = 8_B;
  Ordering ordering = Ordering::gpu_fence;
  Payload payload = Payload::inlined;
  Queues queues = Queues::gpu;
  std::string library = "minimal";  ///< configs/parts/libraries/NAME.yaml
  std::string proxy = "tuned";      ///< configs/parts/proxies/NAME.yaml
  std::string verbs = "rdma_core";  ///< configs/parts/verbs/NAME.yaml
  std::string runtime = "cuda";     ///< configs/parts/runtimes/NAME.yaml
  Atomic atomic = Atomic::fetch_add;
  Signal signal = Signal::atomic;
  Scope scope = Scope::all;
  Verb operation = Verb::put;       ///< of a stream
  Gdr gdr = Gdr::both;
  Receiver receiver = Receiver::gpu;
  Staging staging = Staging::pinned;
  Direction direction = Direction::d2h;
  Memory memory = Memory::host;     ///< of a GPU probe
  Semantics semantics = Semantics::acq_rel;  ///< of a fence, as its scope and the stores before it
  FenceScope fence_scope = FenceScope::gpu;
  Count stores = 0;
  Bytes window = 8_KiB;  ///< of host memory that a DMA device touches
  Access access = Access::sequential;
  Cache cache = Cache::warm;
  LazyInit lazy_init = LazyInit::off;
  Count threads = 1;     ///< posters
  Count sms = 1;         ///< multiprocessors that they are spread over
  Count qps = 1;
  Count workers = 1;     ///< CPU threads of a proxy
  Count rings = 1;       ///< between GPU threads and workers
  Sharing sharing = Sharing::exclusive;
  Doorbell doorbell = Doorbell::batch;
  Count load = 0;        ///< further posters at both ends of a ping_pong
  Bytes load_bytes = 8_B;
  Picoseconds load_gap{};  ///< at least so long between two batches of one of them
  ProbeQueue probe = ProbeQueue::reserved;
  Count batch = 1;       ///< WQEs a doorbell
  Count depth = 1024;    ///< entries of a send queue
  Count iterations = 1000;
  Count warmup = 10;
  Count seed = 1;
  std::string beside = "none";      ///< configs/parts/kernels/NAME.yaml
  CopyLoad copy_load = CopyLoad::off;
  Bytes copy_load_bytes = 1_MiB;    ///< of one such copy
  Storage storage = Storage::off;
  Memory storage_memory = Memory::host;
  Bytes storage_bytes = 128_KiB;    ///< of one access
  Count storage_depth = 16;         ///< under way at a device
  Probability cpu_load;             ///< share of each core's time that others want
  CpuLoadAt cpu_load_at = CpuLoadAt::core;
  Push push = Push::off;            ///< of WQEs that a GPU thread posts one at a time
  Bytes registered{};               ///< of a GPU's memory, with its NIC; 0: the buffers
  std::string drop = "none";  ///< or "node0.nic0.link up ack 3, ..."
  Bytes footprint{};     ///< of a host_load's addresses; 0: one and the same
  Bytes stride = 128_B;  ///< from one to the next
  std::string flows = "gpu0-nic0";  ///< GPU-NIC pairs of a node that carry the pattern, a comma between them
  std::string fault = "none";  ///< or "node0.gpu0 fatal at 40 us, ..."
  Count retry = 0;
  std::string flap = "none";  ///< or "node0.nic0.link at 40 us for 2 ms, ..."
  Status expect = Status::done;
  RelaxedOrdering relaxed_ordering = RelaxedOrdering::data;
  Placement placement = Placement::in_order;
  SignalQueue signal_queue = SignalQueue::same;
  PollLoad poll_load = PollLoad::uncached;
  Flush flush = Flush::none;
  Transport transport = Transport::rc;
  Wrong wrong = Wrong::none;
  Word word = Word::own;
  Role role = Role::pair;
  Count visit = 0;       ///< writes to a queue pair before its poster goes to its next one; 0: a batch
  Count processes = 1;   ///< of a node, over which posters and queue pairs are spread
  Register doorbell_register = Register::queue;
  RecordOrder record = RecordOrder::before;
  Cq cq = Cq::collapsed;
  Count cq_depth = 1024;            ///< entries of a ring
  CqOverrun cq_overrun = CqOverrun::check;
  CqInitial cq_initial = CqInitial::ones;
  Poller poller = Poller::opcode;
  Reserve reserve = Reserve::poll;
  Count in_flight = 0;              ///< of a stream, a thread's at most; 0: a quarter of its iterations
  Count signal_every = 1;           ///< WQEs a CQE, at least a batch
  Wrap wrap = Wrap::split;
  Count segments = 1;               ///< of a WQE's scatter list
  Wakeup proxy_wakeup = Wakeup::polling;
  Slip mistake = Slip::none;
  EarlyRing early_ring = EarlyRing::off;
  RecordMemory record_memory = RecordMemory::queues;
  Barrier barrier = Barrier::flat;
  std::vector<Flow> routes{{}};     ///< the same, read
  Traffic traffic = Traffic::pair;
  Count senders = 0;                ///< of an incast; 0: all other nodes
  Count shift = 1;
  Picoseconds stagger{};            ///< between the first posts of two flows
  std::string service_levels = "0"; ///< dealt out to flows in turn
  std::string dcqcn = "none";       ///< configs/parts/congestion/NAME.yaml
  IbCc ib_cc = IbCc::off;
  std::vector<Lane> lanes{{}};      ///< of a stream: who sends to whom; of anything else node 0 to node 1
  SystemSpec system;
  std::vector<Resolved> parameters;  ///< all of them, in order of instance and declaration
  std::vector<std::string> warnings;  ///< what was given and changes nothing; for every report
  WordLoad word_load = WordLoad::off;
  Picoseconds word_load_gap{};      ///< between two of its atomics
  SharedCq shared_cq = SharedCq::off;
  Count targets = 1;  ///< of DC: far queue pairs that each thread's operations go to in turn
  Count grid = 1;                   ///< of a launched kernel: blocks, and what each of them takes
  Count block_threads = 1;
  Count block_registers = 32;
  Bytes block_shared{};
  StreamPriority stream_priority = StreamPriority::normal;
};

/// The kernel that a probe launches.
inline gpu::Grid launched(const Scenario& s) {
  return {s.grid, {s.block_threads, s.block_registers, s.block_shared}, s.stream_priority == StreamPriority::high};
}

/// Queue pairs of a NIC, from number 1 on, around whose send queues there is room for other rings; and how many there can be
/// at all with so deep ones.
inline constexpr Count roomy_queue_pairs = 4096;
constexpr Count most_queue_pairs(Count depth) {
  return std::max(roomy_queue_pairs, (Count{1} << 34) / (2 * std::max<Count>(depth * 64, 1 << 15))) - 1;
}

/// The longest operation that anyone posts.
inline Bytes longest(const Scenario& s) { return s.load > 0 ? std::max(s.bytes, s.load_bytes) : s.bytes; }
/// Threads that post from each end.
inline Count posters(const Scenario& s) { return s.load > 0 ? 1 + s.load : s.threads; }
/// Of a proxy: how many rings share one queue pair at most.
constexpr Count rings_a_queue(const Scenario& s) { return (s.rings + s.qps - 1) / s.qps; }
/// One completion ring of several threads, which have a queue pair each.
constexpr bool threads_share_cq(const Scenario& s) {
  return s.shared_cq == SharedCq::on && s.threads > 1 && s.qps == s.threads;
}
/// Many operations are under way at once, and a rate is asked for.
constexpr bool streams(const Scenario& s) {
  return is_stream(s.pattern) || ((s.pattern == Pattern::host_load || s.pattern == Pattern::host_store) && s.threads > 1);
}
/// One operation is two copies.
inline bool both_ways(const Scenario& s) {
  return s.pattern == Pattern::copy_engine && s.direction == Direction::both;
}
/// Threads that execute one instruction together, and loads of one that a streaming probe has under way.
inline constexpr Count warp_lanes = 32, loads_a_group = 4;
/// What one operation of the scenario is, and how its receiver is told, if by more than the data.
Verb verb(const Scenario& scenario);
std::optional<Signal> signal(const Scenario& scenario);

}  // namespace gicsim::schema
