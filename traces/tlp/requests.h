// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/base/quantiles.h"
#include "traces/tlp/record.h"

namespace gicsim::tlp {

/// Where requests come into sight: who asks, on which link, which way. What was captured of them.
struct Entry {
  std::size_t link = 0;  ///< of Requests::links()
  Direction direction = Direction::up;
  RequesterId requester = 0;
  struct Sum {
    std::uint64_t n = 0, failed = 0;
    Bytes bytes{};
    Quantiles answered;  ///< ps from a request to the last of its answer, both on this link
    Quantiles passed;    ///< ps from there to the last link that it was seen on
  };
  std::map<TlpKind, Sum> sums{};
};

/// What had come to the requester last before a request: all that a log says of why it was made.
struct Cause {
  enum class What : std::uint8_t { entered, passed, answered };  ///< a request on its first link or a later one
  std::uint64_t request = 0;                                     ///< whose
  What what = What::answered;
  std::size_t link = 0;
  Picoseconds at{};
};

struct Request {
  std::uint64_t number = 0;  ///< from 0, in the log's order
  std::size_t entry = 0;     ///< of Requests::entries()
  Record record{};
  std::optional<Cause> after{};
};

/// The requests of a trace, each once: where the same TLP is seen on a further link, that is the same request going on.
/// Of those that stand for a device's own behaviour (messages, translation requests) none is handed out. Memory doesn't
/// grow with the trace: what is seen again after 65,536 other requests counts as new.
class Requests {
 public:
  explicit Requests(Source& source) : source_(source) {}
  /// @return false at the end
  bool next(Request& request);

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<std::string>& links() const { return links_; }
  /// What was captured on a link each way: TLPs and payload.
  struct Carried {
    std::uint64_t tlps = 0;
    Bytes payload{};
  };
  const std::map<std::pair<std::size_t, Direction>, Carried>& carried() const { return carried_; }
  const std::map<std::string, std::uint64_t>& unused() const { return unused_; }  ///< TLPs, by why
  std::uint64_t read() const { return number_; }                                  ///< requests so far
  std::uint64_t unanswered() const { return open_.size(); }
  Picoseconds first() const { return first_; }  ///< of a request
  Picoseconds last() const { return last_; }    ///< TLP
  Source& source() { return source_; }

 private:
  using Key = std::tuple<std::size_t, RequesterId, TlpKind, Address, std::int64_t, std::int32_t>;
  struct Sight {
    std::uint64_t number = 0;
    std::size_t entry = 0;
    Picoseconds begin{}, last{};
    std::size_t links = 1;
  };
  /// Equal requests take the same way, one behind the other: the nth on a link is the nth of all.
  struct Same {
    std::uint64_t entered = 0, gone = 0;
    std::map<std::size_t, std::uint64_t> on{};  ///< how many, by link
    std::deque<Sight> sights{};
  };
  struct Open {
    std::uint64_t number = 0;
    std::size_t entry = 0;
    Picoseconds begin{};
    Bytes left{};
    TlpKind kind = TlpKind::read;
    bool used = true;
  };

  std::size_t link(const std::string& name);
  std::size_t entry(std::size_t link, const Record& record);
  std::size_t domain(std::size_t link) const { return domains_[link]; }
  void completed(const Record& record, std::size_t link);
  bool seen_again(const Record& record, std::size_t link, const Key& key);
  void forget();
  void came(Direction direction, std::size_t link, Cause cause);

  Source& source_;
  std::vector<Entry> entries_;
  std::map<std::tuple<std::size_t, Direction, RequesterId>, std::size_t> entry_of_;
  std::vector<std::string> links_;
  std::map<std::string, std::size_t> link_of_;
  std::vector<std::size_t> domains_;  ///< of links: who shares requester IDs
  std::map<std::string, std::size_t> domain_of_;
  std::map<std::pair<std::size_t, Direction>, Carried> carried_;
  std::map<Key, Same> same_;
  std::deque<Key> in_order_;  ///< of what is in sight
  std::map<std::tuple<std::size_t, RequesterId, std::uint16_t>, Open> open_;
  std::map<std::size_t, Cause> below_;  ///< what came down a link last
  std::map<std::size_t, Cause> above_;  ///< to the host of a domain
  std::map<std::string, std::uint64_t> unused_;
  std::uint64_t number_ = 0;
  Picoseconds first_{}, last_{};
};

}  // namespace gicsim::tlp
