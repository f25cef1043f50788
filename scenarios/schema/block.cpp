// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/block.h"

#include "scenarios/schema/detail/field.h"
#include "scenarios/schema/keys.h"

namespace gicsim::schema {

int Block::find(std::string_view name) const {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == name) return static_cast<int>(i);
  return -1;
}

std::vector<std::string> Block::names() const {
  std::vector<std::string> all;
  for (const Field& field : fields) all.emplace_back(field.name);
  return all;
}

const std::vector<Block>& blocks() {
  using detail::block;
  static const std::vector<Block> all{
      block<gpu::GpuParams>("gpu", "a GPU: its clock, its store path, its fences"),
      block<gpu::FrontEndParams>("front_end", "a GPU's front end, which executes streams"),
      block<gpu::CopyEngineParams>("copy_engine", "a GPU's copy engines, one a direction"),
      block<gpu::MultiprocessorParams>("sm", "a GPU's multiprocessors, for which launched blocks wait"),
      block<gpu::MmuParams>("mmu", "a GPU's MMU, which translates its threads' addresses"),
      block<pcie::CoherentParams>("c2c", "the coherent link between a CPU and its GPU"),
      block<pcie::EndpointParams>("port", "a device's PCIe port: splits, tags, reassembly"),
      block<pcie::LinkParams>("pcie", "a PCIe link"),
      block<pcie::SwitchParams>("pcie_switch", "a PCIe switch"),
      block<pcie::RootParams>("root", "a root complex"),
      block<host::HostParams>("host", "a CPU socket with its memory"),
      block<host::IommuParams>("iommu", "the IOMMU of a root complex"),
      block<dma::DmaParams>("dma", "a device's DMA engine"),
      block<pcie::AtsParams>("ats", "a device's own address translations"),
      block<pcie::SocketLinkParams>("upi", "the link between two CPU sockets"),
      block<pcie::SlotParams>("slot", "the downstream port that a device or a switch is plugged into"),
      block<nic::NicParams>("nic", "an RDMA NIC"),
      block<nic::TransportParams>("transport", "a NIC's transport, as applications, firmware or vendor choose"),
      block<nic::FetchParams>("fetch", "a NIC's descriptor-fetch engine and its processing units"),
      block<nic::ContextParams>("contexts", "a NIC's caches of contexts, keys and translations"),
      block<nic::LimitParams>("limits", "how many queue pairs, doorbell pages and keys a NIC has"),
      block<nic::QueueParams>("queues", "what a NIC does about its queues' memory, and of their events"),
      block<host::InterruptParams>("interrupt", "what an interrupt costs a core"),
      block<host::GateParams>("gate", "figures of the claim that host.doorbell_gate stands for"),
      block<dma::DmaParams>("dma", "a bus-mastering device: storage, a measuring card"),
      block<link::WireParams>("link", "a network cable"),
      block<link::SwitchParams>("switch", "a fabric switch"),
      block<link::FabricParams>("fabric", "what all ports of the fabric have in common: flow control, routing"),
      block<link::ArbitrationParams>("arbitration", "a fabric port's arbiter between priorities or virtual lanes"),
      block<link::BufferParams>("buffer", "a fabric switch's packet memory, where flow control isn't ideal"),
      block<link::EcnParams>("ecn", "where switches mark packets; with the scenario's 'dcqcn'"),
      block<nic::DcqcnParams>("dcqcn", "DCQCN at NICs, by mlx5's names; with the scenario's 'dcqcn'"),
      block<nic::IbCcParams>("ib_cc", "InfiniBand's congestion control; with the scenario's 'ib_cc'"),
      block<link::BurstParams>("burst", "a cable's losses in bursts (Gilbert and Elliott)"),
      block<link::FecParams>("fec", "a cable's forward error correction"),
      block<link::RetryParams>("retry", "a cable's link-level retry"),
      block<link::StressParams>("stress", "figures of the claim that link.stress_ber stands for"),
      block<paths::LibraryParams>("library", "a communication library's instructions on the GPU"),
      block<paths::ProxyParams>("proxy", "a CPU proxy and the GPU's side of it"),
      block<paths::VerbsParams>("verbs", "the verbs library on a CPU thread"),
      block<paths::RuntimeParams>("runtime", "the CUDA runtime's calls on a CPU thread"),
      block<paths::SetupParams>("setup", "first use of a connection"),
      block<paths::RecoveryParams>("recovery", "what software does about a device that failed"),
      block<gpu::BesideParams>("beside", "a kernel that runs beside, and what it leaves to others"),
      block<SpreadParams>("spread", "what makes equal operations take different times; all off by default"),
  };
  return all;
}

const Block* block_of(std::string_view kind) {
  for (const Block& block : blocks())
    if (block.kind == kind) return &block;
  return nullptr;
}

const Block& scenario_block() {
  static const Block block = detail::block<Scenario>("scenario", "a scenario file");
  return block;
}

const Block& system_block() {
  static const Block block = detail::block<SystemKeys>("system", "a system file");
  return block;
}

}  // namespace gicsim::schema
