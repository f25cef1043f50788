// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/bytes.h"
#include "traces/schedule/collectives.h"

namespace gicsim::profile {

/// Bytes of one element of a type, as PyTorch (BFloat16) or NCCL (ncclBfloat16) calls it.
std::optional<std::int64_t> size_of(std::string_view type);

/// What a message of that name is: "_allgather_base", "AllReduce", "ncclDevKernel_Broadcast_RING_LL".
enum class Message : std::uint8_t { collective, send, receive };
struct Meant {
  Message message = Message::collective;
  schedule::Operation operation = schedule::Operation::all_reduce;
};
std::optional<Meant> meaning_of(std::string_view name);

/// "[0, 1, 2]", also cut short, "[0, 8, ..., 56]", where what is left out can be told: `size` ranks at equal distances,
/// or all of `world`. Empty: it can't be told
std::vector<std::uint32_t> ranks_in(std::string_view list, std::optional<std::int64_t> size,
                                    std::optional<std::int64_t> world);

/// The vector of a collective from what each rank puts in and gets out; none: neither is known.
std::optional<Bytes> whole_of(schedule::Operation operation, std::optional<std::int64_t> in,
                              std::optional<std::int64_t> out, std::size_t ranks);

}  // namespace gicsim::profile
