// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "models/base/kernel.h"
#include "models/gpu/multiprocessor_params.h"

namespace gicsim::gpu {

/// What a block holds of its multiprocessor for as long as it runs.
struct BlockNeeds {
  Count threads = 1;
  Count registers = 32;  ///< a thread
  Bytes shared{};
};

/// A kernel as it is launched.
struct Grid {
  Count blocks = 1;
  BlockNeeds needs;
  bool urgent = false;  ///< its stream has the higher priority
};

struct MultiprocessorStats {
  Count kernels = 0, blocks = 0, resident_peak = 0, made_wait = 0;
  Picoseconds block_time{}, room_wait{};
};
template <class V>
constexpr void describe(V&& v, MultiprocessorStats& s) {
  v("kernels", s.kernels, "kernels whose blocks all found room");
  v("blocks", s.blocks, "blocks that found room");
  v("resident_peak", s.resident_peak, "most blocks resident at once");
  v("block_time", s.block_time, "time that ended blocks were resident, summed");
  v("made_wait", s.made_wait, "kernels that stay until they are done, and found no room for all their blocks when they came");
  v("room_wait", s.room_wait, "time that those waited for it, summed");
}
static_assert(fully_described<MultiprocessorStats>());

/// The block scheduler: each block takes a slot, threads, registers and shared memory of one multiprocessor and gives
/// them back when it ends; nothing is taken from a block that runs. Kernels get room one after the other, in the order
/// in which they came, those of urgent streams first: no block of a later one before all of an earlier one's have room.
/// A block goes to the multiprocessor with the fewest blocks that has room.
/// Not modelled: clusters, blocks that end at different times, contexts of several processes.
/// Source: CUDA C++ Programming Guide, compute capabilities; registers by warps of 256, 1 KiB of shared memory a block
/// for the system: CUDA Occupancy Calculator. The order of kernels: A-411
class Multiprocessors {
 public:
  Multiprocessors(std::string name, Kernel& kernel, const MultiprocessorParams& params);

  const std::string& name() const { return name_; }
  const MultiprocessorParams& params() const { return params_; }
  const MultiprocessorStats& stats() const { return stats_; }
  /// Such blocks that one multiprocessor holds.
  static Count room(const MultiprocessorParams& params, const BlockNeeds& needs);

  /// A kernel that was launched. Awaited, it goes on when the last of its blocks has ended, if they have a time;
  /// else, as those of a communication kernel wait for each other, when all have room, and they stay until leave().
  class Launch final : public Obstacle {
   public:
    Launch(Multiprocessors& on, const Grid& grid, Picoseconds each) : on_(on), grid_(grid), each_(each), left_(grid.blocks) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(Task::Handle program);
    void await_resume() { if (program_.promise().program) program_.promise().program->obstacle = nullptr; }
    std::string waits_for() const override;
    Picoseconds waited() const { return waited_; }

   private:
    friend class Multiprocessors;
    bool stays() const { return each_ == Picoseconds{}; }

    Multiprocessors& on_;
    Grid grid_;
    Picoseconds each_;
    Count left_, running_ = 0;  ///< blocks without room yet, with
    std::vector<std::size_t> places_{};  ///< of those that stay
    Picoseconds came_{}, placed_{}, waited_{};
    Task::Handle program_{};
  };
  Launch launch(const Grid& grid, Picoseconds each = Picoseconds{}) { return {*this, grid, each}; }
  /// The blocks of a kernel that stayed end.
  void leave(Launch& launch);

 private:
  struct Left {
    Count blocks, threads, registers;
    Bytes shared;
  };
  struct Running {
    Launch* launch;
    std::size_t at;
  };
  static Left taken_by(const BlockNeeds& needs);
  static bool fits(const Left& left, const Left& taken);
  void free(std::size_t at, const BlockNeeds& needs);
  void dispatch();
  bool place(Launch& launch);
  void all_placed(Launch& launch);
  void on_ended();

  std::string name_;
  Kernel& kernel_;
  const MultiprocessorParams& params_;
  std::vector<Left> left_;      ///< of each multiprocessor
  std::deque<Launch*> queue_;   ///< without room for all blocks
  std::multimap<Picoseconds, Running> running_;  ///< by when they end
  Count resident_ = 0;
  MultiprocessorStats stats_;
};

}  // namespace gicsim::gpu
