// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::pcie {

/// Of one direction. Errors go by the names that Linux gives them (aer_dev_correctable); those of a receiver are
/// counted at the direction that brought what was bad.
struct LinkStats {
  Count tlps = 0, acks = 0;
  Bytes payload, wire;
  Picoseconds busy{}, credit_wait{};
  Count queued_peak = 0;
  Count passed = 0;
  Count credit_updates = 0;
  Count naks = 0;
  Count replays = 0;
  Bytes replayed;
  Count bad_tlp = 0, bad_dllp = 0, rx_err = 0, timeout = 0, rollover = 0;
  Count discarded = 0, duplicates = 0;
  Count retrains = 0;
  Picoseconds replay_buffer_wait{};
};
template <class V>
constexpr void describe(V&& v, LinkStats& s) {
  v("tlps", s.tlps, "TLPs sent");
  v("acks", s.acks, "Acks sent for TLPs of the other direction");
  v("payload", s.payload, "payload bytes sent");
  v("wire", s.wire, "bytes of TLPs sent, with framing and headers");
  v("busy", s.busy, "time the lanes carried TLPs and Acks");
  v("credit_wait", s.credit_wait, "time a TLP at the head waited for credits");
  v("queued_peak", s.queued_peak, "most TLPs that waited at once");
  v("passed", s.passed, "TLPs that passed one of their own flow by RO, IDO or another transaction");
  v("credit_updates", s.credit_updates, "UpdateFCs sent for TLPs of the other direction");
  v("naks", s.naks, "Naks sent for TLPs of the other direction");
  v("replays", s.replays, "TLPs sent again from the replay buffer");
  v("replayed", s.replayed, "bytes of TLPs sent again; part of wire");
  v("bad_tlp", s.bad_tlp, "BadTLP: TLPs that arrived with a wrong LCRC, or behind a gap in the sequence");
  v("bad_dllp", s.bad_dllp, "BadDLLP: Acks, Naks and UpdateFCs that arrived with a wrong CRC");
  v("rx_err", s.rx_err, "RxErr: bit errors that hit the framing of a TLP or DLLP");
  v("timeout", s.timeout, "Timeout: times that the replay timer ran out at the sender");
  v("rollover", s.rollover, "Rollover: four replays in a row that no Ack moved on; the link then retrained");
  v("discarded", s.discarded, "good TLPs dropped behind a bad one, or while the link retrained");
  v("duplicates", s.duplicates, "TLPs that came once more after they were accepted");
  v("retrains", s.retrains, "times that this direction sent the link through Recovery");
  v("replay_buffer_wait", s.replay_buffer_wait, "time the next TLP waited for room in the replay buffer");
}
static_assert(fully_described<LinkStats>());

}  // namespace gicsim::pcie
