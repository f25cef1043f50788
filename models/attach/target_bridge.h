// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/base/describe.h"
#include "models/base/kernel.h"
#include "models/protocol/tlp.h"

namespace gicsim::attach {

/// What a foreign target can look up beside the generic payload; it may ignore it.
struct TlpOrigin : ::tlm::tlm_extension<TlpOrigin> {
  RequesterId requester = 0;
  std::size_t carried = 0;  ///< of a write: bytes, from the first, that are what somebody wrote; the rest is zero
  bool poisoned = false;

  ::tlm::tlm_extension_base* clone() const override { return new TlpOrigin(*this); }
  void copy_from(const ::tlm::tlm_extension_base& from) override { *this = static_cast<const TlpOrigin&>(from); }
};

struct TargetOptions {
  enum class Style { loosely_timed, approximately_timed };
  Address base = 0;  ///< where the foreign target's address 0 lies
  Style style = Style::loosely_timed;
};

struct TargetBridgeStats {
  Count reads = 0, writes = 0, failed_reads = 0, failed_writes = 0, most = 0;
  Bytes read, written;
};
template <class V>
constexpr void describe(V&& v, TargetBridgeStats& s) {
  v("reads", s.reads, "read requests that the foreign target answered");
  v("writes", s.writes, "write TLPs that the foreign target took");
  v("failed_reads", s.failed_reads, "of the reads, answered by an error");
  v("failed_writes", s.failed_writes, "of the writes, answered by an error, which no sender hears of");
  v("most", s.most, "most TLPs held at once");
  v("read", s.read, "bytes read");
  v("written", s.written, "bytes written");
}
static_assert(fully_described<TargetBridgeStats>());

/// A foreign TLM-2.0 target (a memory, a device's registers) behind a port. It stands between the link and the port:
/// each write TLP and each read request becomes one generic payload, and goes on to the port, which completes it,
/// when the foreign target has answered. Until then it keeps its place in the receiver's buffer, so that a slow target
/// is felt on the wire. What came after a write goes on after it; writes and completions pass reads.
///
/// A write carries the number that a watched line gets, eight bytes at the transfer's address; all other bytes are
/// zero (TlpOrigin says how many count). A read's bytes at its lines are given back as numbers.
/// Not modelled: atomics (they go to the port untouched), queue entries (a ring of ours can't lie here), DMI.
/// Source: IEEE 1666-2011, 11 (generic payload), 15 (base protocol); PCIe Base 5.0, 2.4.1 (ordering)
class TargetBridge : public sc_core::sc_module,
                     private TlpSink,
                     private Target,
                     private ::tlm::tlm_mm_interface,
                     protected ::tlm::tlm_bw_transport_if<> {
 public:
  sc_core::sc_export<TlpSink> in{"in"};        ///< where the link ends
  sc_core::sc_port<TlpSink> port{"port"};      ///< the port's own end of the link
  sc_core::sc_export<Target> device{"device"}; ///< what the port serves

  const TargetBridgeStats& stats() const { return stats_; }
  /// @throws ModelError when a TLP is still held
  void check_books() const;

 protected:
  TargetBridge(sc_core::sc_module_name name, Kernel& kernel, TargetOptions options);
  virtual ::tlm::tlm_fw_transport_if<>& target() = 0;

 private:
  using Payload = ::tlm::tlm_generic_payload;
  struct Call final : Payload {
    TargetBridge& bridge;
    Tlp tlp;
    TlpOrigin origin;
    std::vector<unsigned char> data;
    bool done = false;

    explicit Call(TargetBridge& b) : Payload(&b), bridge(b) {}
    ~Call() override { clear_extension(&origin); }
    void on_done() { bridge.finish(*this); }
  };

  void end_of_elaboration() override { port_ = port.operator->(); }
  void arrive(const Tlp& tlp) override;
  void on_write(Transfer&, Picoseconds) override {}
  Picoseconds on_read(const Transfer&, Bytes, Picoseconds now) override { return now; }
  void sample(Transfer& transfer, Picoseconds now) override;
  void free(Payload* payload) override;
  ::tlm::tlm_sync_enum nb_transport_bw(Payload& payload, ::tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void fill(Call& call);
  void serve();
  void request();
  void end_request(Picoseconds at);
  void done_at(Call& call, const sc_core::sc_time& delay);
  void finish(Call& call);
  void read_words(const Call& call) const;
  void pass_on();

  Kernel& kernel_;
  const TargetOptions options_;
  TlpSink* port_ = nullptr;
  std::deque<Call> all_;
  std::vector<Call*> free_;
  std::deque<Call*> held_;   ///< in order of arrival
  std::deque<Call*> calls_;  ///< of these, not yet begun
  Call* requesting_ = nullptr;  ///< between BEGIN_REQ and END_REQ
  Picoseconds request_free_{};
  bool passing_ = false;
  sc_core::sc_event called_{"called"};
  TargetBridgeStats stats_;
};

/// The bridge with its socket, of the bus width that the foreign socket has.
template <unsigned width = 32>
class TlmTargetBridge final : public TargetBridge {
 public:
  ::tlm::tlm_initiator_socket<width> socket{"socket"};

  TlmTargetBridge(sc_core::sc_module_name name, Kernel& kernel, TargetOptions options = {})
      : TargetBridge(name, kernel, options) {
    socket.bind(*this);
  }

 private:
  ::tlm::tlm_fw_transport_if<>& target() override { return *socket.operator->(); }
};

}  // namespace gicsim::attach
