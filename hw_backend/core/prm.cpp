// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/prm.h"

namespace gicsim::hw::prm {
namespace {

/// `width` bits from bit `at` on, the highest first.
struct Field {
  unsigned at, width;
};
constexpr Field operator+(unsigned base, Field f) { return {base + f.at, f.width}; }

void set(Command& c, Field f, std::uint64_t value) {
  for (unsigned i = 0; i < f.width; ++i) {
    const unsigned bit = f.at + f.width - 1 - i;
    if (value >> i & 1U) c[bit / 8] = static_cast<std::uint8_t>(c[bit / 8] | 0x80U >> bit % 8);
  }
}

constexpr std::size_t command_bytes = 0x880 / 8;  // each of those below, without page addresses
constexpr Field opcode{0, 16}, modified_qpn{0x48, 24};
enum Opcode : std::uint16_t {
  op_create_cq = 0x400,
  op_create_qp = 0x500,
  op_rst2init = 0x502,
  op_init2rtr = 0x503,
  op_rtr2rts = 0x504
};

namespace cqc {  // context of a completion queue
constexpr unsigned base = 0x80;
constexpr Field dbr_umem_valid{0x6, 1}, cqe_size{0x8, 3}, overrun_ignore{0xe, 1}, dbr_umem_id{0x20, 32},
    log_cq_size{0x63, 5}, uar_page{0x68, 24}, c_eqn{0xb8, 8}, log_page_size{0xc3, 5}, dbr_addr{0x1c0, 64};
constexpr Field umem_offset{0x280, 64}, umem_id{0x2c0, 32}, umem_valid{0x2e0, 1};  // behind it
}  // namespace cqc

namespace qpc {  // context of a queue pair
constexpr unsigned base = 0xc0;
constexpr Field st{0x8, 8}, pm_state{0x13, 2}, pd{0x28, 24}, mtu{0x40, 3}, log_msg_max{0x43, 5}, log_sq_size{0x51, 4},
    uar_page{0x68, 24}, remote_qpn{0xa8, 24}, log_ack_req_freq{0x380, 4}, log_sra_max{0x388, 3}, retry_count{0x38d, 3},
    rnr_retry{0x390, 3}, next_send_psn{0x3c8, 24}, cqn_snd{0x3e8, 24}, log_rra_max{0x488, 3}, atomic_mode{0x48c, 4},
    rre{0x490, 1}, rwe{0x491, 1}, rae{0x492, 1}, min_rnr_nak{0x4a3, 5}, next_rcv_psn{0x4a8, 24}, cqn_rcv{0x4e8, 24},
    dbr_addr{0x500, 64}, rq_type{0x565, 3}, dbr_umem_valid{0x683, 1}, dbr_umem_id{0x720, 32};
constexpr Field umem_offset{0x800, 64}, umem_id{0x840, 32}, umem_valid{0x860, 1};  // behind it
constexpr unsigned rc = 0, migrated = 3, no_rq = 3, ib_atomics = 1;
}  // namespace qpc

namespace ads {  // the primary path in it
constexpr unsigned base = qpc::base + 0xc0;
constexpr Field pkey_index{0x10, 16}, grh{0x28, 1}, rlid{0x30, 16}, ack_timeout{0x40, 5}, src_addr_index{0x48, 8},
    hop_limit{0x58, 8}, udp_sport{0x110, 16}, vhca_port_num{0x128, 8};
constexpr unsigned rgid = 0x80, rmac = 0x130;
}  // namespace ads

constexpr unsigned log_gpu_page = 4;                                                     // 64 KiB, counted from 4 KiB
constexpr unsigned log_longest_message = 30, rnr_timer = 12, retries = 7, timeout = 14;  // as on the verbs path
constexpr unsigned log_packets_an_ack = 8;  // what the kernel's driver asks for
constexpr unsigned hops = 64, first_roce_port = 0xc000;

Command command(Opcode op) {
  Command c(command_bytes);
  set(c, opcode, op);
  return c;
}

template <std::size_t n>
void copy(Command& c, unsigned at, const std::array<std::uint8_t, n>& bytes) {
  for (std::size_t i = 0; i < n; ++i) set(c, {at + 8 * static_cast<unsigned>(i), 8}, bytes[i]);
}

}  // namespace

Command create_cq(const CompletionQueue& q) {
  Command c = command(op_create_cq);
  set(c, cqc::base + cqc::cqe_size, 0);
  set(c, cqc::base + cqc::overrun_ignore, 1);
  set(c, cqc::base + cqc::log_cq_size, q.log_entries);
  set(c, cqc::base + cqc::uar_page, q.uar_page);
  set(c, cqc::base + cqc::c_eqn, q.event_queue);
  set(c, cqc::base + cqc::log_page_size, log_gpu_page);
  set(c, cqc::base + cqc::dbr_umem_valid, 1);
  set(c, cqc::base + cqc::dbr_umem_id, q.umem);
  set(c, cqc::base + cqc::dbr_addr, q.record);
  set(c, cqc::umem_offset, q.ring);
  set(c, cqc::umem_id, q.umem);
  set(c, cqc::umem_valid, 1);
  return c;
}

Command create_qp(const QueuePair& q) {
  Command c = command(op_create_qp);
  set(c, qpc::base + qpc::st, qpc::rc);
  set(c, qpc::base + qpc::pm_state, qpc::migrated);
  set(c, qpc::base + qpc::pd, q.pd);
  set(c, qpc::base + qpc::uar_page, q.uar_page);
  set(c, qpc::base + qpc::cqn_snd, q.cq);
  set(c, qpc::base + qpc::cqn_rcv, q.cq);
  set(c, qpc::base + qpc::log_sq_size, q.log_entries);
  set(c, qpc::base + qpc::rq_type, qpc::no_rq);
  set(c, qpc::base + qpc::dbr_umem_valid, 1);
  set(c, qpc::base + qpc::dbr_umem_id, q.umem);
  set(c, qpc::base + qpc::dbr_addr, q.record);
  set(c, qpc::umem_offset, q.ring);
  set(c, qpc::umem_id, q.umem);
  set(c, qpc::umem_valid, 1);
  return c;
}

Command reset_to_init(std::uint32_t qpn, unsigned port) {
  Command c = command(op_rst2init);
  set(c, modified_qpn, qpn);
  set(c, qpc::base + qpc::pm_state, qpc::migrated);
  set(c, qpc::base + qpc::rre, 1);
  set(c, qpc::base + qpc::rwe, 1);
  set(c, qpc::base + qpc::rae, 1);
  set(c, qpc::base + qpc::atomic_mode, qpc::ib_atomics);
  set(c, ads::base + ads::pkey_index, 0);
  set(c, ads::base + ads::vhca_port_num, port);
  return c;
}

Command init_to_rtr(const ReadyToReceive& r) {
  Command c = command(op_init2rtr);
  set(c, modified_qpn, r.qpn);
  set(c, qpc::base + qpc::mtu, r.mtu);
  set(c, qpc::base + qpc::log_msg_max, log_longest_message);
  set(c, qpc::base + qpc::remote_qpn, r.far_qpn);
  set(c, qpc::base + qpc::next_rcv_psn, r.far_psn);
  set(c, qpc::base + qpc::log_rra_max, r.log_reads);
  set(c, qpc::base + qpc::min_rnr_nak, rnr_timer);
  set(c, ads::base + ads::vhca_port_num, r.route.port);
  if (r.route.ethernet) {
    copy(c, ads::base + ads::rmac, r.route.mac);
    set(c, ads::base + ads::udp_sport, first_roce_port | (r.qpn & 0x3fffU));  // spreads connections over paths
  } else {
    set(c, ads::base + ads::rlid, r.route.lid);
    set(c, ads::base + ads::grh, r.route.global ? 1 : 0);
  }
  if (r.route.ethernet || r.route.global) {
    copy(c, ads::base + ads::rgid, r.route.gid);
    set(c, ads::base + ads::src_addr_index, r.route.gid_index);
    set(c, ads::base + ads::hop_limit, hops);
  }
  return c;
}

Command rtr_to_rts(const ReadyToSend& r) {
  Command c = command(op_rtr2rts);
  set(c, modified_qpn, r.qpn);
  set(c, qpc::base + qpc::next_send_psn, r.psn);
  set(c, qpc::base + qpc::log_ack_req_freq, log_packets_an_ack);
  set(c, qpc::base + qpc::log_sra_max, r.log_reads);
  set(c, qpc::base + qpc::retry_count, retries);
  set(c, qpc::base + qpc::rnr_retry, retries);
  set(c, ads::base + ads::ack_timeout, timeout);
  return c;
}

Answer answer_of(const std::array<std::uint8_t, answer_bytes>& b) {
  const auto word = [&](std::size_t at) {
    return std::uint32_t{b[at]} << 24U | std::uint32_t{b[at + 1]} << 16U | std::uint32_t{b[at + 2]} << 8U | b[at + 3];
  };
  return {b[0], word(4), word(8) & 0xffffffU};
}

}  // namespace gicsim::hw::prm
