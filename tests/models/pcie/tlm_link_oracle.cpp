// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/models/pcie/tlm_link_oracle.h"

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "models/base/context.h"
#include "models/pcie/link.h"
#include "models/pcie/ordering.h"

namespace gicsim::pcie {
namespace {

using tlm::tlm_generic_payload;
using tlm::tlm_phase;

sc_core::sc_time to_systemc(Picoseconds t) { return {static_cast<double>(t.count()), sc_core::SC_PS}; }
Picoseconds now() { return Picoseconds{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())}; }

struct TlpExtension final : tlm::tlm_extension<TlpExtension> {
  Tlp tlp;
  tlm::tlm_extension_base* clone() const override { return new TlpExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { tlp = static_cast<const TlpExtension&>(other).tlp; }
};

const Tlp& tlp_of(const tlm_generic_payload& payload) { return payload.get_extension<TlpExtension>()->tlp; }

/// Credits of one flow; without a limit, as good as infinite.
struct Pool {
  std::int64_t headers = 1'000'000'000, data = 1'000'000'000;
};
std::int64_t units(const Tlp& tlp) {
  return flow_of(tlp.kind) == Flow::non_posted ? 0 : (tlp.length.count() + 15) / 16;
}

/// Takes its bytes from the lengths of fields: 4 B of framing and number, 4 B of LCRC, header, payload in words.
std::int64_t bytes_of(const Tlp& tlp) {
  const std::int64_t header = tlp.kind == TlpKind::completion ? 12 : 16;
  if (tlp.kind == TlpKind::read) return 8 + header;
  const std::int64_t first = static_cast<std::int64_t>(tlp.address) / 4,
                     behind = (static_cast<std::int64_t>(tlp.address) + tlp.length.count() + 3) / 4;
  return 8 + header + 4 * (behind - first);
}

class Receiver final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Receiver> socket{"socket"};
  std::vector<Offered> arrivals;

  Receiver(sc_core::sc_module_name name, Picoseconds latency) : sc_module(name), latency_(latency) {
    socket.register_nb_transport_fw(this, &Receiver::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_core::sc_time& delay) {
    arriving_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  void on_phase(tlm_generic_payload& payload, const tlm_phase&) {
    arrivals.push_back({now(), tlp_of(payload)});
    tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time back = to_systemc(latency_);
    socket->nb_transport_bw(payload, phase, back);
  }

  Picoseconds latency_;
  tlm_utils::peq_with_cb_and_phase<Receiver> arriving_{this, &Receiver::on_phase};
};

class Sender final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Sender> socket{"socket"};

  Sender(sc_core::sc_module_name name, const LinkParams& params, const std::vector<Offered>& offered)
      : sc_module(name), params_(params), offered_(offered) {
    pools_[0] = {params.posted_headers, params.posted_data.count() / 16};
    pools_[1].headers = params.non_posted_headers;
    if (params.completion_headers > 0) pools_[2].headers = params.completion_headers;
    if (params.completion_data > 0_B) pools_[2].data = params.completion_data.count() / 16;
    socket.register_nb_transport_bw(this, &Sender::nb_transport_bw);
    SC_HAS_PROCESS(Sender);
    SC_THREAD(offer);
    SC_THREAD(gate);
    SC_THREAD(lanes);
  }

 private:
  Pool& pool_of(const Tlp& tlp) { return pools_[static_cast<std::size_t>(flow_of(tlp.kind))]; }

  void offer() {
    for (const Offered& one : offered_) {
      if (one.at > now()) wait(to_systemc(one.at - now()));
      auto& payload = *payloads_.emplace_back(std::make_unique<tlm_generic_payload>());
      auto* extension = new TlpExtension;  // the payload deletes it
      extension->tlp = one.tlp;
      payload.set_extension(extension);
      payload.set_command(one.tlp.kind == TlpKind::read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
      payload.set_address(one.tlp.address);
      payload.set_data_length(static_cast<unsigned>(one.tlp.length.count()));
      waiting_.push_back(&payload);
      changed_.notify(sc_core::SC_ZERO_TIME);
    }
  }

  /// Looks once all of an instant has happened.
  void gate() {
    for (;;) {
      wait(changed_);
      for (int deltas = 0; deltas < 8; ++deltas) wait(sc_core::SC_ZERO_TIME);
      while (let_one_go()) {
      }
    }
  }
  bool let_one_go() {
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
      const Tlp& tlp = tlp_of(**it);
      Pool& pool = pool_of(tlp);
      bool may_go = pool.headers >= 1 && pool.data >= units(tlp);
      for (auto earlier = waiting_.begin(); earlier != it; ++earlier) may_go &= may_pass(tlp, tlp_of(**earlier));
      if (!may_go) continue;
      pool.headers -= 1, pool.data -= units(tlp);
      granted_.push_back(*it);
      waiting_.erase(it);
      granted_something_.notify(sc_core::SC_ZERO_TIME);
      return true;
    }
    return false;
  }

  void lanes() {
    Picoseconds burst{-1}, end{-1};
    __extension__ __int128 bits = 0;
    for (;;) {
      while (granted_.empty()) wait(granted_something_);
      tlm_generic_payload& payload = *granted_.front();
      granted_.pop_front();
      if (now() > end) burst = now(), bits = 0;
      bits += 8 * bytes_of(tlp_of(payload));
      const auto per_second = rate(params_).bits_per_second();
      end = burst + Picoseconds{static_cast<std::int64_t>((bits * 1'000'000'000'000 + per_second - 1) / per_second)};
      wait(to_systemc(end - now()));
      tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time flight = to_systemc(params_.latency);
      socket->nb_transport_fw(payload, phase, flight);
    }
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase, sc_core::sc_time& delay) {
    returning_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  void on_phase(tlm_generic_payload& payload, const tlm_phase&) {
    Pool& pool = pool_of(tlp_of(payload));
    pool.headers += 1, pool.data += units(tlp_of(payload));
    changed_.notify(sc_core::SC_ZERO_TIME);
  }

  const LinkParams& params_;
  const std::vector<Offered>& offered_;
  Pool pools_[3];
  std::deque<std::unique_ptr<tlm_generic_payload>> payloads_;
  std::list<tlm_generic_payload*> waiting_, granted_;
  sc_core::sc_event changed_{"changed"}, granted_something_{"granted_something"};
  tlm_utils::peq_with_cb_and_phase<Sender> returning_{this, &Sender::on_phase};
};

}  // namespace

std::vector<Offered> simulate_with_tlm(const LinkParams& params, const std::vector<Offered>& offered) {
  ContextScope scope;
  Receiver receiver("receiver", params.latency);
  Sender sender("sender", params, offered);
  sender.socket.bind(receiver.socket);
  sc_core::sc_start();
  return receiver.arrivals;
}

}  // namespace gicsim::pcie
