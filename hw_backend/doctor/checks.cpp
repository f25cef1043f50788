// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// The one table of checks, with the messages that bring people to each.
#include "hw_backend/doctor/check.h"

namespace gicsim::hw::checkup {

const std::vector<Check>& checks() {
  static const std::vector<Check> all{
      {"driver", judge_driver, {{"NVRM: API mismatch", "kernel module and libcuda are of different versions", "reboot after the update, or reload the modules"},
                                {"CUDA driver version is insufficient", "no driver, or one older than the CUDA runtime", "install the driver that the toolkit names"}}},
      {"uar", judge_uar, {{"cudaHostRegister with IoMemory failed with error=800", "not root, and PeerMappingOverride isn't set",
                           "NVreg_RegistryDwords=\"PeerMappingOverride=1;\" (modprobe.d), new initramfs, reboot"},
                          {"GPU cannot map UAR of device", "the same, as NVSHMEM says it", "the same; or let a CPU proxy ring"},
                          {"cudaErrorHostMemoryAlreadyRegistered (712)", "the page is mapped already", "harmless: count references"}}},
      {"devx", judge_devx, {{"mlx5dv_devx_alloc_uar returned NULL", "a container without rights on the device", "device files and CAP_NET_RAW"},
                            {"mlx5dv_devx_alloc_uar: Operation not supported", "no DEVX in kernel or firmware", "update; or ordinary QPs"},
                            {"failed to allocate UAR", "out of UAR pages", "mlxconfig PF_LOG_BAR_SIZE up"}}},
      {"peermem", judge_peermem, {{"ibv_reg_mr: Bad address", "nothing translates the GPU's address: module missing, or not a plain cudaMalloc",
                                   "modprobe nvidia_peermem, or dma-buf"},
                                  {"Couldn't allocate MR", "the same, as perftest says it", "the same"},
                                  {"modprobe: ERROR: could not insert 'nvidia_peermem': Invalid argument",
                                   "ib_core has no peer-memory interface, or another version's", "dma-buf; or the NIC vendor's RDMA stack"},
                                  {"Unknown symbol ib_register_peer_memory_client", "inbox ib_core", "dma-buf; or the NIC vendor's RDMA stack"}}},
      {"dma-buf", judge_dma_buf, {{"ibv_reg_dmabuf_mr: Operation not supported", "old kernel, or closed NVIDIA modules", "kernel from 5.12 and open modules"},
                                  {"ibv_reg_dmabuf_mr: Bad address", "a CPU mapping (gdrcopy) registered instead of GPU memory", "register the GPU's address"}}},
      {"scatter-to-cqe", judge_scatter, {{"GPU buffer stays empty after a small RDMA READ", "the data went into the CQE", "MLX5_SCATTER_TO_CQE=0"}}},
      {"memlock", judge_memlock, {{"ibv_create_cq: Cannot allocate memory", "locked memory is limited", "memlock unlimited where the program starts"},
                                  {"ibv_create_qp: Cannot allocate memory", "the same", "the same"},
                                  {"ibv_reg_mr: Cannot allocate memory", "the same, or BAR1 is full", "the same; see bar1"}}},
      {"container", judge_container, {{"No IB devices found", "the device files aren't in the container", "--device=/dev/infiniband"},
                                      {"Failed to open /dev/infiniband/uverbs0: Permission denied", "file modes or device cgroup", "the same"}}},
      {"acs", judge_acs, {{"GPU Direct RDMA hangs", "ACS redirects peer requests", "clear ReqRedir, CmpltRedir and UpstreamFwd on the ports between"},
                          {"ACSCtl: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+", "redirection is on", "the same"}}},
      {"iommu", judge_iommu, {{"DMAR: DRHD: handling fault status", "the IOMMU refused a peer request", "iommu=pt"},
                              {"AMD-Vi: Event logged [IO_PAGE_FAULT", "the same on AMD", "iommu=pt"}}},
      {"bar1", judge_bar1, {{"nvidia-peermem: Could not get pages", "BAR1 is too small or full", "Re-Size BAR in the BIOS"},
                            {"NVRM: BAR1 is 0M", "the BIOS gave no window", "Above 4G Decoding"}}},
      {"distance", judge_distance, {}},
      {"pcie-link", judge_link, {{"limited by 2.5 GT/s PCIe", "a link below its best (dmesg: available PCIe bandwidth)", "slot, riser, BIOS"},
                                 {"LnkSta: Speed 8GT/s (downgraded)", "the same, as lspci says it", "the same"}}},
      {"aer", judge_aer, {{"PCIe Bus Error: severity=Corrected", "the link repeats packets", "reseat, another slot"},
                          {"GPU has fallen off the bus", "Xid 79: link or power lost", "reseat, power, dmesg"}}},
      {"port", judge_port, {{"PORT_DOWN", "no link", "cable, transceiver, 'ip link set IF up'"}, {"PORT_INIT", "no subnet manager", "opensm"}}},
      {"gid", judge_gid, {{"Failed to modify QP to RTR", "GID index of another type, or none", "the RoCE v2 index over IPv4"},
                          {"transport retry counter exceeded", "wrong GID, MTU or lossy class: packets don't arrive", "check both ends' GID, MTU, PFC"},
                          {"status 12 vendor err 129", "the same: IBV_WC_RETRY_EXC_ERR", "the same"}}},
      {"mtu", judge_mtu, {{"mtu 1024, expected 4096", "interface MTU 1500", "ip link set IF mtu 9000"}}},
      {"port-errors", judge_port_errors, {{"local_ack_timeout_err", "packets are lost", "PFC, ECN, cables"}}},
      {"pfc-ecn", judge_pfc, {{"rx_prio3_pause", "pause frames: the receiver can't keep up", "relaxed ordering, MRRS, ECN thresholds"}}},
      {"ordering", judge_ordering, {}},
      {"mps-mrrs", judge_sizes, {}},
      {"gpu-clocks", judge_clocks, {}},
      {"vm", judge_vm, {}},
  };
  return all;
}

}  // namespace gicsim::hw::checkup
