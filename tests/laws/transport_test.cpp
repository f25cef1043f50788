// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever is lost: each message arrives once, each atomic acts once, each WQE completes once.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/support/nic_pair.h"

namespace gicsim {
namespace {

constexpr int seeds = 1000;
constexpr Address counter = 0x10, memory = 1 << 20, buffer = 1 << 22;  ///< at both ends

nic::NicParams small_packets() {
  nic::NicParams params = NicPair::nic_defaults();
  params.mtu = 256_B;
  params.fetches_outstanding = 4;
  params.transmit_buffer = 1_KiB;
  return params;
}

/// Some of everything, in random order; every message has memory of its own.
struct Work {
  static constexpr int count = 12;
  RandomStream random;
  std::vector<Wqe> wqes;
  int adds = 0;
  std::vector<Wqe> receives;  ///< those that consume one
  Bytes moved;

  explicit Work(std::uint64_t seed) : random(seed, "work") {
    for (int i = 0; i < count; ++i) {
      Wqe wqe;
      constexpr Opcode all[] = {Opcode::rdma_read,  Opcode::fetch_add, Opcode::rdma_write_imm, Opcode::send,
                                Opcode::send_imm, Opcode::rdma_write, Opcode::rdma_write};
      wqe.opcode = all[random.below(std::size(all))];
      wqe.local = (is_fetch(wqe.opcode) ? buffer : memory) + static_cast<Address>(i) * 4096;
      wqe.remote = wqe.opcode == Opcode::fetch_add ? counter
                   : (is_fetch(wqe.opcode) ? memory : buffer) + static_cast<Address>(i) * 4096;
      wqe.length = wqe.opcode == Opcode::fetch_add ? 8_B : Bytes(1 + static_cast<std::int64_t>(random.below(1500)));
      wqe.inlined = !is_fetch(wqe.opcode) && random.below(4) == 0;
      if (wqe.inlined) wqe.length = 8_B;
      wqe.value = wqe.opcode == Opcode::fetch_add ? 1 : static_cast<std::uint64_t>(i) + 100;
      wqe.immediate = static_cast<std::uint32_t>(i);
      if (wqe.opcode == Opcode::fetch_add) ++adds;
      else moved += wqe.length;
      if (takes_receive(wqe.opcode)) receives.push_back(wqe);
      wqes.push_back(wqe);
    }
  }
};

/// Each packet's piece of memory was written, once; nothing else was.
void check_written(const Dma& dma, const std::vector<Wqe>& wqes, Stage stage, bool local) {
  std::map<Address, int> times;
  for (const Dma::Access& access : dma.writes)
    if (access.stage == stage && access.address >= memory) ++times[access.address];
  std::size_t pieces_of_all = 0;
  for (const Wqe& wqe : wqes) {
    if (is_fetch(wqe.opcode) != local) continue;
    for (std::int64_t n = 0; n < pieces(wqe.length, 256_B); ++n, ++pieces_of_all)
      REQUIRE(times[(local ? wqe.local : wqe.remote) + static_cast<Address>(n) * 256] == 1);
  }
  REQUIRE(times.size() == pieces_of_all);
}

void run_and_check(NicPair& pair, const Work& work) {
  for (const Wqe& wqe : work.receives) pair.receive(wqe.remote, 1500_B);
  for (const Wqe& wqe : work.wqes) pair.post(wqe);
  pair.ring();
  REQUIRE(pair.bench.run() == Kernel::Ended::idle);
  pair.check_books();
  REQUIRE(pair.near.failures().empty());
  check_written(pair.far_memory, work.wqes, Stage::remote_write, false);
  check_written(pair.near_memory, work.wqes, Stage::response_write, true);

  const auto seen = pair.far_memory.cells.read(counter, pair.bench.now());
  REQUIRE((seen.content ? std::get<std::uint64_t>(*seen.content) : 0) == static_cast<std::uint64_t>(work.adds));
  std::set<std::uint64_t> old_values;
  std::uint32_t completed = 0, received = 0;
  std::uint32_t next = 0;
  for (const Dma::Access& access : pair.near_memory.writes) {
    if (access.stage == Stage::cqe_write) {
      const Cqe& cqe = std::get<Cqe>(access.content);
      REQUIRE(cqe.status == CqeStatus::ok);
      REQUIRE(cqe.index == next);
      const Wqe& wqe = work.wqes[completed++];
      next += nic::wqe_units(wqe);
    }
    for (const Wqe& wqe : work.wqes)
      if (access.stage == Stage::response_write && wqe.opcode == Opcode::fetch_add && wqe.local == access.address)
        REQUIRE(old_values.insert(std::get<std::uint64_t>(access.content)).second);
  }
  REQUIRE(completed == work.wqes.size());
  REQUIRE(static_cast<int>(old_values.size()) == work.adds);
  for (const Dma::Access& access : pair.far_memory.writes) {
    if (access.stage != Stage::cqe_write) continue;
    const Cqe& cqe = std::get<Cqe>(access.content);
    REQUIRE(received < work.receives.size());
    REQUIRE(cqe.index == received);
    REQUIRE(cqe.length == work.receives[received++].length);
  }
  REQUIRE(received == work.receives.size());
}

/// Every other history with a window of eight packets, every tenth with an ACK for each message.
nic::TransportParams mode(nic::Retransmission retransmission, std::uint64_t seed) {
  nic::TransportParams transport;
  transport.retransmission = retransmission;
  transport.ack = seed % 10 == 0 ? nic::Acks::every : nic::Acks::coalesced;
  if (seed % 2 == 1) transport.reorder = 8;
  return transport;
}

/// A notification for each marked packet, and rates that come back soon.
nic::DcqcnParams notified() {
  nic::DcqcnParams p;
  p.min_time_between_cnps = p.rate_reduce_monitor_period = 0ns;
  p.cnp_802p_prio = 0;
  p.initial_alpha_value = 1023;
  p.dce_tcp_g = 1019;
  p.dce_tcp_rtt = 1us;
  p.rpg_gd = 11;
  p.rpg_min_dec_fac = 50;
  p.rpg_min_rate = 10_Gbps;
  p.rpg_time_reset = 5us;
  p.rpg_byte_reset = 4_KiB;
  p.rpg_threshold = 1;
  p.rpg_ai_rate = p.rpg_hai_rate = 1_Gbps;
  return p;
}

/// Eleven classes, a thousand seeds each.
void lose_of_each_class(nic::Retransmission retransmission) {
  using link::PacketClass;
  std::uint64_t seed = 0;
  const nic::DcqcnParams dcqcn = notified();
  for (const PacketClass lost :
       {PacketClass::any, PacketClass::write_first, PacketClass::write_middle, PacketClass::write_last,
        PacketClass::read_request, PacketClass::read_response, PacketClass::atomic_request,
        PacketClass::atomic_response, PacketClass::ack, PacketClass::nak, PacketClass::cnp}) {
    std::int64_t hit = 0;
    for (int n = 0; n < seeds; ++n, ++seed) {
      CAPTURE(static_cast<int>(lost));
      CAPTURE(seed);
      Work work(seed);
      NicPair pair(small_packets(), NicPair::wire_defaults(), NicPair::wire_defaults(), seed, 1024, 600ns,
                   mode(retransmission, seed), lost == PacketClass::cnp ? &dcqcn : nullptr);
      for (std::uint64_t k = work.random.below(3) + 1; k > 0; --k) {
        const link::Drop drop{lost, static_cast<Count>(1 + work.random.below(6))};
        pair.forth.script(drop), pair.back.script(drop);
      }
      if (lost == PacketClass::nak)  // which takes a loss to be sent
        pair.forth.script({PacketClass::write, static_cast<Count>(1 + work.random.below(20))});
      run_and_check(pair, work);
      hit += pair.forth.stats().lost + pair.back.stats().lost;
      if (lost != PacketClass::cnp) continue;  // nothing is sent again for want of one
      REQUIRE(pair.far.stats().cnps_sent == pair.near.stats().cnps_received + pair.back.stats().lost);
      REQUIRE(pair.near.stats().resent == 0);
    }
    CHECK(hit > seeds / 2);
  }
}

TEST_CASE("transport: up to three packets of each class lost in 11,000 histories, go-back-N") {
  lose_of_each_class(nic::Retransmission::go_back_n);
}

TEST_CASE("transport: up to three packets of each class lost in 11,000 histories, selective repeat") {
  lose_of_each_class(nic::Retransmission::selective_repeat);
}

TEST_CASE("transport: a tenth of all packets lost, both ways") {
  link::WireParams lossy = NicPair::wire_defaults();
  lossy.loss = Probability::steps(Probability::certain / 10);
  for (const auto retransmission : {nic::Retransmission::go_back_n, nic::Retransmission::selective_repeat}) {
    std::int64_t hit = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      CAPTURE(static_cast<int>(retransmission));
      CAPTURE(seed);
      NicPair pair(small_packets(), lossy, lossy, seed, 1024, 600ns, mode(retransmission, seed));
      run_and_check(pair, Work(seed));
      hit += pair.forth.stats().lost + pair.back.stats().lost;
    }
    CHECK(hit > 2 * seeds);
  }
}

TEST_CASE("transport: bursts, bad codewords, a cable that goes down, with and without link-level retry") {
  link::Errors errors;
  errors.burst = {.to_bad = Probability::steps(Probability::certain / 50), .to_good = Probability::steps(Probability::certain / 3)};
  errors.fec.code = link::FecCode::rs544_514;
  errors.fec.raw_ber = Probability::steps(2'000'000'000'000'000);  // 2e-3
  std::int64_t hit = 0, retried = 0, resent[2] = {};
  for (const bool retry : {false, true}) {
    errors.retry.on = retry;
    for (std::uint64_t seed = 0; seed < seeds / 2; ++seed) {
      CAPTURE(retry);
      CAPTURE(seed);
      NicPair pair(small_packets(), NicPair::wire_defaults(), NicPair::wire_defaults(), seed);
      pair.forth.disturb(errors, seed), pair.back.disturb(errors, seed);
      const Picoseconds begin = static_cast<std::int64_t>(seed) * 40ns;
      pair.forth.script(link::Outage{begin, begin + 300ns});
      run_and_check(pair, Work(seed));
      hit += pair.forth.stats().lost + pair.back.stats().lost;
      if (retry) retried += pair.forth.retries()->retries + pair.back.retries()->retries;
      resent[retry] += pair.near.stats().resent;
    }
  }
  CHECK(hit > seeds);
  CHECK(retried > seeds);
  CHECK(resent[1] < resent[0]);
}

TEST_CASE("transport: the same seed, the same history") {
  link::WireParams lossy = NicPair::wire_defaults();
  lossy.loss = Probability::steps(Probability::certain / 10);
  const auto history = [&](std::uint64_t seed) {
    NicPair pair(small_packets(), lossy, lossy, seed);
    run_and_check(pair, Work(5));
    return std::pair(pair.bench.now(), pair.bench.kernel.events());
  };
  CHECK(history(1) == history(1));
  CHECK(history(1) != history(2));
}

}  // namespace
}  // namespace gicsim
