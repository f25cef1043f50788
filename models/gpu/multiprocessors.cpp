// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/multiprocessors.h"

#include <algorithm>

namespace gicsim::gpu {
namespace {

constexpr Count warp = 32, register_unit = 256;
constexpr Bytes system_share = 1_KiB;

constexpr Count whole(Count n, Count of) { return (n + of - 1) / of * of; }

}  // namespace

Multiprocessors::Left Multiprocessors::taken_by(const BlockNeeds& needs) {
  const Count warps = (needs.threads + warp - 1) / warp;
  return {1, warps * warp, warps * whole(needs.registers * warp, register_unit), needs.shared + system_share};
}

bool Multiprocessors::fits(const Left& left, const Left& taken) {
  return left.blocks >= taken.blocks && left.threads >= taken.threads && left.registers >= taken.registers &&
         left.shared >= taken.shared;
}

Count Multiprocessors::room(const MultiprocessorParams& p, const BlockNeeds& needs) {
  const Left taken = taken_by(needs);
  return std::min({p.blocks, p.threads / taken.threads, p.registers / std::max<Count>(1, taken.registers),
                   p.shared_memory.count() / taken.shared.count()});
}

Multiprocessors::Multiprocessors(std::string name, Kernel& kernel, const MultiprocessorParams& params)
    : name_(std::move(name)),
      kernel_(kernel),
      params_(params),
      left_(static_cast<std::size_t>(params.count),
            Left{params.blocks, params.threads, params.registers, params.shared_memory}) {}

void Multiprocessors::Launch::await_suspend(Task::Handle program) {
  program_ = program;
  came_ = on_.kernel_.now();
  if (program.promise().program) program.promise().program->obstacle = this;
  auto& queue = on_.queue_;
  const auto behind = std::find_if(queue.begin(), queue.end(), [this](const Launch* other) { return grid_.urgent && !other->grid_.urgent; });
  queue.insert(behind, this);
  if (stays()) on_.kernel_.hold();  // blocks of others end in the background, and this waits for them
  on_.dispatch();
  if (stays() && left_ > 0) ++on_.stats_.made_wait;
}

std::string Multiprocessors::Launch::waits_for() const {
  if (left_ == 0) return "the end of " + std::to_string(running_) + " blocks on " + on_.name_;
  return "room for " + std::to_string(left_) + " of its " + std::to_string(grid_.blocks) + " blocks on " + on_.name_;
}

bool Multiprocessors::place(Launch& launch) {
  const Left taken = taken_by(launch.grid_.needs);
  std::size_t best = left_.size();
  for (std::size_t at = 0; at < left_.size(); ++at)
    if (fits(left_[at], taken) && (best == left_.size() || left_[at].blocks > left_[best].blocks)) best = at;
  if (best == left_.size()) return false;
  Left& left = left_[best];
  left.blocks -= taken.blocks, left.threads -= taken.threads;
  left.registers -= taken.registers, left.shared -= taken.shared;
  ++stats_.blocks;
  stats_.resident_peak = std::max(stats_.resident_peak, ++resident_);
  --launch.left_, ++launch.running_;
  if (launch.stays()) {
    launch.places_.push_back(best);
    return true;
  }
  const Picoseconds end = kernel_.now() + launch.each_;
  if (running_.find(end) == running_.end()) kernel_.tick<&Multiprocessors::on_ended>(end, this);
  running_.emplace(end, Running{&launch, best});
  return true;
}

void Multiprocessors::dispatch() {
  while (!queue_.empty()) {
    Launch& launch = *queue_.front();
    while (launch.left_ > 0)
      if (!place(launch)) return;
    queue_.pop_front();
    all_placed(launch);
  }
}

void Multiprocessors::all_placed(Launch& launch) {
  ++stats_.kernels;
  launch.placed_ = kernel_.now();
  if (!launch.stays()) return;
  launch.waited_ = launch.placed_ - launch.came_;
  stats_.room_wait += launch.waited_;
  kernel_.release();
  kernel_.resume(kernel_.now(), launch.program_);
}

void Multiprocessors::free(std::size_t at, const BlockNeeds& needs) {
  const Left taken = taken_by(needs);
  Left& left = left_[at];
  left.blocks += taken.blocks, left.threads += taken.threads;
  left.registers += taken.registers, left.shared += taken.shared;
  --resident_;
}

void Multiprocessors::on_ended() {
  const auto [from, to] = running_.equal_range(kernel_.now());
  for (auto it = from; it != to; ++it) {
    Launch& launch = *it->second.launch;
    free(it->second.at, launch.grid_.needs);
    stats_.block_time += launch.each_;
    if (--launch.running_ == 0 && launch.left_ == 0) kernel_.resume(kernel_.now(), launch.program_);
  }
  running_.erase(from, to);
  dispatch();
}

void Multiprocessors::leave(Launch& launch) {
  for (const std::size_t at : launch.places_) free(at, launch.grid_.needs);
  stats_.block_time += (kernel_.now() - launch.placed_) * static_cast<std::int64_t>(launch.places_.size());
  launch.places_.clear();
  launch.running_ = 0;
  dispatch();
}

}  // namespace gicsim::gpu
