// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/base/describe.h"
#include "models/base/kernel.h"
#include "models/protocol/transfer.h"

namespace gicsim::attach {

/// What a foreign initiator may do, and when it is answered.
struct InitiatorOptions {
  struct Window {
    Address base = 0;
    std::uint64_t size = 0;
  };
  /// When a write is answered: once the bridge has room for it, as a posted write's sender goes on, or once
  /// it is visible at its target. A read is answered when its last byte is here.
  enum class Writes { accepted, visible };

  std::vector<Window> reach = {};  ///< what lies outside is an address error; empty: everything
  Writes writes = Writes::accepted;
  Count outstanding = 64;      ///< accesses under way; a further one isn't accepted before one ends
  bool relaxed = false;        ///< writes carry the attribute RO
};

struct InitiatorBridgeStats {
  Count reads = 0, writes = 0, refused = 0, failed = 0, most = 0;
  Bytes read, written;
};
template <class V>
constexpr void describe(V&& v, InitiatorBridgeStats& s) {
  v("reads", s.reads, "transfers that foreign reads became");
  v("writes", s.writes, "transfers that foreign writes became");
  v("refused", s.refused, "accesses answered by an error at once");
  v("failed", s.failed, "transfers that came back with an error");
  v("most", s.most, "most accesses under way or waiting at once");
  v("read", s.read, "bytes read, once they are back");
  v("written", s.written, "bytes written, once they are visible");
}
static_assert(fully_described<InitiatorBridgeStats>());

/// A foreign TLM-2.0 initiator (a DMA engine, an accelerator, a CPU) at a MemoryPort. Both coding styles: b_transport,
/// and the four phases of the base protocol. An access becomes one transfer for every run of enabled bytes in
/// every streaming beat; the port splits them further, as it does for any device.
///
/// Of each transfer the eight bytes at its address travel as content, of a read also those at every 64 B from there
/// if somebody wrote them as a number; all other bytes of a read are zero. Annotated delays are kept: an access begins
/// at the caller's local time, and whoever waited for its end is in step with SystemC again (delay zero).
/// Not modelled: DMI (never granted), debug transport (0 bytes), atomics.
/// Source: IEEE 1666-2011, 11 (generic payload), 15 (base protocol)
class InitiatorBridge : public sc_core::sc_module, private Initiator, protected ::tlm::tlm_fw_transport_if<> {
 public:
  sc_core::sc_port<MemoryPort> memory{"memory"};

  const InitiatorBridgeStats& stats() const { return stats_; }
  /// @throws ModelError when an access is still under way
  void check_books() const;

 protected:
  InitiatorBridge(sc_core::sc_module_name name, Kernel& kernel, InitiatorOptions options);
  /// The way back to the foreign initiator.
  virtual ::tlm::tlm_bw_transport_if<>& initiator() = 0;

 private:
  using Payload = ::tlm::tlm_generic_payload;
  struct Access;
  struct Part {
    Access* access;
    Address address;
    std::size_t offset, length;  ///< of the payload's data
    std::uint64_t word;          ///< of a write: what it carries
  };
  struct Access {
    InitiatorBridge& bridge;
    Payload* foreign = nullptr;  ///< null: answered
    bool write = false, phased = false;
    std::vector<Part> parts;
    std::size_t left = 0;        ///< parts that haven't ended
    Picoseconds start{};
    ::tlm::tlm_response_status status = ::tlm::TLM_OK_RESPONSE;
    sc_core::sc_event answered;

    explicit Access(InitiatorBridge& b) : bridge(b) {}
    void begin() { bridge.begin(*this); }
  };

  void end_of_elaboration() override { port_ = memory.operator->(); }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  ::tlm::tlm_sync_enum nb_transport_fw(Payload& payload, ::tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, ::tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  ::tlm::tlm_response_status cut(const Payload& payload, std::vector<Part>& parts) const;
  bool reaches(Address address, std::size_t length) const;
  /// @return null when the payload is answered already, by an error or because nothing moves
  Access* take(Payload& payload, const sc_core::sc_time& delay);
  bool enter(Access& access);
  void begin(Access& access);
  void submit(Part& part);
  void on_transferred(Transfer& transfer) override;
  void leave(Access& access);
  void answer(Access& access);
  void forget(Access& access);
  void speak();
  void end_response(Payload& payload, Picoseconds at);

  Kernel& kernel_;
  const InitiatorOptions options_;
  MemoryPort* port_ = nullptr;
  std::deque<Access> all_;
  std::vector<Access*> free_;
  Count under_way_ = 0;
  std::deque<Access*> waiting_;              ///< for one under way to end
  std::deque<Access*> accepted_, finished_;  ///< phases still to be spoken: END_REQ, BEGIN_RESP
  bool requesting_ = false;                  ///< between BEGIN_REQ and END_REQ
  Payload* responding_ = nullptr;            ///< between BEGIN_RESP and END_RESP
  Picoseconds response_free_{};
  sc_core::sc_event speak_{"to_speak"};
  InitiatorBridgeStats stats_;
};

/// The bridge with its socket, of the bus width that the foreign socket has.
template <unsigned width = 32>
class TlmInitiatorBridge final : public InitiatorBridge {
 public:
  ::tlm::tlm_target_socket<width> socket{"socket"};

  TlmInitiatorBridge(sc_core::sc_module_name name, Kernel& kernel, InitiatorOptions options = {})
      : InitiatorBridge(name, kernel, std::move(options)) {
    socket.bind(*this);
  }

 private:
  ::tlm::tlm_bw_transport_if<>& initiator() override { return *socket.operator->(); }
};

}  // namespace gicsim::attach
