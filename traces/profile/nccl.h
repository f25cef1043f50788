// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/source.h"

namespace gicsim::profile {

/// Of a file's first octets, unpacked.
bool looks_like_nccl_profiler(std::string_view head);   ///< of NCCL's example profiler plugin
bool looks_like_nccl_inspector(std::string_view head);  ///< of its inspector plugin
bool looks_like_nccl_log(std::string_view head);        ///< NCCL_DEBUG=INFO
bool looks_like_nccl_ras(std::string_view head);        ///< ncclras -f json

/// Collectives and point-to-point messages with their times, a file a process.
/// @throws ConfigError
std::unique_ptr<schedule::Source> open_nccl_profiler(const std::vector<std::string>& files);
std::unique_ptr<schedule::Source> open_nccl_inspector(const std::vector<std::string>& files);

/// What each rank called, in order, if that was logged (NCCL_DEBUG_SUBSYS=COLL); else who ran where, and over what they
/// talk: `hosts` and `notes`, no steps.
std::unique_ptr<schedule::Source> open_nccl_log(const std::vector<std::string>& files);
std::unique_ptr<schedule::Source> open_nccl_ras(const std::vector<std::string>& files);

}  // namespace gicsim::profile
