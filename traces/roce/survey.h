// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "traces/roce/flow.h"

namespace gicsim::roce {

/// Frames that weren't used: why, how many, and which one was the first.
struct NotUsed {
  std::string why;
  std::uint64_t frames = 0, first = 0;
};

/// A RoCEv2 packet of a capture: its flow, and whether it is an answer.
struct Seen {
  const Frame& frame;
  const Datagram& datagram;
  const Header& header;
  Flow& flow;
  bool answer;
  bool copy;  ///< the very same was seen before
};

/// Sorts a capture's packets into flows. RC packets don't carry their sender's queue pair, so an answer finds its
/// flow by addresses and PSN, then by the source port, which both ends derive from both queue pairs; from then on its
/// destination is known as the requester's.
/// A capture at several interfaces shows packets more than once. A flow is the one at that place where its requests were
/// sent, as the capture says, or else where they were seen first; how the others saw it hangs on it.
class Survey {
 public:
  Survey() = default;
  Survey(Survey&&) = default;
  Survey& operator=(Survey&&) = default;
  virtual ~Survey() = default;
  void read(Capture& capture);
  /// One frame. @return false at the end
  bool read_one(Capture& capture);

  const std::vector<std::unique_ptr<Flow>>& flows() const { return flows_; }
  const std::vector<NotUsed>& not_used() const { return not_used_; }
  /// Each place's name, and how many frames were captured there.
  struct Place {
    std::string name;
    std::uint64_t frames = 0;
  };
  const std::vector<Place>& places() const { return places_; }
  std::uint64_t frames = 0, octets = 0, used = 0;
  std::uint64_t icrc_right = 0, icrc_wrong = 0, icrc_unknown = 0, first_wrong = 0;
  std::uint64_t cut_short = 0;  ///< frames of which not all was kept
  std::int64_t first_ns = 0, last_ns = 0;

 protected:
  virtual void on_packet(const Seen& seen) { (void)seen; }

 private:
  struct AnswerKey {
    IpAddress from, to;
    std::uint32_t qp, place;
    auto operator<=>(const AnswerKey&) const = default;
  };
  void take(const Frame& frame);
  void pass(const Frame& frame, std::string_view why);
  void request(const Frame& frame, const Datagram& datagram, const Header& header);
  void answer(const Frame& frame, const Datagram& datagram, const Header& header);
  void notify(const Frame& frame, const Datagram& datagram, const Header& header);
  Flow* asked_by(const Datagram& datagram, const Header& header, std::uint32_t place);
  Flow& add(const FlowKey& key, const Header& header, int life);
  void settle();

  std::vector<std::unique_ptr<Flow>> flows_, elsewhere_;
  std::vector<Place> places_;
  std::map<FlowKey, Flow*> by_request_;
  std::map<AnswerKey, Flow*> by_answer_;
  std::vector<NotUsed> not_used_;
};

}  // namespace gicsim::roce
