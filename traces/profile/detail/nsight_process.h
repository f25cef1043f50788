// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "traces/profile/detail/database.h"
#include "traces/profile/detail/members.h"

namespace gicsim::profile::detail {

/// What an NCCL that was patched for it says in NVTX ranges:
/// "ncclAllReduce(): commHash 0x1, stream 0x2, data_size 1024, type_size 4, red_op 0, pid 7", and of its communicators
/// "commHash 0x1 commId 0x3 rank 0 nranks 4 pid 7".
/// Source: spcl/atlahs, goal_gen/ai
struct NcclRange {
  std::string what;  ///< "AllReduce"; empty: a communicator is set up
  std::map<std::string, std::string> said;
  std::optional<std::int64_t> number(const std::string& name) const;
};
std::optional<NcclRange> parse_nccl_range(std::string_view text);

/// A process of an export, or where it knows none, a GPU.
struct ProcessKey {
  std::optional<std::int64_t> process, device;
  friend auto operator<=>(const ProcessKey&, const ProcessKey&) = default;
};

/// One of them, its kernels, copies and fills in the order of their begin.
class NsightProcess final : public Reader {
 public:
  NsightProcess(const std::string& file, ProcessKey key);

  /// Its communicators, by the names that all processes know them by.
  std::map<std::string, NcclRange> communicators();
  /// Ranges of NCCL calls, and the calls that launched NCCL's kernels, are looked up from here on.
  void link(std::uint32_t self, std::shared_ptr<const Members> members, std::shared_ptr<Common> common);

  bool next(Work& work) override;
  void rewind() override;
  double progress() const override { return rows_ && !done_ ? 0 : 1; }  // SQLite sorts: no share is known
  Location location(std::uint64_t place) const override;

 private:
  std::string texts() const;
  std::string of_this(const std::string& table) const;
  void take_message(Work& work, std::int64_t correlation);

  Database database_;
  ProcessKey key_;
  std::uint32_t self_ = 0;
  std::shared_ptr<const Members> members_;
  std::shared_ptr<Common> common_;
  std::map<std::string, std::string> names_;  ///< of communicators, by what this process calls them
  std::optional<Database::Rows> rows_, range_;
  bool done_ = false;
};

}  // namespace gicsim::profile::detail
