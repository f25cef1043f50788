// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "traces/schedule/detail/rounds.h"

namespace gicsim::schedule {
namespace {

/// Each rank to each other, all to the root, or the root to all: round i is the rank i places away.
class Straight final : public Rounds {
 public:
  using Rounds::Rounds;

 private:
  std::size_t usual_window() const override { return 64; }

  Bytes share(std::size_t from, std::size_t to) const {
    switch (of_.what) {
      case Operation::gather:
        return to == of_.root ? share_of(of_.bytes, from, size()) : Bytes{0};
      case Operation::scatter:
        return from == of_.root ? share_of(of_.bytes, to, size()) : Bytes{0};
      default:
        return of_.share ? of_.share(from, to) : share_of(of_.bytes, to, size());
    }
  }

  bool round() override {
    if (++round_ >= static_cast<std::ptrdiff_t>(size())) return false;
    const std::size_t to = behind(-round_), from = behind(round_);
    if (const Bytes out = share(self(), to); out > Bytes{0}) message(sends_, to, out);
    if (const Bytes in = share(from, self()); in > Bytes{0}) message(receives_, from, in);
    return true;
  }

  std::ptrdiff_t round_ = 0;
  Stream& sends_ = add_stream(Action::send, 0);
  Stream& receives_ = add_stream(Action::recv, 0);
};

/// Round i tells the rank 2^i ahead that whoever is known to have come has come.
/// Source: Hensgen, Finkel, Manber, Two Algorithms for Barrier Synchronization, 1988
class Dissemination final : public Rounds {
 public:
  using Rounds::Rounds;

 private:
  static constexpr Bytes flag = 8_B;

  bool round() override {
    if (away_ >= static_cast<std::ptrdiff_t>(size())) return false;
    message(sends_, behind(-away_), flag, heard_ ? std::vector{*heard_} : std::vector<std::uint64_t>{});
    heard_ = message(receives_, behind(away_), flag, heard_ ? std::vector{*heard_} : std::vector<std::uint64_t>{});
    away_ *= 2;
    return true;
  }

  std::ptrdiff_t away_ = 1;
  std::optional<std::uint64_t> heard_;
  Stream& sends_ = add_stream(Action::send, 0);
  Stream& receives_ = add_stream(Action::recv, 0);
};

}  // namespace

std::unique_ptr<Rounds> straight(Collective collective, std::shared_ptr<const Communicator> communicator,
                                 std::size_t self, std::uint64_t first) {
  return std::make_unique<Straight>(std::move(collective), std::move(communicator), self, first);
}

std::unique_ptr<Rounds> dissemination(Collective collective, std::shared_ptr<const Communicator> communicator,
                                      std::size_t self, std::uint64_t first) {
  return std::make_unique<Dissemination>(std::move(collective), std::move(communicator), self, first);
}

}  // namespace gicsim::schedule
