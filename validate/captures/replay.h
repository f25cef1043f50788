// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/nic/transport_params.h"
#include "validate/captures/story.h"

/// Holds the NIC model against what real transports did: driven by what a capture shows arriving, it must send what the
/// capture shows being sent.
namespace gicsim::captures {

enum class Role { requester, responder };
constexpr auto names_of(Role) { return std::array<std::string_view, 2>{"requester", "responder"}; }

/// Where the model first did something else.
struct Difference {
  std::uint64_t frame = 0;
  std::string captured, model;
};

/// One side of one flow.
struct Verdict {
  std::string flow;
  Role role = Role::requester;
  std::uint64_t compared = 0;   ///< packets that the model sent as the capture has them
  std::uint64_t arrivals = 0;   ///< packets that it was given
  std::uint64_t expired = 0;    ///< timers that had to run out: nothing that arrived explains what was sent
  std::uint64_t lost = 0;       ///< of what comes to this side: must have got lost behind the capture; at least so many
  std::uint64_t coalesced = 0;  ///< ACKs of the model's that the capture hasn't, as a later answer tells of the same
  std::uint64_t skipped = 0;    ///< sent before a message's beginning was captured
  std::uint64_t beyond = 0;     ///< packets that the model sends after the capture's last
  std::uint64_t invalidated = 0;  ///< SENDs with invalidate; the model's are without
  bool guessed = false;         ///< what of the capture arrived here isn't known
  std::uint64_t missing = 0;    ///< PSNs of requests that aren't in the capture
  std::string failed{};         ///< the queue pair's end in error, if it did
  std::string not_replayed{};    ///< why
  std::optional<Difference> difference{};
  bool good() const { return !difference; }
};

/// @param view  with what really arrived, if that is known; else all that was captured did
Verdict replay_requester(const View& view, const nic::TransportParams& transport);
/// Requests that must have got lost behind the capture, by the answers, are left out where that isn't known.
Verdict replay_responder(const View& view, const nic::TransportParams& transport);

/// Both sides, or one, of each flow of a capture.
/// @param delivered  the same run behind places of loss, if there are captures of that
std::vector<Verdict> check(const std::string& file, const std::vector<std::string>& delivered, std::optional<Role> role,
                           const nic::TransportParams& transport);
std::string to_text(const std::string& file, const std::vector<Verdict>& verdicts);

}  // namespace gicsim::captures
