// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "traces/schedule/detail/rounds.h"

namespace gicsim::schedule {
namespace {

/// Each rank sends a share to the next one and hands on in the following round what it received: n - 1 rounds scatter
/// the sums, n - 1 gather them.
class Ring final : public Rounds {
 public:
  using Rounds::Rounds;

 private:
  bool round() override {
    const auto hops = static_cast<std::ptrdiff_t>(size()) - 1;
    if (round_ >= (of_.what == Operation::all_reduce ? 2 * hops : hops)) return false;
    // Rank r ends a reduce_scatter with share r, and begins an all_gather with it.
    const std::ptrdiff_t ahead = round_ + (of_.what == Operation::reduce_scatter ? 1 : 0);
    const Bytes out = share_of(of_.bytes, behind(ahead), size()), in = share_of(of_.bytes, behind(ahead + 1), size());
    if (out > Bytes{0}) message(sends_, behind(-1), out, given_ ? std::vector{*given_} : std::vector<std::uint64_t>{});
    given_.reset();
    if (in > Bytes{0}) given_ = message(receives_, behind(1), in);
    ++round_;
    return true;
  }

  std::ptrdiff_t round_ = 0;
  std::optional<std::uint64_t> given_;  ///< what the next round hands on
  Stream& sends_ = add_stream(Action::send, 0);
  Stream& receives_ = add_stream(Action::recv, 0);
};

/// One rank behind another from the root, or to it, a piece at a time.
class Chain final : public Rounds {
 public:
  using Rounds::Rounds;

 private:
  bool round() override {
    const std::int64_t count = of_.bytes > Bytes{0} ? pieces(of_.bytes, of_.piece) : 0;
    if (size() < 2 || round_ >= count) return false;
    const Bytes bytes = std::min(of_.piece, of_.bytes - of_.piece * round_);
    const bool out = of_.what == Operation::broadcast;
    const std::ptrdiff_t on = out ? -1 : 1;
    const bool first = self() == (out ? of_.root : (of_.root + size() - 1) % size());
    const bool last = self() == (out ? (of_.root + size() - 1) % size() : of_.root);
    std::vector<std::uint64_t> given;
    if (!first) given.push_back(message(receives_, behind(-on), bytes));
    if (!last) message(sends_, behind(on), bytes, given);
    ++round_;
    return true;
  }

  std::int64_t round_ = 0;
  Stream& sends_ = add_stream(Action::send, 0);
  Stream& receives_ = add_stream(Action::recv, 0);
};

}  // namespace

std::unique_ptr<Rounds> ring(Collective collective, std::shared_ptr<const Communicator> communicator, std::size_t self,
                             std::uint64_t first) {
  return std::make_unique<Ring>(std::move(collective), std::move(communicator), self, first);
}

std::unique_ptr<Rounds> chain(Collective collective, std::shared_ptr<const Communicator> communicator, std::size_t self,
                              std::uint64_t first) {
  return std::make_unique<Chain>(std::move(collective), std::move(communicator), self, first);
}

}  // namespace gicsim::schedule
