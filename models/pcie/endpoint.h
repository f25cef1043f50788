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
#include "models/pcie/params.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct EndpointStats {
  Count writes = 0, reads = 0, served = 0;
  Picoseconds tag_time{}, tag_wait{};
  Count tags_peak = 0;
};
template <class V>
constexpr void describe(V&& v, EndpointStats& s) {
  v("writes", s.writes, "write TLPs made");
  v("reads", s.reads, "read requests made");
  v("served", s.served, "read requests answered");
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

/// A device's port: turns transfers into TLPs and back. Reads hold a tag each and reserve room
/// for all their completions before they leave.
class Endpoint final : public sc_core::sc_module, private MemoryPort, private TlpSink {
 public:
  sc_core::sc_export<MemoryPort> memory{"memory"};
  sc_core::sc_export<TlpSink> in{"in"};
  sc_core::sc_port<TlpPort> out{"out"};
  sc_core::sc_port<Target> device{"device"};

  Endpoint(sc_core::sc_module_name name, Kernel& kernel, const EndpointParams& params, RequesterId id,
           TransferPool& pool);

  RequesterId id() const { return id_; }
  EndpointStats stats() const;
  void check_books() const;

 private:
  struct Request {
    Transfer* transfer = nullptr;
    Bytes length, left;
  };

  void end_of_elaboration() override;
  Transfer& make() override { return pool_.take(); }
  void submit(Transfer& transfer) override;
  void arrive(const Tlp& tlp) override;
  void write(Transfer& transfer);
  void pump_reads();
  void serve(const Tlp& tlp);
  void on_data();
  void complete(const Tlp& tlp);

  Kernel& kernel_;
  const EndpointParams& params_;
  RequesterId id_;
  TransferPool& pool_;
  TlpPort* out_ = nullptr;
  Target* device_ = nullptr;
  Tags tags_;
  Credits buffer_;
  std::vector<Request> requests_;  ///< by tag
  std::deque<Transfer*> reads_;
  Picoseconds blocked_since_{-1};
  DelayLine<Tlp> serving_{name()};
  EndpointStats stats_;
};

}  // namespace gicsim::pcie
