// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

/// TLM-2.0 models as other people write them: nothing of ours in them.
namespace foreign {

using Data = std::vector<unsigned char>;

inline sc_core::sc_time ns(double n) { return {n, sc_core::SC_NS}; }
inline std::string stamp(sc_core::sc_time t = sc_core::sc_time_stamp()) { return std::to_string(t.value()); }

/// Loosely timed: a thread that runs a script of blocking accesses and keeps its local time.
struct LtInitiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<LtInitiator> socket{"socket"};
  std::function<void(LtInitiator&)> script;
  sc_core::sc_time local;
  std::vector<std::string> log;

  LtInitiator(sc_core::sc_module_name name, std::function<void(LtInitiator&)> s) : sc_module(name), script(std::move(s)) {
    SC_HAS_PROCESS(LtInitiator);
    SC_THREAD(run);
  }
  void run() { script(*this); }

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, Data& data, unsigned width = ~0U,
                                  Data enables = {}) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(width == ~0U ? static_cast<unsigned>(data.size()) : width);
    payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(payload, local);
    log.push_back(stamp(sc_core::sc_time_stamp() + local) + " " + payload.get_response_string());
    return payload.get_response_status();
  }
  tlm::tlm_response_status write(std::uint64_t address, Data data) {
    return access(tlm::TLM_WRITE_COMMAND, address, data);
  }
  Data read(std::uint64_t address, std::size_t length) {
    Data data(length, 0xee);
    access(tlm::TLM_READ_COMMAND, address, data);
    return data;
  }
};

/// Approximately timed: sends its requests as fast as the base protocol lets it, and takes each response a while.
struct AtInitiator : sc_core::sc_module, tlm::tlm_mm_interface {
  tlm_utils::simple_initiator_socket<AtInitiator> socket{"socket"};
  struct Request {
    tlm::tlm_command command;
    std::uint64_t address;
    unsigned length;
  };
  std::deque<Request> requests;
  sc_core::sc_time digest;  ///< from BEGIN_RESP to END_RESP
  std::vector<std::string> log;
  std::map<tlm::tlm_generic_payload*, Data> live;
  tlm::tlm_generic_payload *asking = nullptr, *taking = nullptr;
  std::size_t ended = 0;

  AtInitiator(sc_core::sc_module_name name, std::deque<Request> r, sc_core::sc_time d)
      : sc_module(name), requests(std::move(r)), digest(d) {
    socket.register_nb_transport_bw(this, &AtInitiator::on_phase);
    SC_HAS_PROCESS(AtInitiator);
    SC_METHOD(ask);
    sensitive << ask_;
    SC_METHOD(took);
    sensitive << took_;
    dont_initialize();
  }
  void ask() {
    if (asking || requests.empty()) return;
    const Request request = requests.front();
    requests.pop_front();
    auto* payload = new tlm::tlm_generic_payload(this);
    payload->acquire();
    Data& data = live[payload];
    data.assign(request.length, 0x11);
    payload->set_command(request.command);
    payload->set_address(request.address);
    payload->set_data_ptr(data.data());
    payload->set_data_length(request.length);
    payload->set_streaming_width(request.length);
    payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    asking = payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    note("BEGIN_REQ", *payload);
    if (socket->nb_transport_fw(*payload, phase, delay) != tlm::TLM_COMPLETED) return;
    note("COMPLETED", *payload);
    asking = nullptr;
    payload->release();
    ask_.notify(sc_core::SC_ZERO_TIME);
  }
  tlm::tlm_sync_enum on_phase(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    note(phase.get_name(), payload);
    if (phase == tlm::END_REQ) {
      asking = nullptr;
      ask_.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_ACCEPTED;
    }
    sc_assert(!taking);
    taking = &payload;
    took_.notify(digest);
    return tlm::TLM_ACCEPTED;
  }
  void took() {
    tlm::tlm_generic_payload& payload = *taking;
    taking = nullptr;
    ++ended;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    note("END_RESP", payload);
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
  }
  void note(const std::string& what, const tlm::tlm_generic_payload& payload) {
    std::ostringstream line;
    line << stamp() << " " << what << " " << std::hex << payload.get_address() << " "
         << (what == "BEGIN_RESP" || what == "COMPLETED" ? payload.get_response_string() : "");
    log.push_back(line.str());
  }
  void free(tlm::tlm_generic_payload* payload) override {
    live.erase(payload);
    delete payload;
  }

 private:
  sc_core::sc_event ask_{"to_ask"}, took_{"to_take"};
};

/// Bytes, zero at first.
struct Store {
  std::map<std::uint64_t, unsigned char> bytes;
  std::vector<std::string> log;
  std::uint64_t size = ~std::uint64_t{0};

  void carry_out(tlm::tlm_generic_payload& payload, sc_core::sc_time at) {
    std::ostringstream line;
    line << stamp(at) << (payload.is_write() ? " W " : " R ") << std::hex << payload.get_address() << "+" << std::dec
         << payload.get_data_length();
    log.push_back(line.str());
    if (payload.get_address() + payload.get_data_length() > size)
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      unsigned char& byte = bytes[payload.get_address() + i];
      if (payload.is_write()) byte = payload.get_data_ptr()[i];
      else payload.get_data_ptr()[i] = byte;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// A loosely timed memory that waits for its latency, or annotates it.
struct LtMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<LtMemory> socket{"socket"};
  Store store;
  sc_core::sc_time latency;
  bool waits;

  LtMemory(sc_core::sc_module_name name, sc_core::sc_time l, bool w) : sc_module(name), latency(l), waits(w) {
    socket.register_b_transport(this, &LtMemory::on_access);
  }
  void on_access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    delay += latency;
    if (waits) {
      sc_core::wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    store.carry_out(payload, sc_core::sc_time_stamp() + delay);
  }
};

/// An approximately timed memory with all four phases: END_REQ after `accept`, BEGIN_RESP `latency` after that.
struct AtMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<AtMemory> socket{"socket"};
  Store store;
  sc_core::sc_time accept, latency;
  std::size_t ends_of_response = 0;

  AtMemory(sc_core::sc_module_name name, sc_core::sc_time a, sc_core::sc_time l)
      : sc_module(name), accept(a), latency(l), queue_(this, &AtMemory::on_due) {
    socket.register_nb_transport_fw(this, &AtMemory::on_phase);
  }
  tlm::tlm_sync_enum on_phase(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      payload.acquire();
      queue_.notify(payload, tlm::END_REQ, delay + accept);
    } else {
      ++ends_of_response;
    }
    return tlm::TLM_ACCEPTED;
  }
  void on_due(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& due) {
    tlm::tlm_phase phase = due;
    sc_core::sc_time delay;
    if (phase == tlm::BEGIN_RESP) store.carry_out(payload, sc_core::sc_time_stamp());
    const auto sync = socket->nb_transport_bw(payload, phase, delay);
    if (due == tlm::END_REQ) return queue_.notify(payload, tlm::BEGIN_RESP, latency);
    if (sync == tlm::TLM_UPDATED && phase == tlm::END_RESP) ++ends_of_response;
    payload.release();
  }

 private:
  tlm_utils::peq_with_cb_and_phase<AtMemory> queue_;
};

}  // namespace foreign
