// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/base/quantiles.h"
#include "models/protocol/tlp.h"
#include "traces/tlp/requests.h"

namespace gicsim::whatif {

/// Who plays the requests of one entry of a trace.
struct TlpSeat {
  MemoryPort* port = nullptr;
  bool sets_order = false;  ///< a NIC: its writes without RO stay in order
  Picoseconds lead{};       ///< from the port to the link where the trace saw it: a root complex
};

/// What a trace's links are on the machine, and who asks for what.
struct TlpStands {
  std::vector<TlpSeat> seats;                     ///< by entry of the trace
  std::vector<std::array<std::string, 2>> links;  ///< by link of the trace: the machine's up and down; "": it has none
  std::function<Address(const tlp::Request&)> target;
};

/// Has devices' ports make the requests of a trace, one by one, and the machine answer them. A request begins when it
/// did in the trace, or as long after what had come to its requester last as in the trace; those of one entry keep
/// their order. Both are looked at where the trace was: when a TLP's first symbol leaves the sender of a link.
class TlpPlayer final : private Initiator {
 public:
  enum class Start : std::uint8_t { causes, captured };
  /// Parts of the time until something: they add up to it.
  enum Part : std::uint8_t { gap, answer, way, queued, parts };
  using Spent = std::array<Picoseconds, parts>;

  struct Sum {
    Count n = 0, failed = 0;
    Bytes bytes{};
    Quantiles answered, passed;  ///< as tlp::Entry::Sum has them
    Quantiles late;              ///< ps that it began after its time in the trace
  };
  using Sums = std::map<std::pair<std::size_t, TlpKind>, Sum>;

  TlpPlayer(Kernel& kernel, Probe<TlpSent>& tlps, tlp::Requests& trace, TlpStands stands, Start start);
  void on_progress(std::function<void()> progress) { progress_ = std::move(progress); }
  void start();

  bool finished() const { return ended_all_ && live_ == 0; }
  Count begun() const { return begun_; }
  Count unfinished() const { return live_; }
  const Sums& sums() const { return sums_; }
  /// When the last TLP of these requests went onto a link that the trace shows, and the chain that led there.
  Picoseconds end() const { return end_; }
  const Spent& chain() const { return chain_; }
  const std::map<std::string, Count>& failures() const { return failures_; }  ///< by how and where
  std::vector<std::string> waiting() const;

 private:
  using What = tlp::Cause::What;
  struct Fact {
    What what;
    std::size_t link;
    Picoseconds at;
  };
  struct Live {
    tlp::Request request{};
    Picoseconds due{}, begun{-1}, answered{-1}, last{-1};  ///< due: on its first link
    Count links = 0;
    Spent spent{};  ///< until it was due, then until it began
    std::vector<Fact> facts{};
    std::vector<std::size_t> waiters{};  ///< entries whose next request may need to know
    bool ended = false;
    Picoseconds ended_at{};
  };
  struct Lane {
    std::deque<Live*> next{};
    Picoseconds floor{};
    Spent spent{};  ///< of what set it
  };

  void read();
  void advance(std::size_t entry);
  void schedule(std::size_t entry, Live& one, Picoseconds due, const Spent& spent);
  void on_due();
  void submit(Live& one);
  void on_sent(const TlpSent& sent);
  void on_transferred(Transfer& transfer) override;
  void tell(Live& one, Fact fact);
  void wake(Live& one);
  void remember(Live& one);
  Spent until(const Live& one, What what, Picoseconds at) const;
  void went(const Live& one, What what, Picoseconds at);

  Kernel& kernel_;
  tlp::Requests& trace_;
  TlpStands stands_;
  Start start_;
  Picoseconds origin_{};  ///< when the trace's first request is due
  struct Way {
    std::size_t link;
    bool up;
  };
  std::map<std::string, Way, std::less<>> ways_;  ///< of the machine's links that the trace shows
  std::vector<Lane> lanes_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Live>> known_;
  std::deque<std::uint64_t> ended_;
  std::map<std::pair<Picoseconds, std::uint64_t>, Live*> due_;
  Sums sums_;
  std::map<std::string, Count> failures_;
  Count live_ = 0, ahead_ = 0, begun_ = 0, since_ = 0;
  bool ended_all_ = false, reading_ = false;
  Picoseconds end_{};
  Spent chain_{};
  std::function<void()> progress_;
};

}  // namespace gicsim::whatif
