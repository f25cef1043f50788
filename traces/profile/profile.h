// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "traces/profile/timeline.h"
#include "traces/schedule/groups.h"
#include "traces/schedule/source.h"
#include "traces/schedule/tally.h"

namespace gicsim::profile {

/// What the ranks of a profile have in common.
struct Common {
  schedule::Groups groups;  ///< of the ranks that are given alone
  schedule::Tally unused;
  schedule::Notes notes;
  std::map<std::uint32_t, std::int64_t> first_seq;  ///< of a group, at the rank that told it first
};

/// One rank's part of a profile.
class Reader {
 public:
  virtual ~Reader() = default;
  /// @return false: there is no more
  virtual bool next(Work& work) = 0;
  virtual void rewind() = 0;
  virtual double progress() const = 0;
  virtual Location location(std::uint64_t place) const = 0;
};

/// Profiles of some ranks as one schedule, each rank's work in the order of time.
class Profile final : public schedule::Source {
 public:
  Profile(std::string format, std::shared_ptr<Common> common, std::vector<std::unique_ptr<Reader>> ranks,
          std::vector<std::string> hosts = {});

  std::string format() const override { return format_; }
  std::size_t ranks() const override { return ranks_.size(); }
  bool next(std::size_t rank, schedule::Step& step) override;
  void rewind() override;
  std::vector<std::string> hosts() const override { return hosts_; }
  std::vector<schedule::Unused> unused() const override { return common_->unused.all(); }
  std::vector<std::string> notes() const override { return common_->notes.all(); }
  double progress() const override;
  Location location(std::size_t rank, const schedule::Step& step) const override {
    return ranks_.at(rank)->location(step.place);
  }

 private:
  void prime(std::size_t rank);

  std::string format_;
  std::shared_ptr<Common> common_;
  std::vector<std::unique_ptr<Reader>> ranks_;
  std::vector<std::string> hosts_;
  std::vector<Timeline> timelines_;
  std::int64_t origin_ = 0;
};

}  // namespace gicsim::profile
