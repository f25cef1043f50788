// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/captures/bed.h"

#include <algorithm>

namespace gicsim::captures {
namespace {

constexpr PortNumber here = 1, there = 2;

nic::NicParams params_of(const Bed::Settings& settings) {
  nic::NicParams p{.qp_window = 4096, .nic_window = 4096, .ack_handle = 0ns};
  p.doorbell = p.doorbell_gap = p.decode = p.decode_gap = p.tx = p.tx_gap = p.rx = p.rx_gap = 0ns;
  p.ack_turn = p.ack_gap = p.cqe_build = p.execute = p.atomic = 0ns;
  p.mtu = Bytes(settings.mtu);
  p.fetches_outstanding = 128;
  p.rnr_timer = nic::rnr_timers[settings.rnr_code];
  if (settings.holds_payload) p.transmit_buffer = p.mtu;
  return p;
}

}  // namespace

void Memory::fill(Transfer& read) const {
  if (read.stage == Stage::remote_read) {
    const auto word = words.find(read.address);
    read.content = word == words.end() ? std::uint64_t{0} : word->second;
    return;
  }
  read.next.assign(read.lines, Picoseconds{});
  const auto slot = static_cast<std::uint32_t>((read.address - ring_at) / 64);
  for (std::uint32_t line = 0; line < read.lines; ++line) {
    Content unit;
    for (const Wqe& wqe : ring)
      if (wqe.index % depth == slot + line) unit = wqe;
    if (line == 0) read.content = unit;
    else read.more.push_back(unit);
  }
}

void Memory::submit(Transfer& transfer) {
  if (transfer.kind == Transfer::Kind::write) {
    const auto* word = std::get_if<std::uint64_t>(&transfer.content);
    const bool places = !transfer.initiator || transfer.rewrites;  // an atomic's new value
    if (places && transfer.stage == Stage::remote_write && word) words[transfer.address] = *word;
    if (!transfer.initiator) return pool_.give(transfer);
    return answer(transfer);
  }
  if (holds && transfer.stage == Stage::payload_read) return held_.push_back(&transfer);
  if (transfer.stage != Stage::payload_read) fill(transfer);
  answer(transfer);
}

void Memory::answer(Transfer& transfer) {
  answering_.push_back(&transfer);
  kernel_.at<&Memory::on_answer>(kernel_.now(), this);
}

void Memory::on_answer() {
  Transfer& transfer = *answering_.front();
  answering_.pop_front();
  transfer.initiator->on_transferred(transfer);
  pool_.give(transfer);
}

Transfer* Memory::held() { return held_.empty() ? nullptr : held_.front(); }

void Memory::release() {
  Transfer& transfer = *held_.front();
  held_.pop_front();
  answer(transfer);
}

Bed::Bed(const Settings& settings) : params_(params_of(settings)), transport_(settings.transport) {
  memory_.holds = settings.holds_payload;
  nic_ = std::make_unique<nic::Nic>("nic", kernel_, params_, here, rocev2_overhead, Address{1} << 46, transport_);
  nic_->port.bind(memory_);
  nic_->wire_out.bind(static_cast<PacketPort&>(*this));
  nic::QueuePairConfig config;
  config.depth = Memory::depth;
  config.first_psn = settings.first_psn;
  config.service = settings.datagrams ? Service::ud : Service::rc;
  const std::uint32_t qpn = nic_->make_queue_pair(config);
  nic_->place(qpn, Memory::ring_at, Memory::ring_at - 128, Memory::ring_at - 64);
  nic_->connect(qpn, there, qpn);
}

Bed::~Bed() {
  kernel_.abandon();
  nic_.reset();
}

void Bed::post(Wqe wqe) {
  wqe.qpn = 1;
  wqe.to = {there, 1, 0};
  wqe.index = producer_;
  producer_ += nic::wqe_units(wqe);
  memory_.ring.push_back(wqe);
  if (memory_.ring.size() > 64) memory_.ring.pop_front();  // it has been read
  Transfer& doorbell = doorbells_.emplace_back();
  if (doorbells_.size() > 64) doorbells_.pop_front();
  doorbell.address = nic_->doorbell_address();
  doorbell.length = 8_B;
  doorbell.content = std::uint64_t{1} << 32 | producer_;
  nic_->target->on_write(doorbell, kernel_.now());
  settle();
}

void Bed::deliver(Packet packet) {
  packet.from = there;
  packet.to = here;
  packet.qpn = 1;
  nic_->wire_in->arrive(packet);
}

void Bed::release() {
  memory_.release();
  settle();
}

bool Bed::expire() {
  const Picoseconds until = kernel_.now() + 2 * std::max(nic::time_out(params_), nic::rnr_timers[0]);
  const Count timeouts = nic_->stats().timeouts;
  const bool held = memory_.held();
  for (Picoseconds step = 10us; kernel_.now() < until; step = std::min(step * 2, Picoseconds(10ms))) {
    kernel_.run_through(kernel_.now() + step);
    if (nic_->stats().timeouts > timeouts || !sent.empty() || (!held && memory_.held())) return true;
  }
  return false;
}

Picoseconds Bed::send(const Packet& packet, Picoseconds ready) {
  sent.push_back({packet, packet.wqe ? packet.wqe->opcode : Opcode::rdma_write});
  sent.back().packet.wqe = nullptr;
  return ready;
}

}  // namespace gicsim::captures
