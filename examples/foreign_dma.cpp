// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Somebody else's DMA engine, written in plain TLM-2.0, as a PCIe device of a machine made of our models: a CPU rings its
// doorbell, it copies a block, writes a flag into host memory and reads it back. docs/attach.md walks through it.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstdio>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/attach/initiator_bridge.h"
#include "models/attach/target_bridge.h"
#include "models/base/context.h"
#include "models/host/host.h"
#include "models/pcie/conduit.h"
#include "models/pcie/endpoint.h"
#include "models/pcie/link.h"
#include "models/pcie/switch.h"

namespace {

using namespace gicsim::literals;

// ---- the foreign part: it knows nothing of gicsim ----

/// Registers: a doorbell at 0, the count of finished copies at 8. A value written to the doorbell starts a copy of
/// 4 KiB and is left at `flag` afterwards.
struct DmaEngine : sc_core::sc_module {
  static constexpr std::uint64_t flag = 0x8000;
  tlm_utils::simple_target_socket<DmaEngine> registers{"registers"};
  tlm_utils::simple_initiator_socket<DmaEngine> bus{"bus"};
  std::uint64_t doorbell = 0, done = 0, seen = 0;

  explicit DmaEngine(sc_core::sc_module_name name) : sc_module(name) {
    registers.register_b_transport(this, &DmaEngine::on_access);
    SC_HAS_PROCESS(DmaEngine);
    SC_THREAD(run);
  }

 private:
  void on_access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    std::uint64_t& reg = payload.get_address() == 0 ? doorbell : done;
    auto* const bytes = reinterpret_cast<unsigned char*>(&reg);
    for (unsigned i = 0; i < payload.get_data_length() && i < 8; ++i)
      (payload.is_write() ? bytes[i] : payload.get_data_ptr()[i]) =
          payload.is_write() ? payload.get_data_ptr()[i] : bytes[i];
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(20, sc_core::SC_NS);
    if (payload.is_write()) rung_.notify(delay);
  }
  void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned length) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    sc_core::sc_time delay;
    bus->b_transport(payload, delay);
    if (payload.is_response_error()) SC_REPORT_ERROR(name(), payload.get_response_string().c_str());
    wait(delay);
  }
  void run() {
    std::vector<unsigned char> block(4096);
    for (;;) {
      wait(rung_);
      access(tlm::TLM_READ_COMMAND, 0x1040, block.data(), 4096);
      access(tlm::TLM_WRITE_COMMAND, 0x4040, block.data(), 4096);
      access(tlm::TLM_WRITE_COMMAND, flag, &doorbell, 8);
      access(tlm::TLM_READ_COMMAND, flag, &seen, 8);
      ++done;
    }
  }
  sc_core::sc_event rung_{"rung"};
};

// ---- our part: a host, its root complex, a PCIe link, a port, and the two bridges ----

constexpr gicsim::Address window = gicsim::Address{1} << 40, window_size = 1 << 16;  // the engine's registers

/// What the CPU does: rings, and later reads how many copies are done.
struct Cpu : gicsim::Initiator {
  gicsim::Kernel& kernel;
  gicsim::MemoryPort& port;
  std::uint64_t done = 0;
  gicsim::Picoseconds answered{};

  Cpu(gicsim::Kernel& k, gicsim::MemoryPort& p) : kernel(k), port(p) {}
  void access(gicsim::Transfer::Kind kind, gicsim::Address address, gicsim::Content content) {
    gicsim::Transfer& transfer = port.make();
    transfer.kind = kind;
    transfer.address = address;
    transfer.length = 8_B;
    transfer.content = content;
    transfer.initiator = this;
    port.submit(transfer);
  }
  void ring() { access(gicsim::Transfer::Kind::write, window, std::uint64_t{7}); }
  void look() { access(gicsim::Transfer::Kind::read, window + 8, {}); }
  void on_transferred(gicsim::Transfer& transfer) override {
    if (transfer.kind != gicsim::Transfer::Kind::read) return;
    done = std::get<std::uint64_t>(transfer.content);
    answered = kernel.now();
  }
};

struct Machine {
  static constexpr gicsim::RequesterId host_id = 0, engine_id = 1;

