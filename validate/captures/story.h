// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/roce/survey.h"

namespace gicsim::captures {

/// One packet of a flow, without its payload.
struct Event {
  std::uint64_t frame = 0;
  std::uint32_t icrc = 0;  ///< tells apart what is sent again, as IPv4's identification counts
  roce::Header header;
  bool copy = false;       ///< the very same was captured before
};

/// Requests of one queue pair to another and their answers, each in order of capture.
struct Story {
  std::string name;
  roce::IpAddress from, to;
  roce::Service service = roce::Service::rc;
  std::uint32_t mtu = 4096;  ///< the largest there is, if every message is one packet
  std::uint64_t resent = 0, missing = 0;
  std::vector<Event> requests, answers;
  std::vector<Story> at_responder;  ///< the same flow there, if the capture has that, too
};

/// What one side of a flow saw arrive, and what it sent then.
struct View {
  const Story& story;
  std::vector<Event> delivered;  ///< instead of what was captured on its way there: in order of arrival, by frames of the story
  bool known = false;            ///< that is given
  bool here = false;             ///< it was captured at that side: what was captured is what arrived
};

/// All flows of a capture; their headers are held in memory.
std::vector<Story> read_stories(const std::string& file);

/// What another capture, behind a place of loss, shows of `sent`: each with the frame at which it was sent. Clocks needn't agree.
std::vector<Event> came_through(const std::vector<Event>& sent, const std::vector<Event>& behind);

}  // namespace gicsim::captures
