// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/base/errors.h"
#include "models/nic/nic.h"
#include "models/protocol/ending.h"

namespace gicsim::nic {
namespace {

constexpr Address push_register = 256;  ///< half of a BlueFlame register

}  // namespace

/// Doorbells wait in a FIFO until the engine takes them. One that finds it full stays where it is and keeps its credits.
Picoseconds Nic::accept(const Transfer&, Bytes, Picoseconds now) {
  while (!fifo_.empty() && fifo_.front() <= now) fifo_.pop_front();
  const auto waiting = static_cast<Count>(fifo_.size());
  fetch_stats_.fifo_peak = std::max(fetch_stats_.fifo_peak, std::min(waiting + 1, fetch_->fifo));
  if (waiting < fetch_->fifo) return now;
  const Picoseconds room = fifo_[static_cast<std::size_t>(waiting - fetch_->fifo)];
  ++fetch_stats_.fifo_full;
  fetch_stats_.fifo_wait += room - now;
  return room;
}

/// A WQE is taken as one when it comes in whole lines, of which the last one tells. Of one in pieces the first rings,
/// as its 8 B are those of a doorbell, and the rest change nothing.
void Nic::on_write(Transfer& transfer, Picoseconds now) {
  if (barrier_.takes(transfer.address)) return barrier_.begin(transfer, now);
  if (transfer.address == arm_address()) {
    arming_.push(std::get<std::uint64_t>(transfer.content), now + params_.doorbell);
    return kernel_.at<&Nic::on_arm>(now + params_.doorbell, this);
  }
  const Slot slot = doorbell_.serve(now);
  while (!fifo_.empty() && fifo_.front() <= now) fifo_.pop_front();
  fifo_.push_back(slot.start);
  const auto* pushed = std::get_if<Wqe>(&transfer.content);
  if (transfer.content.index() == 0 && transfer.address - doorbell_address() < push_register) {
    ++stats_.push_pieces;
    return;
  }
  if (pushed && transfer.length < wqe_unit) {
    ++stats_.partial_pushes;
    transfer.content = std::uint64_t{pushed->qpn} << 32 | (pushed->index + wqe_units(*pushed));
  }
  const Picoseconds due = from_bus_(now, slot.start + params_.doorbell);
  const bool rung = transfer.address == doorbell_address();
  doorbells_.push({rung ? transfer.content : Content{}, now, transfer.ledger, transfer.address}, due);
  if (transfer.ledger) transfer.ledger->waited(slot.start - now);
  kernel_.at<&Nic::on_doorbell>(due, this);
}

Picoseconds Nic::on_read(const Transfer&, Bytes, Picoseconds now) { return now + params_.doorbell; }

/// An 8 B doorbell names queue and index; a 64 B one is the WQE itself (BlueFlame), of which only
/// the index counts while earlier WQEs are still being fetched: the ring holds it too.
void Nic::on_doorbell() {
  const Doorbell doorbell = *doorbells_.pop_due(kernel_.now());
  const Picoseconds now = kernel_.now();
  const auto* value = std::get_if<std::uint64_t>(&doorbell.value);
  const auto* pushed = std::get_if<Wqe>(&doorbell.value);
  const std::uint32_t qpn = value ? static_cast<std::uint32_t>(*value >> 32) : pushed ? pushed->qpn : 0;
  if (qpn == 0 || qpn > queue_pairs_.size()) {
    ++stats_.unclaimed;
    unclaimed_.push_back({doorbell.address, value != nullptr, value ? *value : 0, doorbell.arrived});
    return;
  }
  ++stats_.doorbells;
  if (doorbell.ledger) doorbell.ledger->close(Stage::nic_doorbell, name(), now);
  QueuePair& queue = qp(qpn);
  const std::uint32_t producer =
      value ? static_cast<std::uint32_t>(*value) : pushed->index + wqe_units(*pushed);
  if (value && queue_params_->record == DoorbellRecord::read) return read_record(queue, doorbell.arrived, doorbell.ledger);
  queue.producer = producer;
  if (params_.fetch == FetchMode::periodic_scan) {
    queue.rings.push_back({queue.producer, doorbell.arrived, now, doorbell.ledger});
    return expect_scan(queue);
  }
  if (pushed && queue.fetching == pushed->index && queue.fetched == pushed->index && requester_here(queue)) {
    ++stats_.pushed;
    queue.fetching = queue.fetched = producer;
    return decode(queue, *pushed);
  }
  queue.rings.push_back({queue.producer, doorbell.arrived, now, doorbell.ledger});
  if (value && fetch_->doorbell == DoorbellValue::pointer) return read_descriptor(queue, doorbell.ledger);
  go_fetch(queue);
}

void Nic::go_fetch(QueuePair& queue) {
  if (!requester_here(queue)) return;
  want_fetch(queue);
  pump_fetch();
}

void Nic::want_fetch(QueuePair& queue) {
  if (queue.queued || queue.fetching == queue.producer || !takes_wqes(queue.state) || params_.fetch == FetchMode::periodic_scan)
    return;
  queue.queued = true;
  to_fetch_.push_back(&queue);
}

/// Queue pairs take turns; one whose own window is full leaves the round until a fetch returns.
void Nic::pump_fetch() {
  const Picoseconds now = kernel_.now();
  while (!to_fetch_.empty()) {
    QueuePair& queue = *to_fetch_.front();
    const std::uint32_t slot = queue.fetching % queue.config.depth;
    const auto left = [&](std::int64_t n) { return static_cast<std::uint32_t>(std::max<std::int64_t>(0, n)); };
    const std::uint32_t units =
        std::min({queue.producer - queue.fetching, left(params_.fetch_batch), queue.config.depth - slot,
                  left(params_.qp_window - queue.in_fetch), left(window_.available(now)),
                  left(fetch_->prefetch - ahead(queue))});
    if (units == 0 && window_.available(now) == 0) return;
    to_fetch_.pop_front();
    queue.queued = false;
    if (units == 0) continue;
    fetch(queue, units);
    want_fetch(queue);
  }
}

void Nic::fetch(QueuePair& queue, std::uint32_t units) {
  window_.take(units, kernel_.now());
  stats_.window_peak = std::max(stats_.window_peak, window_.outstanding());
  ++stats_.fetches;
  Transfer& read = port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = Stage::wqe_read;
  read.address = queue.config.send_queue + (queue.fetching % queue.config.depth) * Address{64};
  read.length = wqe_unit * units;
  read.lines = units;
  read.initiator = this;
  read.cookie = &queue;
  queue.fetching += units;
  queue.in_fetch += units;
  for (const Rung& ring : queue.rings) {
    if (ring.index != queue.fetching) continue;
    read.ledger = ring.ledger;
    stats_.window_wait += kernel_.now() - ring.taken;
    if (ring.ledger) ring.ledger->close(Stage::nic_wait, name(), kernel_.now());
  }
  read.begun = kernel_.now();
  port_->submit(read);
}

void Nic::on_fetched(Transfer& transfer) {
  QueuePair& queue = *static_cast<QueuePair*>(transfer.cookie);
  const auto units = static_cast<std::int64_t>(transfer.lines);
  window_.give(units, kernel_.now());
  queue.in_fetch -= units;
  stats_.window_time += units * (kernel_.now() - transfer.begun);
  if (failed(transfer) || gave_ones(transfer) || queue.unreadable) [[unlikely]]
    return fail_fetch(queue, transfer);
  take_unit(queue, transfer.content, 0, transfer);
  for (std::size_t i = 0; i < transfer.more.size(); ++i) take_unit(queue, transfer.more[i], i + 1, transfer);
  skip_dropped(queue);
  while (!queue.rings.empty() && static_cast<std::int32_t>(queue.fetched - queue.rings.front().index) >= 0)
    queue.rings.pop_front();
  want_fetch(queue);
  pump_fetch();
}

/// One 64 B unit, in order. A WQE is complete with its last unit, which may come by another read than its first. The ledger of the
/// last WQE before a doorbell's index rides on the read of that unit.
void Nic::take_unit(QueuePair& queue, const Content& unit, std::size_t line, const Transfer& transfer) {
  const std::uint32_t index = queue.fetched++;
  const auto take = [&](const Wqe& wqe) {
    if (wqe.message && &wqe.message->completion != transfer.ledger) {
      const auto ring = std::find_if(queue.rings.begin(), queue.rings.end(), [&](const Rung& r) {
        return static_cast<std::int32_t>(r.index - wqe.index) > 0;
      });
      Ledger& ledger = wqe.message->completion;
      if (ring != queue.rings.end() && ring->arrived >= ledger.last()) {
        ledger.close(Stage::doorbell_flight, name(), ring->arrived);
        ledger.close(Stage::nic_doorbell, name(), ring->taken);
      }
      ledger.close(Stage::wqe_read, name(), kernel_.now());
    }
    decode(queue, wqe);
  };
  if (queue.units_left > 0) {
    if (--queue.units_left == 0 && queue.partial) take(*std::exchange(queue.partial, std::nullopt));
    return;
  }
  const auto* wqe = std::get_if<Wqe>(&unit);
  if (!wqe || wqe->index != index || wqe->qpn != queue.config.qpn) {
    ++stats_.stale;
    StaleFetch& stale = stale_.emplace_back(
        StaleFetch{name(), queue.config.qpn, index, transfer.sampled, transfer.next[line], index % queue.config.depth});
    if (wqe && wqe->qpn == queue.config.qpn && static_cast<std::int32_t>(wqe->index - index) > 0)
      stale.other = wqe->index, stale.since = line < transfer.since.size() ? transfer.since[line] : Picoseconds{};
    return;
  }
  if (wqe->opcode == Opcode::nop) {
    ++cq_stats_.nops;
    queue.units_left = wqe_units(*wqe) - 1;
    return;
  }
  queue.units_left = wqe_units(*wqe) - 1;
  if (queue.units_left == 0) return take(*wqe);
  queue.partial = *wqe;
}

void Nic::decode(QueuePair& queue, const Wqe& wqe) {
  Job& job = new_job(queue, wqe);
  const Slot slot = decoder_.serve(kernel_.now());
  stats_.decode_busy += slot.end - slot.start;
  ++stats_.wqes;
  ++queue.stats.wqes;
  ++queue.posted;
  ++queue.in_decode;
  if (wqe.message) wqe.message->completion.waited(slot.start - kernel_.now());
  const Picoseconds due = slot.start + params_.decode;
  decoding_.push({&queue, &job}, due);
  kernel_.at<&Nic::on_decoded>(due, this);
}

}  // namespace gicsim::nic
