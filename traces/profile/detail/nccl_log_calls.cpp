// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "traces/profile/detail/nccl_file.h"
#include "traces/profile/detail/nccl_lines.h"
#include "traces/stream/plain.h"

namespace gicsim::profile::detail {
namespace {

constexpr std::size_t longest_line = 1 << 16;
/// By ncclDataType_t.
constexpr std::array<std::int64_t, 12> type_sizes{1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

/// "AllReduce: opCount 0 sendbuff 0x7f11 recvbuff 0x7f11 count 1048576 datatype 7 op 0 root 0 comm 0x34e8
/// [nranks=2] stream 0x2bd4", as NCCL writes each call of its API; who a comm is, its initialisation says.
class LogCalls final : public Calls {
 public:
  LogCalls(const std::string& file, std::shared_ptr<Common> common) : in_(file), common_(std::move(common)) {}

  bool next(Call& call) override {
    std::string line;
    while (true) {
      const std::uint64_t place = in_.position();
      line.clear();
      if (in_.peek() == stream::Input::end) return false;
      for (int c = in_.get(); c != '\n' && c != stream::Input::end; c = in_.get())
        if (line.size() < longest_line) line += static_cast<char>(c);
      if (const auto parsed = parse_log_line(line); parsed && take(*parsed, place, call)) return true;
    }
  }
  void rewind() override {
    in_.rewind();
    who_.clear();
  }
  double progress() const override { return in_.progress(); }
  const std::string& file() const override { return in_.file(); }

 private:
  struct Member {
    std::string communicator;
    std::int64_t rank = 0, ranks = 0;
  };

  bool take(const LogLine& line, std::uint64_t place, Call& call) {
    const std::string words = " " + std::string(line.what);
    const std::string_view what = line.what, comm = word_behind(words, "comm");
    if (comm.empty()) return false;
    const std::string key = fmt::format("{}:{} {}", line.host, line.process, comm);
    const auto call_of = what.find(": opCount ");
    if (call_of == what.npos) {
      know(words, key);
      return false;
    }
    const auto count = number_behind(what, "count"), type = number_behind(what, "datatype");
    const auto member = who_.find(key);
    if (member == who_.end()) {
      common_->unused.add("calls of a communicator whose initialisation isn't logged (NCCL_DEBUG_SUBSYS=INIT,COLL)",
                          place);
      return false;
    }
    call.communicator = member->second.communicator;
    call.rank = member->second.rank;
    call.ranks = member->second.ranks;
    call.what = what.substr(0, call_of);
    call.host = line.host;
    call.place = place;
    call.timed = false;
    call.root = number_behind(what, "root").value_or(0);
    call.peer = call.root;
    if (count && type && *count >= 0 && *count <= std::int64_t{1} << 46 && *type >= 0 &&
        *type < static_cast<std::int64_t>(type_sizes.size()))
      call.bytes = *count * type_sizes[static_cast<std::size_t>(*type)];
    if (stream::plain(call.what) == "alltoall" && call.bytes) *call.bytes *= member->second.ranks;  // counted for each
    return true;
  }

  /// "ncclCommInitRankConfig comm 0x34e8 rank 0 nranks 2 cudaDev 0 .. commId 0x4eb8 - Init START"
  void know(std::string_view what, const std::string& key) {
    const auto rank = number_behind(what, "rank"), ranks = number_behind(what, "nranks");
    if (!rank || !ranks || *rank < 0 || *rank >= *ranks || *ranks > 1 << 20) return;
    const std::string_view id = word_behind(what, "commId");
    if (id.empty() && who_.contains(key)) return;
    who_[key] = {id.empty() ? key : std::string(id), *rank, *ranks};
  }

  stream::Input in_;
  std::shared_ptr<Common> common_;
  std::map<std::string, Member> who_;  ///< by process and comm
};

}  // namespace

std::unique_ptr<Calls> log_calls(const std::string& file, std::shared_ptr<Common> common) {
  return std::make_unique<LogCalls>(file, std::move(common));
}

}  // namespace gicsim::profile::detail
