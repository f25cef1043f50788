// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "models/protocol/message.h"

namespace gicsim {

/// A fact: a message has ended, all its branches. Its ledgers are whole, and will soon be another's.
struct MessageEnded {
  const Message& message;      ///< what its ledgers have before it was begun is the message's that it answers
  std::string_view verb;      ///< "put"
  std::string_view poster;    ///< "node0.gpu0.thread0"
  std::string_view peer;      ///< whom it is for; "": nobody in particular
  Bytes bytes{};
  std::string queue_pair{};   ///< the poster's, "node0.nic0.qp1"; "": none took part
  bool measured = true;       ///< not of the warm-up
  const Ledger* completion = nullptr;  ///< until the poster knew of it; null: it isn't followed
  const Ledger* delivery = nullptr;    ///< until the far side knew of it; likewise
};

}  // namespace gicsim
