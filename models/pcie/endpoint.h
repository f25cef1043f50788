// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/mechanisms/credits.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/tags.h"
#include "models/pcie/fault.h"
#include "models/pcie/params.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct EndpointStats {
  Count writes = 0, reads = 0, atomics = 0, served = 0;
  Count refused = 0, poisoned = 0, timeouts = 0, unexpected = 0, dropped = 0;
  Picoseconds tag_time{}, tag_wait{};
  Count tags_peak = 0;
};
template <class V>
constexpr void describe(V&& v, EndpointStats& s) {
  v("writes", s.writes, "write TLPs made");
  v("reads", s.reads, "read requests made");
  v("atomics", s.atomics, "AtomicOps made");
  v("served", s.served, "read requests and AtomicOps answered");
  v("refused", s.refused, "of these, with UR or CA");
  v("poisoned", s.poisoned, "poisoned writes that were dropped");
  v("timeouts", s.timeouts, "requests whose completion didn't come in time");
  v("unexpected", s.unexpected, "completions that came after that");
  v("dropped", s.dropped, "writes and requests that a port out of order swallowed");
  v("tag_time", s.tag_time, "time that tags were in use, summed");
  v("tag_wait", s.tag_wait, "time the next read waited for a tag or for completion buffer");
  v("tags_peak", s.tags_peak, "most read requests outstanding");
}
static_assert(fully_described<EndpointStats>());

/// Splits a write into TLPs of at most `mps`, a read into requests of at most `mrrs`, none of
/// them across a 4 KiB line. @return the first piece's length
/// Source: PCIe Base 5.0, 2.2.7
Bytes first_piece(Address address, Bytes length, Bytes limit);

/// Splits the data of a read into completions: each but the last ends on a multiple of `rcb`.
/// @return the first piece's length. Source: PCIe Base 5.0, 2.3.1.1
Bytes first_completion(Address address, Bytes length, Bytes mps, Bytes rcb);

/// A device's port: turns transfers into TLPs and back. Reads and atomics hold a tag each and reserve room
/// for all their completions before they leave. A completion with UR or CA, or none for `completion_timeout`, ends
/// its transfer, which then holds ones; the tag of a request that timed out rests until its completion comes.
/// Endpoints advertise infinite completion credits: what binds a reader is its own buffer.
class Endpoint final : public sc_core::sc_module, public MessagePort, private MemoryPort, private TlpSink {
 public:
  sc_core::sc_export<MemoryPort> memory{"memory"};
  sc_core::sc_export<TlpSink> in{"in"};
  sc_core::sc_port<TlpPort> out{"out"};
  sc_core::sc_port<Target> device{"device"};

  Endpoint(sc_core::sc_module_name name, Kernel& kernel, const EndpointParams& params, RequesterId id,
           TransferPool& pool);

  RequesterId id() const { return id_; }
  const EndpointParams& params() const { return params_; }
  /// Another port that it sends requests to, or gets them from, has only so many tag bits. Before the run.
  void limit_tags(Count bits);
  /// Who in the device takes messages; without it one is a ModelError.
  void takes_messages(MessageSink& sink) { messages_ = &sink; }
  void message(const Tlp& message) override;
  /// What becomes of requests from now on; of its own that are outstanding, if it goes out of order.
  void set(PortState state);
  /// The nth request that it answers, from 1, gets that answer instead.
  void script(Misanswer what, Count nth) { script_.push_back({what, nth}); }
  Count answered() const { return answered_; }
  Count tags_in_use() const { return tags_.in_use(); }
  EndpointStats stats() const;
  void check_books() const;

 private:
  struct Request {
    Transfer* transfer = nullptr;  ///< null: timed out, and the tag rests
    Bytes length, left;
    Picoseconds sent{};
  };
  struct Scripted {
    Misanswer what;
    Count nth;
  };

  void end_of_elaboration() override;
  Transfer& make() override { return pool_.take(); }
  void submit(Transfer& transfer) override;
  void arrive(const Tlp& tlp) override;
  void write(Transfer& transfer);
  void pump_requests();
  void request(Transfer& transfer, std::uint16_t tag, Bytes piece, Address at);
  void complete(const Tlp& tlp);
  void finish(Transfer& transfer);
  // completer.cpp: others' requests
  void take_write(const Tlp& tlp);
  void serve(const Tlp& tlp);
  void serve_atomic(const Tlp& tlp);
  void on_data();
  void on_executed();
  void answer(const Tlp& request, bool poisoned);
  void answer_atomic(const Tlp& request, bool poisoned);
  void refuse(const Tlp& request, CompletionStatus status, const char* why);
  bool misanswers(const Tlp& request, bool& poisoned);
  // recovery.cpp: what ends without success
  const char* out_of_order() const;
  void drop(const Tlp& tlp);
  void bounce(Transfer& transfer);
  void on_bounced();
  void start_timer();
  void on_tick();
  void give_up(std::size_t tag, CompletionStatus status);
  void take_late(const Tlp& tlp);

  Kernel& kernel_;
  const EndpointParams& params_;
  RequesterId id_;
  TransferPool& pool_;
  TlpPort* out_ = nullptr;
  Target* device_ = nullptr;
  MessageSink* messages_ = nullptr;
  Tags tags_;
  Credits buffer_;
  std::vector<Request> requests_;  ///< by tag
  std::deque<Transfer*> waiting_;  ///< reads and atomics
  Picoseconds blocked_since_{-1};
  DelayLine<Tlp> serving_{name()}, executing_{name()};
  DelayLine<Transfer*> bounced_{name()};
  bool ticking_ = false;
  Count resting_ = 0;              ///< tags
  PortState state_ = PortState::up;
  std::vector<Scripted> script_;
  Count answered_ = 0;
  EndpointStats stats_;
};

}  // namespace gicsim::pcie
