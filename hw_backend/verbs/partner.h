// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

#include "hw_backend/verbs/end.h"

namespace gicsim::hw::verbs {

template <class E>
using Measure = std::function<void(E&, FarEnd&)>;

template <class E>
void serve_one(const Machine& machine, const Options& options, Meeting& meeting) {
  E end(machine, options, shape_of(meeting.receive()));
  end.meet(meeting);
  serve(end, meeting);
}

template <class E>
void measure_with(Session& session, Meeting& meeting, const Shape& shape, const Measure<E>& measure) {
  meeting.send(to_text(shape));
  E end(session.machine, session.options, shape);
  end.meet(meeting);
  FarEnd far(meeting);
  measure(end, far);
  far.bye();
}

/// What breaks here is told there, so that neither end waits for the other.
template <class Part>
void take_part(Meeting meeting, Part part) {
  try {
    part(meeting);
  } catch (const std::exception& e) {
    meeting.give_up(e.what());
    throw;
  }
}

/// Runs `measure` at the end that measures, and serves it at the other: a process that listens, or a thread of this one
/// where there is no partner (two queue pairs of one port).
template <class E>
void with_partner(Session& session, std::string_view key, const Shape& shape, const Measure<E>& measure) {
  const auto ours = [&](Meeting& m) { measure_with<E>(session, m, shape, measure); };
  const auto theirs = [&](Meeting& m) { serve_one<E>(session.machine, session.options, m); };
  if (session.options.meet != Options::Meet::alone) {
    Meeting meeting = Meeting::over_tcp(session.options, key);
    if (session.options.meet == Options::Meet::listen) take_part(std::move(meeting), theirs);
    else take_part(std::move(meeting), ours);
    return;
  }
  auto [here, there] = Meeting::in_process();
  std::thread other(
      [&theirs](Meeting meeting) {
        try {
          take_part(std::move(meeting), theirs);
        } catch (const std::exception&) {  // this end has been told why
        }
      },
      std::move(there));
  try {
    take_part(std::move(here), ours);
  } catch (...) {
    other.join();
    throw;
  }
  other.join();
}

}  // namespace gicsim::hw::verbs
