// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "traces/profile/detail/members.h"
#include "traces/stream/items.h"

namespace gicsim::profile::detail {

/// What one of NCCL's plugins says of a collective or a message.
struct Call {
  std::string communicator, what;           ///< "AllReduce", "Send"
  std::int64_t rank = 0;                    ///< in the communicator
  std::optional<std::int64_t> ranks, peer;  ///< of the communicator; the other end
  std::optional<std::int64_t> bytes;  ///< NCCL's count: of all_gather what goes in, of reduce_scatter what comes out
  std::optional<std::int64_t> begin;  ///< ns; none: not recorded
  bool timed = true;                  ///< false: nor how long it took
  std::int64_t root = 0;              ///< in the communicator
  std::int64_t length = 0;            ///< ns
  std::uint64_t place = 0;
  std::string host;
};

/// A file's calls, in its order.
class Calls {
 public:
  virtual ~Calls() = default;
  virtual bool next(Call& call) = 0;
  virtual void rewind() = 0;
  virtual double progress() const = 0;
  virtual const std::string& file() const = 0;
};
std::unique_ptr<Calls> profiler_calls(const std::string& file, std::shared_ptr<Common> common);
std::unique_ptr<Calls> inspector_calls(const std::string& file, std::shared_ptr<Common> common);
/// Of NCCL_DEBUG=INFO with NCCL_DEBUG_SUBSYS=COLL: what was called, in which order.
std::unique_ptr<Calls> log_calls(const std::string& file, std::shared_ptr<Common> common);

/// A file a process, or several in one.
/// @param notes  of the format
std::unique_ptr<schedule::Source> open_calls(const std::vector<std::string>& files,
                                             std::unique_ptr<Calls> (*calls_of)(const std::string&,
                                                                                std::shared_ptr<Common>),
                                             std::string format, std::vector<std::string> hosts,
                                             const std::vector<std::string>& notes);

/// One rank's calls as its work.
class NcclRank final : public Reader {
 public:
  NcclRank(std::uint32_t self, std::size_t file, std::unique_ptr<Calls> calls, std::shared_ptr<const Members> members,
           std::shared_ptr<Common> common)
      : self_(self), file_(file), calls_(std::move(calls)), members_(std::move(members)), common_(std::move(common)) {}
  bool next(Work& work) override;
  void rewind() override;
  double progress() const override { return calls_->progress(); }
  Location location(std::uint64_t place) const override;

 private:
  void take(const Call& call, Work& work);

  std::uint32_t self_;
  std::size_t file_;
  std::unique_ptr<Calls> calls_;
  std::shared_ptr<const Members> members_;
  std::shared_ptr<Common> common_;
  std::int64_t clock_ = 0;  ///< of calls without a time: the end of the one before
};

}  // namespace gicsim::profile::detail
