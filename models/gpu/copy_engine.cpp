// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/copy_engine.h"

#include <algorithm>
#include <utility>

namespace gicsim::gpu {

void CopyEngine::Copy::await_suspend(std::coroutine_handle<> program) {
  program_ = program;
  engine_.queue_.push_back(this);
  if (engine_.queue_.size() == 1) engine_.take();
}

void CopyEngine::take() {
  queue_.front()->taken_ = kernel_.now();
  kernel_.at<&CopyEngine::on_started>(kernel_.now() + params_.start, this);
}

void CopyEngine::on_started() { pump(); }

void CopyEngine::on_path_free() {
  paced_ = false;
  pump();
}

void CopyEngine::pump() {
  Copy& copy = *queue_.front();
  const bool to_host = gpu_.owns(copy.from_);
  while (copy.asked_ < copy.length_) {
    const Bytes length = std::min(params_.piece, copy.length_ - copy.asked_);
    if (under_way_ + length > params_.window && under_way_ > 0_B) return;
    if (path_.free_at() > kernel_.now()) {
      if (!std::exchange(paced_, true)) kernel_.at<&CopyEngine::on_path_free>(path_.free_at(), this);
      return;
    }
    path_.send(kernel_.now(), length);
    Transfer& piece = gpu_.port_->make();
    piece.kind = to_host ? Transfer::Kind::write : Transfer::Kind::read;
    piece.stage = Stage::copy;
    piece.address = (to_host ? copy.to_ : copy.from_) + static_cast<Address>(copy.asked_.count());
    piece.length = length;
    piece.initiator = this;
    piece.cookie = &copy;
    copy.asked_ += length;
    under_way_ += length;
    if (copy.asked_ == copy.length_) {
      piece.ledger = copy.ledger_;
      if (to_host) piece.content = copy.content_;
    }
    gpu_.port_->submit(piece);
  }
}

void CopyEngine::on_transferred(Transfer& piece) {
  Copy& copy = *static_cast<Copy*>(piece.cookie);
  under_way_ -= piece.length;
  copy.there_ += piece.length;
  if (copy.there_ < copy.length_) return pump();
  if (!gpu_.owns(copy.from_) && copy.content_.index() != 0)
    gpu_.cells_.write(last_piece(copy.to_, copy.length_), copy.content_, kernel_.now());
  if (copy.ledger_) copy.ledger_->close(Stage::copy, name_.c_str(), kernel_.now());
  if (copy.data_) *copy.data_ = *copy.ledger_;
  kernel_.at<&CopyEngine::on_flushed>(kernel_.now() + params_.flush, this);
}

void CopyEngine::on_flushed() {
  Copy& copy = *queue_.front();
  if (copy.ledger_) copy.ledger_->close(Stage::copy, name_.c_str(), kernel_.now());
  ++stats_.copies;
  stats_.copied += copy.length_;
  stats_.busy += kernel_.now() - copy.taken_;
  queue_.pop_front();
  if (!queue_.empty()) take();
  kernel_.resume(kernel_.now(), copy.program_);
}

}  // namespace gicsim::gpu
