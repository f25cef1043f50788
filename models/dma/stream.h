// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "models/base/random.h"
#include "models/dma/engine.h"

namespace gicsim::dma {

/// The addresses that accesses of one size touch within a window, each at the start of a line of 64 B: one after the
/// other round and round, or anywhere.
class Addresses {
 public:
  enum class Order : std::uint8_t { sequential, random };
  /// @param window  at least `length`
  Addresses(Address base, Bytes window, Bytes length, Order order, std::uint64_t seed, std::string_view name);
  Address next();
  std::uint64_t places() const { return places_; }

 private:
  Address base_, step_;
  std::uint64_t places_, at_ = 0;
  Order order_;
  RandomStream random_;
};

/// Keeps `depth` accesses of a device under way until it is stopped: a load.
class Stream final : private Client {
 public:
  Stream(Engine& engine, Kind kind, Bytes length, Addresses addresses, Count depth)
      : engine_(engine), kind_(kind), length_(length), addresses_(addresses), depth_(depth) {}
  void start();
  /// What is under way ends.
  void stop() { running_ = false; }
  bool idle() const { return under_way_ == 0; }
  Count done() const { return done_; }
  Bytes bytes() const { return length_ * done_; }

 private:
  void on_done(Job& job) override;
  void next();

  Engine& engine_;
  Kind kind_;
  Bytes length_;
  Addresses addresses_;
  Count depth_, under_way_ = 0, done_ = 0;
  bool running_ = false;
};

}  // namespace gicsim::dma
