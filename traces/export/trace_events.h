// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/units/bytes.h"
#include "models/units/ordered.h"
#include "models/units/time.h"

namespace gicsim::exports {

/// The JSON that Chrome's and Perfetto's viewers open: processes, tracks, slices, flows, counters. What overlaps on a
/// track gets a track of its own beside it, as slices of one must lie in one another. Times are microseconds to the
/// picosecond. Source: "Trace Event Format" (Chromium project)
class TraceEvents {
 public:
  using Track = std::size_t;

  explicit TraceEvents(Bytes limit) : limit_(limit) {}

  /// They stand in the order in which they are named first.
  std::size_t process(const std::string& name);
  /// @param rank  where it stands among its process' tracks
  Track track(const std::string& process, const std::string& name, int rank);

  /// An end of an arrow at a slice, or one that it goes on from. Of one id, in order of time: start, step .., end.
  struct Flow {
    enum class Part : char { start = 's', step = 't', end = 'f' } part;
    std::uint64_t id;
  };
  /// What goes in, is written as a whole or not at all.
  class Unit {
   public:
    void slice(Track track, Picoseconds begin, Picoseconds lasts, std::string_view name, std::string_view category,
               std::string arguments, std::vector<Flow> flows = {});
    void instant(Track track, Picoseconds at, std::string_view name, std::string_view category, std::string arguments);
    /// Begins and ends by itself, whatever else does on its track.
    void span(Track track, Picoseconds begin, Picoseconds lasts, std::string_view name, std::string_view category,
              std::uint64_t id, std::string arguments);
    bool empty() const { return events_.empty(); }
    void counter(Track track, Picoseconds at, std::string_view name, std::string value);

   private:
    friend class TraceEvents;
    struct Event {
      char phase;
      Track track;
      Picoseconds begin, lasts;
      std::uint64_t id;  ///< of a span
      std::string rest;  ///< name, category, arguments
      std::vector<Flow> flows;
    };
    std::vector<Event> events_;
  };
  void add(Unit unit);
  /// It takes no more.
  bool full() const { return left_out_ > 0; }

  /// @param about  of the whole: keys and values
  std::string text(const std::vector<std::pair<std::string, std::string>>& about);
  /// After `text`.
  Count written() const { return static_cast<Count>(ends_.size()); }
  Count left_out() const { return left_out_; }

 private:
  struct Place {
    std::string process, name;
    int rank;
    std::size_t pid;
  };
  struct Lanes;
  Lanes lanes_of(std::size_t events) const;
  std::string written(const Lanes& lanes, std::size_t events, const std::string& head) const;

  Bytes limit_;
  std::map<std::string, std::size_t> pids_;
  std::map<std::pair<std::size_t, std::string>, Track> tracks_;
  std::vector<Place> places_;
  std::vector<Unit::Event> events_;
  std::vector<std::size_t> ends_;  ///< of units
  std::size_t size_ = 0;           ///< of what is kept, about
  Count left_out_ = 0;
};

}  // namespace gicsim::exports
