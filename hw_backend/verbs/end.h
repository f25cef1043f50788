// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hw_backend/core/meeting.h"
#include "hw_backend/core/session.h"
#include "hw_backend/verbs/link.h"

namespace gicsim::hw::verbs {

/// What both ends make before they meet.
struct Shape {
  unsigned queues = 1, depth = 128;
  std::size_t bytes = 64;  ///< of each of the two areas
  unsigned variant = 0;    ///< what else a kind of end must know
};
std::string to_text(const Shape& shape);
/// @throws HardwareError
Shape shape_of(const std::string& line);

/// One end of an experiment: an open NIC and two areas of memory in one registration. Puts go from one end's `out` into
/// the other's `in`, gets the other way round. Queue pairs are a derived class's.
class End {
 public:
  virtual ~End() = default;
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  /// Trades endpoints with the other end and connects.
  virtual void meet(Meeting& meeting) = 0;
  /// Does what the line of FarEnd::answer asks, and says "answered".
  virtual void answer(const std::string& line, Meeting& meeting) = 0;

  const Shape shape;
  Device device;
  Pd pd;
  Registered registered;
  std::vector<Endpoint> far;  ///< of each queue pair

  std::size_t out() const { return 0; }
  std::size_t in() const { return shape.bytes; }
  std::uint64_t far_in(unsigned queue = 0) const { return far[queue].address + far[queue].bytes; }
  Memory& memory() const { return registered.memory(); }
  /// Puts what `payload` makes of a seed into `out`.
  void fill(std::uint32_t seed, std::size_t bytes);
  /// `gdr` of puts, by whose memory lies in a GPU; of gets with the ends swapped.
  std::string_view gdr_of_puts() const;
  std::string_view gdr_of_gets() const;

 protected:
  End(const Shape& shape, Device device, std::unique_ptr<Memory> memory);
  /// Completes ours by the memory, sends it, keeps theirs.
  const Endpoint& trade(Meeting& meeting, Endpoint ours);
};

/// The other end, as it is told over the meeting what to do with its memory.
class FarEnd {
 public:
  explicit FarEnd(Meeting& meeting) : meeting_(meeting) {}
  void fill(std::uint32_t seed, std::size_t bytes);  ///< its `out`
  void clear(std::size_t bytes);                     ///< its `in`
  /// @throws HardwareError its `in` doesn't hold the payload of this seed
  void check(std::uint32_t seed, std::size_t bytes);
  std::uint64_t word(std::size_t i = 0);  ///< the i-th 8 B of its `in`
  /// It answers n puts of queue 0, each by one; done() returns once it has. `more`: what a kind of end must know
  /// besides.
  void answer(std::size_t bytes, bool inlined, unsigned n, const std::string& more = {});
  void done();
  void bye();

 private:
  std::string ask(const std::string& what) {
    meeting_.send(what);
    return meeting_.receive();
  }
  Meeting& meeting_;
};

/// Answers what a FarEnd asks until it says bye.
void serve(End& end, Meeting& meeting);

/// For `where`: who the partner is, where it isn't another machine.
std::vector<std::pair<std::string, Record::Plain>> partner_of(const Options& options);

/// An end whose queue pairs libibverbs posts to and polls.
class VerbsEnd final : public End {
 public:
  VerbsEnd(const Machine& machine, const Options& options, const Shape& shape);
  void meet(Meeting& meeting) override;
  void answer(const std::string& line, Meeting& meeting) override;

  std::vector<std::unique_ptr<Link>> links;

  /// From own `out` to the far `in`.
  Operation put(std::size_t bytes, bool inlined, unsigned link = 0) const;
  /// From the far `out` to own `in`.
  Operation get(std::size_t bytes) const;
};

/// The byte that the i-th put of a ping-pong (from 1) changes last; never 0.
constexpr std::uint8_t mark(unsigned i) { return static_cast<std::uint8_t>(1 + (i - 1) % 255); }

}  // namespace gicsim::hw::verbs
