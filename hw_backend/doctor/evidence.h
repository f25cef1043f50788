// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gicsim::hw::checkup {

/// A fact, or why it isn't known.
template <class T>
class Known {
 public:
  Known() = default;
  Known(T value) : value_(std::move(value)) {}
  static Known unknown(std::string why) {
    Known k;
    k.why_ = std::move(why);
    k.told_ = true;
    return k;
  }
  explicit operator bool() const { return value_.has_value(); }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return &*value_; }
  const std::string& why() const { return why_; }
  /// Keeps what is known already, and the first reason where nothing is.
  void fill(const Known& other) {
    if (!value_ && (other.value_ || !told_)) *this = other;
  }

 private:
  std::optional<T> value_;
  std::string why_ = "nothing that was read says so";
  bool told_ = false;
};

using Counts = std::map<std::string, long>;

/// GT/s and lanes of a link, now and at most; 0: not told.
struct Link {
  double speed = 0, most_speed = 0;
  int lanes = 0, most_lanes = 0;
  bool loaded = false;  ///< `speed` was read while data flowed: an idle GPU slows its link down
};

struct DeviceControl {
  bool relaxed_ordering = false;
  int payload = 0, most_payload = 0, read_request = 0;  ///< B: MPS now and at most, MRRS
};

/// Bits of the ACS control word (PCIe Base 5.0, 7.7.8.3).
enum AcsBit : unsigned {
  source_validation = 1,
  request_redirect = 4,
  completion_redirect = 8,
  upstream_forwarding = 16,
  direct_translated = 64
};

struct PciFunction {
  enum class Kind { gpu, nic, bridge };
  std::string address;  ///< 0000:18:00.0
  Kind kind = Kind::bridge;
  std::string name;      ///< mlx5_0, or what lspci calls it
  std::string parent;    ///< address of the bridge above; empty: the root complex
  std::string root_bus;  ///< 0000:15; empty: not known
  Known<int> numa_node;
  Known<Link> link;
  Known<unsigned> acs;  ///< control word; 0 also where the port has no such capability
  Known<DeviceControl> control;
  Known<bool> ats;
  Known<std::string> iommu;  ///< type of its group: identity, DMA, DMA-FQ; "none" without a group
  Known<Counts> errors;      ///< that AER counted since boot
  bool flags_only = false;   ///< `errors` are lspci's flags, without counts
  Counts grown;              ///< while doctor loaded the link
};

struct Gpu {
  std::string address, name;
  Known<std::uint64_t> memory, bar1;  ///< B
  Known<bool> persistence;
  Known<std::vector<std::string>> slowdowns;  ///< reasons that hold the clock down now
  Known<int> sm_clock, most_sm_clock;         ///< MHz
  Known<bool> dma_buf;                        ///< the driver's own attribute
};

struct Gid {
  int index = 0;
  std::string value, type;
};

struct Port {
  int number = 1;
  std::string state, physical, link_layer;  ///< ACTIVE, LinkUp, Ethernet
  Known<double> rate;                       ///< Gb/s
  Known<int> active_mtu, most_mtu, netdev_mtu;
  Known<std::vector<Gid>> gids;
  Known<Counts> counters;
  Known<bool> ecn;  ///< RoCE congestion control, of any priority
};

struct Nic {
  std::string name, address, firmware;
  bool mlx5 = true;
  std::vector<Port> ports;
};

/// A call that was tried on this machine.
struct Trial {
  bool worked = false;
  int error = 0;  ///< CUDA's number, or errno
  std::string text;
};

struct Driver {
  Known<std::string> version;
  Known<bool> open;             ///< open kernel modules, not the closed ones
  Known<std::string> registry;  ///< RegistryDwords of /proc/driver/nvidia/params
  Known<std::vector<std::string>> modules;
};

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

struct Process {
  Known<bool> root, ipc_lock;
  Known<std::uint64_t> memlock;
  Known<std::string> scatter_to_cqe;             ///< MLX5_SCATTER_TO_CQE; empty: not set
  Known<std::string> container;                  ///< empty: none seen
  Known<std::vector<std::string>> closed_files;  ///< device files that are there and can't be opened
  Known<std::uint64_t> cgroup_memory;
  Known<std::string> cgroup_rdma;  ///< its rdma.max; empty: no limit
};

struct Platform {
  Known<std::string> hypervisor;  ///< empty: none seen
  Known<bool> iommu;
  Known<std::string> command_line;
};

/// All that is known of a machine. Collection on it and --from both fill this; checks read nothing else.
struct Evidence {
  std::vector<PciFunction> functions;  ///< GPUs, RDMA NICs and bridges, by address
  std::vector<Gpu> gpus;
  std::vector<Nic> nics;  ///< as verbs names them; from saved outputs without a PCI address
  std::string no_gpu = "no GPU was found", no_nic = "no RDMA NIC was found";
  struct Told {
    std::string gpu, nic, kind;
  };
  std::vector<Told> distances;  ///< as `nvidia-smi topo -m` tells them
  Driver driver;
  Process process;
  Platform platform;
  Known<Trial> uar, devx, peermem, dma_buf;

  const PciFunction* at(const std::string& address) const;
  std::vector<const PciFunction*> of(PciFunction::Kind kind) const;
  Gpu& gpu(const std::string& address);  ///< that one, made where it is missing
  bool has_gpu() const { return !gpus.empty() || !of(PciFunction::Kind::gpu).empty(); }
  bool has_nic() const { return !nics.empty() || !of(PciFunction::Kind::nic).empty(); }
  bool in_vm() const { return platform.hypervisor && !platform.hypervisor->empty(); }
};

}  // namespace gicsim::hw::checkup
