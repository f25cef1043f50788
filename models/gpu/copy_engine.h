// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>

#include "models/gpu/engine_params.h"
#include "models/gpu/gpu.h"
#include "models/mechanisms/serialiser.h"

namespace gicsim::gpu {

struct CopyEngineStats {
  Count copies = 0;
  Bytes copied;
  Picoseconds busy{};
};
template <class V>
constexpr void describe(V&& v, CopyEngineStats& s) {
  v("copies", s.copies, "copies done");
  v("copied", s.copied, "bytes copied");
  v("busy", s.busy, "time with a copy under way, its start included");
}
static_assert(fully_described<CopyEngineStats>());

/// A copy engine: one copy after another between own and host memory, in pieces through the GPU's
/// port, where they meet all other traffic, and no faster than its own data path. A copy is over
/// `flush` after its last byte is visible where it goes to; then the next one starts.
/// Not modelled: bandwidth of own memory (over ten times a link's), copies between GPUs, strides.
class CopyEngine final : private Initiator {
 public:
  CopyEngine(std::string name, Kernel& kernel, Gpu& gpu, const CopyEngineParams& params)
      : name_(std::move(name)), kernel_(kernel), gpu_(gpu), params_(params), path_(params.rate) {}

  const std::string& name() const { return name_; }
  const CopyEngineStats& stats() const { return stats_; }

  /// The line at which a copy's watchers find its content once all of it is visible.
  Address last_piece(Address to, Bytes length) const {
    return to + static_cast<Address>(((pieces(length, params_.piece) - 1) * params_.piece).count());
  }

  /// Closes `copy` on `ledger` when the copy is over; `data` forks off it with the last byte.
  class Copy {
   public:
    Copy(CopyEngine& engine, Address from, Address to, Bytes length, Content content, Ledger* ledger, Ledger* data)
        : engine_(engine),
          from_(from),
          to_(to),
          length_(length),
          content_(std::move(content)),
          ledger_(ledger),
          data_(data) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program);
    void await_resume() const noexcept {}

   private:
    friend class CopyEngine;
    CopyEngine& engine_;
    Address from_, to_;
    Bytes length_, asked_{}, there_{};
    Content content_;
    Ledger *ledger_, *data_;
    Picoseconds taken_{};
    std::coroutine_handle<> program_;
  };
  Copy copy(Address from, Address to, Bytes length, Content content, Ledger* ledger,
            Ledger* data = nullptr) {
    return {*this, from, to, length, std::move(content), ledger, data};
  }

 private:
  void take();
  void on_started();
  void on_path_free();
  void pump();
  void on_flushed();
  void on_transferred(Transfer& transfer) override;

  std::string name_;
  Kernel& kernel_;
  Gpu& gpu_;
  const CopyEngineParams& params_;
  Serialiser path_;          ///< of the data through the engine
  bool paced_ = false;       ///< the next piece waits for it
  std::deque<Copy*> queue_;  ///< the first is under way
  Bytes under_way_;          ///< of the window
  CopyEngineStats stats_;
};

}  // namespace gicsim::gpu
