// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiver's side of the data link layer.
#include "models/pcie/data_link.h"

namespace gicsim::pcie {
namespace {

/// A receiver repeats what it last told about credits, at the latest after so long. Source: PCIe Base 5.0, 2.6.1.2
constexpr Picoseconds refresh_interval = 30us;
/// A framing error ends the data stream. Source: PCIe Base 5.0, 4.2.2.3.3
constexpr Count first_with_data_streams = 3;

}  // namespace

void DataLink::on_arrived() {
  const Picoseconds now = kernel_.now();
  const Flying flying = *flying_.pop_due(now);
  const bool is_tlp = flying.what == Flying::What::tlp, deaf = now < deaf_until_;
  if (is_tlp) --flying_tlps_;
  if (flying.what == Flying::What::credit && (deaf || flying.damage != Damage::none)) {
    Credit& lost = lost_[static_cast<std::size_t>(flying.credit.flow)];
    lost = {flying.credit.flow, lost.headers + flying.credit.headers, lost.data + flying.credit.data};
    kernel_.at<&DataLink::on_refresh>(now + refresh_interval, this);
  }
  if (deaf) {
    if (is_tlp) stats_.discarded += 1;
    return;
  }
  if (flying.damage == Damage::framing) {
    stats_.rx_err += 1;
    if (params_.generation >= first_with_data_streams) retrain(*this);
    return;
  }
  if (is_tlp) return receive_tlp(flying);
  if (flying.damage == Damage::content) {
    stats_.bad_dllp += 1;
    return;
  }
  if (flying.what == Flying::What::credit)
    return back_->user_.on_credits(flying.credit.flow, flying.credit.headers, flying.credit.data);
  back_->acknowledged(flying.sequence);
  if (flying.what == Flying::What::nak) back_->replay();
  back_->go();
}

void DataLink::receive_tlp(const Flying& flying) {
  if (flying.damage == Damage::content) {
    stats_.bad_tlp += 1;
    return refuse();
  }
  if (flying.sequence > expected_) {
    if (nak_scheduled_) {
      stats_.discarded += 1;
      return;
    }
    stats_.bad_tlp += 1;
    return refuse();
  }
  back_->owes_ack_ = true;
  if (flying.sequence < expected_) {
    stats_.duplicates += 1;
    return back_->go();
  }
  ++expected_;
  nak_scheduled_ = false;
  back_->go();
  user_.on_accepted(flying.tlp, flying.waited, flying.replayed);
}

/// One Nak until the TLP expected has come.
void DataLink::refuse() {
  if (nak_scheduled_) return;
  nak_scheduled_ = true;
  back_->owes_nak_ = true;
  back_->go();
}

void DataLink::release(Flow flow, Count headers, Count data, Picoseconds at) {
  if (at <= kernel_.now()) return back_->owe({flow, headers, data});
  later_.push({at, {flow, headers, data}});
  kernel_.at<&DataLink::on_released>(at, this);
}

void DataLink::on_released() {
  for (; !later_.empty() && later_.top().at <= kernel_.now(); later_.pop()) back_->owe(later_.top().credit);
}

void DataLink::owe(Credit credit) {
  Credit& owed = owed_[static_cast<std::size_t>(credit.flow)];
  owed = {credit.flow, owed.headers + credit.headers, owed.data + credit.data};
  owes_credit_ = owes_credit_ || owed.headers > 0;
  go();
}

void DataLink::on_refresh() {
  for (Credit& lost : lost_) {
    const Credit again = lost;
    lost = Credit{};
    if (again.headers > 0) owe(again);
  }
}

}  // namespace gicsim::pcie