  gicsim::host::HostParams host_params;
  gicsim::pcie::EndpointParams port_params;
  gicsim::pcie::LinkParams link_params{.generation = 4, .lanes = 8};
  gicsim::Picoseconds root_latency = 50ns;
  gicsim::TransferPool transfers;
  gicsim::Probe<gicsim::TlpSent> tlps;
  gicsim::Kernel kernel{"kernel"};

  gicsim::host::Host host{"host", kernel, with_dram(host_params), 0, window};
  gicsim::pcie::Endpoint host_port{"host_port", kernel, port_params, host_id, transfers};
  gicsim::pcie::Switch root{"root", kernel, root_latency, 2};
  gicsim::pcie::Conduit to_root{"memory_up", kernel, nullptr, 1, tlps}, to_memory{"memory_down", kernel, nullptr, 2, tlps};
  gicsim::pcie::Link up{"engine_pcie_up", kernel, link_params, 3, tlps}, down{"engine_pcie_down", kernel, link_params, 4, tlps};
  gicsim::pcie::Endpoint engine_port{"engine_port", kernel, port_params, engine_id, transfers};

  // The attach point: a bridge for what the engine asks for, and one for what it is asked.
  gicsim::attach::TlmInitiatorBridge<> master{
      "master", kernel, {.reach = {{0, window}}}};
  gicsim::attach::TlmTargetBridge<> slave{"slave", kernel, {.base = window}};
  DmaEngine engine{"engine"};

  Machine() {
    host.port.bind(host_port.memory);
    host_port.device.bind(host.target);
    host_port.out.bind(to_root.in);
    to_root.out.bind(root.in[0]);
    root.out[0].bind(to_memory.in);
    to_memory.out.bind(host_port.in);
    root.route_address(0, window, 0);
    root.route_requester(host_id, 0);

    root.out[1].bind(down.in);
    up.out.bind(root.in[1]);
    up.acknowledged_by(down);
    down.acknowledged_by(up);
    root.route_address(window, window_size, 1);
    root.route_requester(engine_id, 1);

    engine_port.out.bind(up.in);
    down.out.bind(slave.in);             // what comes down the link goes to the engine first,
    slave.port.bind(engine_port.in);     // then to its port, which completes it
    engine_port.device.bind(slave.device);
    slave.socket.bind(engine.registers);
    master.memory.bind(engine_port.memory);
    engine.bus.bind(master.socket);
  }

 private:
  static gicsim::host::HostParams& with_dram(gicsim::host::HostParams& params) {
    params.dram_rate = 2400_Gbps;
    params.dram_read = 100ns;
    return params;
  }
};

int run() {
  const gicsim::ContextScope context;  // its reports are thrown
  Machine machine;
  gicsim::Kernel& kernel = machine.kernel;
  Cpu cpu(kernel, *machine.host_port.memory.operator->());
  kernel.at<&Cpu::ring>(100ns, &cpu);
  kernel.at<&Cpu::look>(10us, &cpu);
  kernel.run_through(20us);  // where a SystemC program would call sc_start

  const auto flag = machine.host.cells().read(DmaEngine::flag, kernel.now());
  const auto* value = flag.content ? std::get_if<std::uint64_t>(flag.content) : nullptr;
  std::printf("flag in host memory: %llu, visible at %.3f ns; the engine read back %llu\n",
              static_cast<unsigned long long>(value ? *value : 0), static_cast<double>(flag.visible.count()) / 1000,
              static_cast<unsigned long long>(machine.engine.seen));
  std::printf("copies done, as the CPU reads them: %llu, %.3f ns after it asked\n", static_cast<unsigned long long>(cpu.done),
              static_cast<double>((cpu.answered - gicsim::Picoseconds{10us}).count()) / 1000);
  std::printf("the engine read %lld B and wrote %lld B\n", static_cast<long long>(machine.master.stats().read.count()),
              static_cast<long long>(machine.master.stats().written.count()));
  machine.master.check_books();
  machine.slave.check_books();
  machine.engine_port.check_books();
  machine.up.check_books();
  machine.down.check_books();
  kernel.abandon();
  return value && *value == 7 && machine.engine.seen == 7 && cpu.done == 1 ? 0 : 1;
}

}  // namespace

int sc_main(int, char**) { return run(); }
