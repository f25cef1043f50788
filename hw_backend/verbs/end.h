// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hw_backend/core/meeting.h"
#include "hw_backend/core/session.h"
#include "hw_backend/verbs/link.h"

namespace gicsim::hw::verbs {

/// What both ends make before they meet.
struct Shape {
  unsigned links = 1, depth = 128;
  std::size_t bytes = 64;  ///< of each of the two areas
};

/// One end of an experiment: an open NIC, two areas of memory in one registration, connected queue pairs. Puts go from
/// one end's `out` into the other's `in`, gets the other way round.
class End {
 public:
  End(const Machine& machine, const Options& options, const Shape& shape);
  /// Trades endpoints with the other end and connects.
  void meet(Meeting& meeting);

  const Shape shape;
  Device device;
  Pd pd;
  Registered registered;
  std::vector<std::unique_ptr<Link>> links;
  std::vector<Endpoint> far;  ///< of each link

  std::size_t out() const { return 0; }
  std::size_t in() const { return shape.bytes; }
  /// From own `out` to the far `in`.
  Operation put(std::size_t bytes, bool inlined, unsigned link = 0) const;
  /// From the far `out` to own `in`.
  Operation get(std::size_t bytes) const;
  /// `gdr` of puts, by whose memory lies in a GPU; of gets with the ends swapped.
  std::string_view gdr_of_puts() const;
  std::string_view gdr_of_gets() const;
};

/// The other end, as it is told over the meeting what to do with its memory.
class FarEnd {
 public:
  explicit FarEnd(Meeting& meeting) : meeting_(meeting) {}
  void fill(std::uint32_t seed, std::size_t bytes);  ///< its `out`
  void clear(std::size_t bytes);                     ///< its `in`
  /// @throws HardwareError its `in` doesn't hold the payload of this seed
  void check(std::uint32_t seed, std::size_t bytes);
  std::uint64_t word();  ///< the first 8 B of its `in`
  /// It answers n puts of link 0, each by one; `done` returns once it has.
  void answer(std::size_t bytes, bool inlined, unsigned n);
  void done();
  void bye();

 private:
  std::string ask(const std::string& what) {
    meeting_.send(what);
    return meeting_.receive();
  }
  Meeting& meeting_;
};

using Measure = std::function<void(End&, FarEnd&)>;

/// Runs `measure` at the end that measures, and serves it at the other: a process that listens, or a thread of this one
/// where there is no partner (two queue pairs of one port).
void with_partner(Session& session, std::string_view key, const Shape& shape, const Measure& measure);

/// Answers what a FarEnd asks until it says bye.
void serve(End& end, Meeting& meeting);

/// n replies: waits for the last byte of `in` to be 1, 2, … and puts the same back. @pre host memory
void pong(End& end, std::size_t bytes, bool inlined, unsigned n);
/// The byte that a put of `bytes` changes last, and the value of the i-th (counted from 1; never 0).
constexpr std::uint8_t mark(unsigned i) { return static_cast<std::uint8_t>(1 + (i - 1) % 255); }

/// Of this machine, for `where`: empty with a partner, else "self".
std::vector<std::pair<std::string, Record::Plain>> partner_of(const Options& options);

}  // namespace gicsim::hw::verbs
