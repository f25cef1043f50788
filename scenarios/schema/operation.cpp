// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/scenario.h"

namespace gicsim::schema {

Verb verb(const Scenario& s) {
  if (is_stream(s.pattern)) return s.operation;
  const bool one_way = s.pattern == Pattern::put || s.pattern == Pattern::ping_pong;
  if (one_way && s.operation == Verb::send) return Verb::send;
  if (s.pattern == Pattern::get) return Verb::get;
  if (s.pattern == Pattern::barrier) return Verb::fetch_add;
  if (s.pattern != Pattern::atomic) return Verb::put;
  return s.atomic == Atomic::fetch_add ? Verb::fetch_add : Verb::compare_swap;
}

/// A signal whose completion a quiet waits for is an atomic: its answer says that it was executed.
std::optional<Signal> signal(const Scenario& s) {
  if (s.pattern == Pattern::put_signal) return s.signal;
  if (s.pattern == Pattern::quiet && s.scope == Scope::signal) return Signal::atomic;
  return std::nullopt;
}

}  // namespace gicsim::schema
