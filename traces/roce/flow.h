// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "traces/roce/header.h"
#include "traces/roce/psn.h"
#include "models/base/quantiles.h"

namespace gicsim::roce {

/// Where a flow's requests go. Of UD the source queue pair counts, too; other services don't carry it. What is captured
/// at several places is a flow at each.
struct FlowKey {
  IpAddress from, to;
  std::uint32_t qp = 0, source = 0, place = 0;
  auto operator<=>(const FlowKey&) const = default;
};

/// What one queue pair asks of another, and what that answers, as seen at one place. State doesn't grow with the
/// capture.
class Flow {
 public:
  Flow(const FlowKey& k, Service s) : key(k), service(s) {}

  FlowKey key;
  Service service;
  std::optional<std::uint32_t> answers_to;   ///< queue pair at the requester, once an answer told it
  std::uint16_t source_port = 0;
  int life = 1;                              ///< of a QP number that is used again: which one
  std::uint32_t mtu = 0;                     ///< as packets in the middle of messages show it; 0: none did

  std::uint64_t packets = 0, answers = 0, octets = 0;  ///< octets: of whole frames, both ways
  std::array<std::uint32_t, 256> opcodes{};
  std::uint64_t messages = 0, cut = 0;       ///< cut: of these, their begin or end isn't there
  std::uint64_t payload = 0;                 ///< of messages, each once; of a READ and an atomic what is asked for
  std::uint64_t resent = 0;                  ///< request packets whose PSN was seen before
  std::uint64_t resent_after_nak = 0;        ///< of these, when the requester had gone back for a NAK; else for a time-out
  std::uint64_t duplicates = 0;              ///< requests that were answered before and are answered again
  std::uint64_t responses_again = 0;         ///< responses to READs and atomics whose PSN was seen before
  std::uint64_t copies = 0;                  ///< frames that were captured twice, or doubled on their way
  std::uint64_t missing = 0;                 ///< PSNs of requests passed over and never seen
  std::uint64_t late = 0;                    ///< passed over, but seen later: lost before the capture, or overtaken
  std::uint64_t answers_missing = 0;         ///< PSNs of READ responses passed over
  std::uint64_t wraps = 0;
  std::uint64_t acks = 0;
  std::array<std::uint64_t, 32> naks{}, rnr_naks{};  ///< by code, by timer
  std::uint64_t congested = 0, cnps = 0;     ///< requests marked on their way; CNPs to the requester
  std::optional<std::uint32_t> first_psn, next_psn;
  bool begins_within = false;                ///< its first packet isn't the first of a message
  std::int64_t first_ns = 0, last_ns = 0;
  std::uint64_t left = 0, answers_left = 0;  ///< requests, answers that were captured where they were sent
  std::vector<const Flow*> elsewhere;        ///< the same one, as the capture's other places saw it
  Quantiles answered;                        ///< from a request that wants an answer to that, unless it was resent

  /// @return false when this can't be the same use of the queue pair: the PSN lies far off
  bool request(const Header& header, const Datagram& datagram, std::int64_t ns);
  void answer(const Header& header, const Datagram& datagram, std::int64_t ns);
  /// Whether an answer of that PSN can be about it.
  bool asked(std::uint32_t psn) const;
  void end();                                ///< of the capture, or of this use of the queue pair

 private:
  struct Waiting {
    std::uint32_t psn;
    std::int64_t ns;
    bool timed;  ///< else it was sent again: nobody knows which one is answered
  };
  bool copied(const Header& header, const Datagram& datagram);
  std::int64_t span(const Header& header) const;
  void count_message(const Header& header, bool in_order);
  void again(const Header& header);
  bool wanted(std::uint32_t psn) const;
  void acknowledged(std::uint32_t psn, std::int64_t ns, bool timed);
  void repeated(bool so) { duplicates += so && duplicates < resent; }

  Gaps gaps_;
  bool open_ = false;                        ///< within a message
  std::uint64_t headless_ = 0;               ///< ends whose beginning wasn't seen yet
  bool span_unknown_ = false;                ///< the last READ's, while the MTU isn't known
  bool nak_ = false;                         ///< one came since the requester went back the last time
  bool due_to_nak_ = false;                  ///< so it went back that time
  std::uint32_t last_psn_ = 0;               ///< of the request before this one
  std::optional<std::uint32_t> last_msn_, atomic_, response_;
  std::deque<Waiting> waiting_;
  std::deque<std::uint64_t> recent_;         ///< opcode, PSN and IP identification
};

}  // namespace gicsim::roce
