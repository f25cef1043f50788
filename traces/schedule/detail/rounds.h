// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "traces/schedule/collectives.h"

namespace gicsim::schedule {

/// Sends, or receives, of one kind: the numbers of the last `window`. The one after waits for the oldest of them to
/// end.
struct Stream {
  Action action = Action::send;
  unsigned part = 0;
  std::deque<std::uint64_t> open;
};

/// An algorithm as one rank sees it: rounds of a few steps each.
class Rounds {
 public:
  Rounds(Collective collective, std::shared_ptr<const Communicator> communicator, std::size_t self, std::uint64_t first)
      : of_(std::move(collective)), communicator_(std::move(communicator)), self_(self), next_(first), first_(first) {}
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;
  virtual ~Rounds() = default;
  bool next(Step& step);

 protected:
  /// @return false: there are no more
  virtual bool round() = 0;
  virtual std::size_t usual_window() const { return 8; }

  std::size_t size() const { return communicator_->ranks.size(); }
  std::size_t self() const { return self_; }
  /// The rank that many behind this one in the ring; negative: ahead.
  std::size_t behind(std::ptrdiff_t n) const;
  Stream& add_stream(Action action, unsigned part);
  /// A message of the stream, to or from a rank of the communicator. @return its number
  std::uint64_t message(Stream& stream, std::size_t peer, Bytes bytes, std::vector<std::uint64_t> needs = {});

  const Collective of_;

 private:
  enum class State { begin, under_way, ended };
  Step blank(Action action);
  void end();

  std::shared_ptr<const Communicator> communicator_;
  std::size_t self_;
  std::uint64_t next_, first_;
  State state_ = State::begin;
  std::deque<Step> ready_;
  std::deque<Stream> streams_;
};

std::unique_ptr<Rounds> ring(Collective, std::shared_ptr<const Communicator>, std::size_t self, std::uint64_t first);
std::unique_ptr<Rounds> chain(Collective, std::shared_ptr<const Communicator>, std::size_t self, std::uint64_t first);
std::unique_ptr<Rounds> tree(Collective, std::shared_ptr<const Communicator>, std::size_t self, std::uint64_t first);
std::unique_ptr<Rounds> straight(Collective, std::shared_ptr<const Communicator>, std::size_t self,
                                 std::uint64_t first);
std::unique_ptr<Rounds> dissemination(Collective, std::shared_ptr<const Communicator>, std::size_t self,
                                      std::uint64_t first);

}  // namespace gicsim::schedule
