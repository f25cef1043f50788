// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "validate/captures/bed.h"
#include "validate/captures/story.h"

namespace gicsim::captures::detail {

roce::Operation operation_of(const Sent& sent);
/// @return nothing when they are equal; else what the model's has that the captured one hasn't
std::string difference(const Sent& sent, const Event& event, std::uint32_t msn_offset);
/// "RC WRITE first, PSN 0x00f3a1"
std::string told(const Event& event);
std::string told(const Sent& sent);
/// Of atomics, their opcode; else what fits.
Opcode opcode_of(roce::Operation operation);

}  // namespace gicsim::captures::detail
