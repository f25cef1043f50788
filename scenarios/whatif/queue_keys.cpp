// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"
#include "scenarios/whatif/keys.h"

namespace gicsim::whatif {

Words queue_keys(const schema::Scenario& s) {
  const schema::Scenario usual{};
  Words keys;
  const auto word = [&](const char* key, auto value, auto as_usual) {
    if (value != as_usual) keys.emplace_back(key, std::string(to_name(value)));
  };
  const auto count = [&](const char* key, Count value, Count as_usual) {
    if (value != as_usual) keys.emplace_back(key, text::write(value));
  };
  word("cq", s.cq, usual.cq);
  if (s.cq == Cq::ring) keys.emplace_back("cq_depth", text::write(s.cq_depth));
  word("shared_cq", s.shared_cq, usual.shared_cq);
  word("cq_overrun", s.cq_overrun, usual.cq_overrun);
  word("cq_initial", s.cq_initial, usual.cq_initial);
  word("poller", s.poller, usual.poller);
  word("reserve", s.reserve, usual.reserve);
  count("in_flight", s.in_flight, usual.in_flight);
  count("signal_every", s.signal_every, usual.signal_every);
  word("wrap", s.wrap, usual.wrap);
  count("segments", s.segments, usual.segments);
  word("proxy_wakeup", s.proxy_wakeup, usual.proxy_wakeup);
  word("mistake", s.mistake, usual.mistake);
  word("early_ring", s.early_ring, usual.early_ring);
  word("record_memory", s.record_memory, usual.record_memory);
  return keys;
}

}  // namespace gicsim::whatif
