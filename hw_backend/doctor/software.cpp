// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// Checks of drivers: what must be loaded, and the calls that were tried.
#include <algorithm>

#include "hw_backend/doctor/check.h"

namespace gicsim::hw::checkup {
namespace {

constexpr int not_permitted = 800, already_registered = 712;                                          // cudaError_t
constexpr int no_memory = 12, no_access = 13, bad_address = 14, no_permission = 1, unsupported = 95;  // errno

bool loaded(const Driver& driver, std::string_view module) {
  return std::find(driver.modules->begin(), driver.modules->end(), module) != driver.modules->end();
}

bool has_mlx5(const Evidence& e) {
  return e.nics.empty() || std::any_of(e.nics.begin(), e.nics.end(), [](const Nic& n) { return n.mlx5; });
}

/// Which part isn't there; empty: all are.
std::string lacks(const Evidence& e, bool gpu) {
  if (gpu && !e.has_gpu()) return e.no_gpu;
  if (!e.has_nic()) return e.no_nic;
  return {};
}

}  // namespace

Finding judge_driver(const Evidence& e) {
  if (!e.has_gpu()) return skipped(e.no_gpu);
  if (e.driver.modules && !loaded(e.driver, "nvidia") && !e.driver.version)
    return fail("an NVIDIA GPU, but no nvidia kernel module", "the driver isn't installed, or not for this kernel",
                "install the data-centre driver with its open kernel modules; 'dkms status' shows for which kernels it "
                "is built");
  if (!e.driver.open) return unknown("open or closed kernel modules: " + e.driver.open.why());
  const std::string version = e.driver.version ? *e.driver.version : "of unknown version";
  if (*e.driver.open) return pass(version + ", open kernel modules");
  return warn(
      version + ", closed kernel modules", "closed kernel modules don't offer GPU memory as a dma-buf",
      "install the open modules (nvidia-open; Turing and later), or load nvidia_peermem where the RDMA stack takes it");
}

Finding judge_uar(const Evidence& e) {
  if (const std::string why = lacks(e, true); !why.empty()) return skipped(why);
  if (!has_mlx5(e)) return skipped("no ConnectX (mlx5) among the NICs");
  const bool allowed = e.driver.registry && e.driver.registry->find("PeerMappingOverride=1") != std::string::npos;
  if (!e.uar) {
    if (allowed) return pass("not tried, but RegistryDwords holds PeerMappingOverride=1");
    return unknown((e.driver.registry ? "RegistryDwords has no PeerMappingOverride, so only root may map it; " : "") +
                   e.uar.why());
  }
  if (e.uar->worked || e.uar->error == already_registered)
    return pass(e.uar->text +
                (allowed || !e.process.root || !*e.process.root ? "" : " (as root; others need PeerMappingOverride)"));
  if (e.uar->error == not_permitted)
    return fail(
        e.uar->text, "only root may map a device's pages into a GPU, unless PeerMappingOverride is set",
        "options nvidia NVreg_RegistryDwords=\"PeerMappingOverride=1;\" in /etc/modprobe.d, rebuild the initramfs, "
        "reboot; /proc/driver/nvidia/params then shows it. Without it a CPU proxy must ring the doorbell");
  return fail(e.uar->text, "the driver refuses to map the NIC's doorbell page",
              "update the driver; until then a CPU proxy must ring");
}

Finding judge_devx(const Evidence& e) {
  if (const std::string why = lacks(e, false); !why.empty()) return skipped(why);
  if (!has_mlx5(e)) return skipped("no ConnectX (mlx5) among the NICs");
  if (!e.devx) return unknown(e.devx.why());
  if (e.devx->worked) return pass(e.devx->text);
  switch (e.devx->error) {
    case no_permission:
    case no_access:
      return fail(e.devx->text,
                  "DEVX needs CAP_NET_RAW and the device files; a container's cgroup or capabilities withhold them",
                  "pass /dev/infiniband/uverbs* into the container and add CAP_NET_RAW (--privileged shows whether "
                  "that is it)");
    case unsupported:
      return fail(e.devx->text, "kernel or firmware without DEVX",
                  "a kernel from 4.19 with mlx5_ib, newer firmware; or build "
                  "the rings in host memory (an ordinary QP)");
    case no_memory:
      return fail(e.devx->text, "the NIC has no UAR page left",
                  "raise PF_LOG_BAR_SIZE with mlxconfig (then reset the NIC), or use fewer QPs");
    default: return fail(e.devx->text, "the NIC gives no UAR", "see dmesg for mlx5_core");
  }
}

Finding judge_peermem(const Evidence& e) {
  if (const std::string why = lacks(e, true); !why.empty()) return skipped(why);
  if (e.peermem && e.peermem->worked) return pass(e.peermem->text);
  const bool dma_buf = e.dma_buf && e.dma_buf->worked;
  if (!e.driver.modules && !e.peermem) return unknown(e.driver.modules.why());
  const bool present = e.driver.modules && (loaded(e.driver, "nvidia_peermem") || loaded(e.driver, "nv_peer_mem"));
  const std::string state = !e.driver.modules ? "modules unknown"
                            : present         ? "nvidia_peermem is loaded"
                                              : "nvidia_peermem isn't loaded";
  if (dma_buf) return pass(state + "; not needed, dma-buf works");
  const std::string seen = e.peermem ? e.peermem->text + "; " + state : state;
  if (present && !e.peermem) return pass(seen + " (registration not tried)");
  if (present)
    return fail(seen,
                e.peermem->error == bad_address
                    ? "the module is there but doesn't know this memory: not a plain cudaMalloc, or "
                      "a module of another driver's version"
                    : "the NIC refuses the memory",
                "rebuild the module for this driver (modinfo nvidia_peermem); managed and virtual-memory allocations "
                "need dma-buf");
  const bool other_way = e.driver.open && *e.driver.open;
  const std::string fix =
      "modprobe nvidia_peermem. Where that says 'Invalid argument', ib_core has no peer-memory interface (kernels "
      "without MLNX_OFED or DOCA-OFED): use dma-buf";
  if (e.dma_buf || !other_way) return fail(seen, "nothing registers GPU memory with the NIC", fix);
  return warn(seen, "only dma-buf is left to register GPU memory, and whether it works wasn't tried", fix);
}

Finding judge_dma_buf(const Evidence& e) {
  if (!e.has_gpu()) return skipped(e.no_gpu);
  for (const Gpu& g : e.gpus)
    if (g.dma_buf && !*g.dma_buf)
      return warn(
          g.address + ": the attribute DMA_BUF_SUPPORTED is 0",
          e.driver.open && !*e.driver.open ? "closed kernel modules" : "closed kernel modules, or a kernel before 5.12",
          "open kernel modules from 515 and a kernel from 5.12; or nvidia_peermem");
  if (e.dma_buf && e.dma_buf->worked) return pass(e.dma_buf->text);
  if (e.dma_buf) {
    const std::string cause = e.dma_buf->error == unsupported ? "kernel or RDMA driver without dma-buf memory regions"
                              : e.dma_buf->error == 0         ? "the GPU's driver gives no dma-buf"
                              : e.dma_buf->error == bad_address
                                  ? "memory that the exporter doesn't back: a CPU mapping registered by mistake"
                                  : "the NIC refuses the buffer";
    return fail(e.dma_buf->text, cause,
                "kernel from 5.12, rdma-core from 34, open NVIDIA modules; else nvidia_peermem");
  }
  const bool offered =
      std::any_of(e.gpus.begin(), e.gpus.end(), [](const Gpu& g) { return static_cast<bool>(g.dma_buf); });
  if (offered) return pass("the GPUs offer it; registration not tried: " + e.dma_buf.why());
  return unknown(e.dma_buf.why());
}

Finding judge_scatter(const Evidence& e) {
  if (!e.has_nic()) return skipped(e.no_nic);
  if (!has_mlx5(e)) return skipped("no ConnectX (mlx5) among the NICs");
  if (!e.process.scatter_to_cqe) return unknown(e.process.scatter_to_cqe.why());
  const std::string& set = *e.process.scatter_to_cqe;
  if (set == "0") return pass("MLX5_SCATTER_TO_CQE=0");
  if (set.empty())
    return pass(
        "MLX5_SCATTER_TO_CQE isn't set: small READs may land in the CQE unless the QP says DISABLE_SCATTER_TO_CQE "
        "(ours do)");
  return warn("MLX5_SCATTER_TO_CQE=" + set, "small READs and atomics may return in the CQE instead of the buffer",
              "export MLX5_SCATTER_TO_CQE=0 for programs that poll GPU memory");
}

Finding judge_memlock(const Evidence& e) {
  if (!e.has_nic()) return skipped(e.no_nic);
  if (!e.process.memlock) return unknown(e.process.memlock.why());
  if (*e.process.memlock == unlimited) return pass("unlimited, in this process");
  const std::string seen = in_bytes(*e.process.memlock) + " in this process";
  if (e.process.ipc_lock && *e.process.ipc_lock)
    return pass(seen + ", but CAP_IPC_LOCK lifts it (not inside a user namespace)");
  const std::string cause = "registered memory is locked memory, and counts against this limit";
  const std::string fix =
      "'* - memlock unlimited' in /etc/security/limits.d; LimitMEMLOCK=infinity for slurmd, kubelet or sshd; "
      "containers: --ulimit memlock=-1 and CAP_IPC_LOCK. Ask where the program runs: 'srun gicsim hw doctor'";
  if (*e.process.memlock < 64ULL << 20U) return fail(seen, cause, fix);
  return warn(seen, cause, fix);
}

Finding judge_container(const Evidence& e) {
  if (!e.process.container) return unknown(e.process.container.why());
  const std::string where = e.process.container->empty() ? "no container seen" : "in " + *e.process.container;
  Tally tally;
  if (e.process.closed_files && !e.process.closed_files->empty())
    tally.add(Verdict::fail, some_of(*e.process.closed_files) + " can't be opened",
              "file modes, or the device cgroup of a container",
              "--device=/dev/infiniband --gpus all (Docker), an RDMA device plug-in (Kubernetes), or the group that "
              "owns the files");
  if (e.process.cgroup_rdma && !e.process.cgroup_rdma->empty())
    tally.add(Verdict::warn, "cgroup rdma.max: " + *e.process.cgroup_rdma, "a limit on handles and objects of the NIC",
              "raise rdma.max when queue pairs can't be made");
  if (e.process.cgroup_memory && *e.process.cgroup_memory < 4ULL << 30U)
    tally.add(Verdict::warn, "cgroup memory limit " + in_bytes(*e.process.cgroup_memory),
              "pinned memory counts against it", "give the container more memory than it pins");
  tally.pass(where + "; no device file is closed to us, no tight cgroup limit");
  return tally.finding();
}

}  // namespace gicsim::hw::checkup
