// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/detail/nccl_calls.h"

#include <fmt/format.h>

#include <array>

namespace gicsim::profile::detail {
namespace {

using schedule::Operation;

/// Octets of ncclDataType_t 0 .. 11, as nccl.h numbers them: int8, uint8, int32, uint32, int64, uint64, float16,
/// float32, float64, bfloat16, float8e4m3, float8e5m2.
constexpr std::array<std::int64_t, 12> type_sizes{1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
constexpr std::int64_t most_count = std::int64_t{1} << 44;

std::string key(const LogLine& line, std::string_view address) { return fmt::format("{} {}", line.process, address); }

/// The vector of a collective from the count of one rank's call.
std::optional<Bytes> vector_of(Operation operation, std::int64_t bytes, std::int64_t ranks) {
  const bool comes_out = operation == Operation::reduce_scatter || operation == Operation::scatter;
  const std::optional<std::int64_t> none, of = operation == Operation::all_to_all ? bytes * ranks : bytes;
  return whole_of(operation, comes_out ? none : of, comes_out ? of : none, static_cast<std::size_t>(ranks));
}

}  // namespace

/// "ncclCommInitRank comm 0x32 rank 0 nranks 4 cudaDev 0 … commId 0xa1 - Init START", or of a part of another:
/// "ncclCommSplit comm 0x56 rank 0 nranks 2 … parent 0x32 splitCount 1 color 7 key 0 - Init COMPLETE".
void CallReader::seat(const LogLine& line) {
  const auto rank = number_behind(line.what, "rank"), ranks = number_behind(line.what, "nranks");
  const std::string_view address = word_behind(line.what, "comm");
  if (!rank || !ranks || *rank < 0 || *rank >= *ranks || *ranks > most_ranks || address.empty()) return;
  Seat seat{fmt::format("{} {}", line.process, number_behind(line.what, "cudaDev").value_or(0)), "", *rank, *ranks};
  if (const auto id = word_behind(line.what, "commId"); !id.empty()) {
    seat.communicator = id;
  } else if (const auto parent = seats_.find(key(line, word_behind(line.what, "parent"))); parent != seats_.end()) {
    seat.communicator =
        fmt::format("{}, split {} {}", parent->second.communicator, number_behind(line.what, "splitCount").value_or(0),
                    number_behind(line.what, "color").value_or(0));
  } else {
    seat.communicator = fmt::format("of {} ranks", *ranks);  // older logs have no commId
  }
  seats_.insert_or_assign(key(line, address), std::move(seat));
}

std::optional<Seat> CallReader::seat_of(const LogLine& line) const {
  const auto seat = seats_.find(key(line, word_behind(line.what, "comm")));
  return seat == seats_.end() ? std::nullopt : std::optional(seat->second);
}

/// "AllReduce: opCount 0 sendbuff 0x7f recvbuff 0x7f count 262144 datatype 7 op 0 root 0 comm 0x44 [nranks=2] stream
/// 0x1".
std::optional<LoggedCall> CallReader::read(const LogLine& line) {
  wrong_.clear();
  const auto colon = line.what.find(": opCount ");
  if (colon == line.what.npos) {
    if (line.what.find(" nranks ") != line.what.npos && line.what.find("comm 0x") != line.what.npos) seat(line);
    return std::nullopt;
  }
  LoggedCall call;
  call.what = line.what.substr(0, colon);
  const auto refuse = [&](std::string why) {
    wrong_ = std::move(why);
    return std::nullopt;
  };
  const auto seat = seat_of(line);
  if (!seat) return refuse("calls of a communicator whose ranks no line tells (NCCL_DEBUG_SUBSYS=INIT)");
  call.seat = *seat;
  const auto meant = meaning_of(call.what);
  if (!meant) return refuse(fmt::format("a call of '{}'", call.what));
  call.meant = *meant;
  const auto count = number_behind(line.what, "count"), type = number_behind(line.what, "datatype");
  if (!count || *count < 0 || *count > most_count || !type || *type < 0 || *type >= std::int64_t{type_sizes.size()})
    return refuse("calls whose size isn't known: a count or a type that can't be");
  const std::int64_t bytes = *count * type_sizes[static_cast<std::size_t>(*type)];
  call.other = number_behind(line.what, "root").value_or(0);
  if (call.other < 0 || call.other >= call.seat.ranks) return refuse("calls whose other rank, or root, can't be");
  if (bytes == 0) return refuse("calls of no bytes");
  if (call.meant.message != Message::collective) {
    call.bytes = Bytes(bytes);
    return call;
  }
  const auto whole = vector_of(call.meant.operation, bytes, call.seat.ranks);
  if (!whole) return refuse("calls whose size isn't known: a count or a type that can't be");
  call.bytes = *whole;
  return call;
}

void Job::add(std::size_t file, const LogLine& line) {
  if (const auto call = reader_.read(line)) {
    ++calls_;
    files_.emplace(call->seat.gpu, file);
    latest_.insert_or_assign(std::string(line.process), *call);
    return;
  }
  // What NCCL chose for the call before: "AllReduce: 1048576 Bytes -> Algo TREE proto LL128 channel{Lo..Hi}={0..7}".
  if (const auto algorithm = line.what.find(" Bytes -> Algo "); algorithm != line.what.npos) {
    const auto call = latest_.find(std::string(line.process));
    const std::string_view chosen = line.what.substr(algorithm + 15);
    if (call != latest_.end() && (chosen.starts_with("TREE") || chosen.starts_with("0 ")))
      trees_.emplace(call->second.seat.communicator, call->second.what, call->second.bytes.count());
    return;
  }
  if (const auto seat = reader_.seat_of(line)) {
    communicators_[seat->communicator][seat->rank] = seat->gpu;
    sizes_[seat->communicator] = seat->ranks;
  }
}

void Job::settle(schedule::Groups& groups) {
  std::string main;
  for (const auto& [name, size] : sizes_)
    if (size > ranks_) ranks_ = size, main = name;
  if (main.empty()) return;
  for (const auto& [rank, gpu] : communicators_.at(main)) numbers_.emplace(gpu, static_cast<std::uint32_t>(rank));
  for (const auto& [name, members] : communicators_) {
    std::vector<std::uint32_t> all;
    for (const auto& [rank, gpu] : members)
      if (const auto number = rank_of(gpu); number && files_.contains(gpu)) all.push_back(*number);
    if (static_cast<std::int64_t>(all.size()) == sizes_.at(name)) groups.set(name, std::move(all));
  }
}

std::optional<std::uint32_t> Job::rank_of(const std::string& gpu) const {
  const auto number = numbers_.find(gpu);
  return number == numbers_.end() ? std::nullopt : std::optional(number->second);
}

std::optional<std::uint32_t> Job::rank_of(const std::string& communicator, std::int64_t rank) const {
  const auto members = communicators_.find(communicator);
  if (members == communicators_.end()) return std::nullopt;
  const auto gpu = members->second.find(rank);
  return gpu == members->second.end() ? std::nullopt : rank_of(gpu->second);
}

std::optional<std::size_t> Job::file_of(std::uint32_t rank) const {
  for (const auto& [gpu, number] : numbers_)
    if (const auto file = files_.find(gpu); number == rank && file != files_.end()) return file->second;
  return std::nullopt;
}

schedule::Algorithm Job::algorithm_of(const LoggedCall& call) const {
  return trees_.contains(Kind(call.seat.communicator, call.what, call.bytes.count())) ? schedule::Algorithm::tree
                                                                                      : schedule::Algorithm::ring;
}

}  // namespace gicsim::profile::detail
