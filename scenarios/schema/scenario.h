// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/base/errors.h"
#include "models/gpu/params.h"
#include "models/host/params.h"
#include "models/link/params.h"
#include "models/nic/params.h"
#include "models/pcie/params.h"
#include "scenarios/schema/path_params.h"
#include "traces/result/names.h"

/// A scenario after reading: typed, complete, every value with its origin.
namespace gicsim::schema {

/// How a GPU meets its NIC: both under one PCIe switch, or the GPU behind a coherent CPU link.
enum class Attach { pcie_switch, coherent };
constexpr auto names_of(Attach) { return std::array<std::string_view, 2>{"pcie_switch", "coherent"}; }

/// A GPU, its NIC and what lies between them. Instances: node0.gpu0, node0.gpu0.port,
/// node0.gpu0.pcie (or node0.gpu0.c2c, then without a port), node0.switch0, node0.switch0.pcie,
/// node0.nic0, node0.nic0.port, node0.nic0.pcie, node0.nic0.link.
struct PairSpec {
  gpu::GpuParams gpu;
  pcie::EndpointParams gpu_port;
  pcie::LinkParams gpu_pcie;         ///< attach: pcie_switch
  pcie::CoherentParams gpu_c2c;      ///< attach: coherent
  pcie::SwitchParams pcie_switch;    ///< attach: pcie_switch
  pcie::LinkParams switch_pcie;      ///< its uplink to the root complex
  nic::NicParams nic;
  pcie::EndpointParams nic_port;
  pcie::LinkParams nic_pcie;
  link::WireParams nic_link;
};

/// Instances: node0.host, node0.host.port, node0.root.
struct NodeSpec {
  host::HostParams host;
  pcie::EndpointParams host_port;
  pcie::RootParams root;
  std::vector<PairSpec> pairs;
};

/// Instances: fabric.switch0 .., fabric.link0 .. (between switches, one fewer).
struct SystemSpec {
  std::string name, about;
  std::vector<std::string> notes;  ///< said on every report
  Attach attach = Attach::pcie_switch;
  std::vector<NodeSpec> nodes;
  std::vector<link::SwitchParams> fabric_switches;  ///< a chain; NICs of node 0 at its head, others at its tail
  std::vector<link::WireParams> fabric_links;
  paths::LibraryParams library;
  paths::ProxyParams proxy;
};

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
  Count threads = 1;     ///< posters
  Count sms = 1;         ///< multiprocessors that they are spread over
  Count qps = 1;
  Count workers = 1;     ///< CPU threads of a proxy
  Count rings = 1;       ///< between GPU threads and workers
  Sharing sharing = Sharing::exclusive;
  Doorbell doorbell = Doorbell::batch;
  Count batch = 1;       ///< WQEs a doorbell
  Count depth = 1024;    ///< entries of a send queue
  Count iterations = 1000;
  Count warmup = 10;
  Count seed = 1;
  Status expect = Status::done;
  SystemSpec system;
  std::vector<Resolved> parameters;  ///< all of them, in order of instance and declaration
  std::vector<std::string> warnings;  ///< what was given and changes nothing; for every report
};

/// Of a proxy: how many rings share one queue pair at most.
constexpr Count rings_a_queue(const Scenario& s) { return (s.rings + s.qps - 1) / s.qps; }

}  // namespace gicsim::schema
