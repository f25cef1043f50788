// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace gicsim::sweep {

/// How a piece of work ended that ran in a process of its own.
struct Ended {
  std::string said;  ///< what it returned; a part of it, or nothing, when it broke off
  std::string broke_off{};  ///< "ended by signal 11 (Segmentation fault)"; empty: it returned
};

/// Runs `work(i)` for each i below `count`, at most `jobs` at once, each in a forked process: one that crashes takes no
/// other along. Called before there are threads. When the caller ends, so do they.
/// @param ended  called here, in order of ending
/// @throws HardwareError when no process can be made
void run_apart(std::size_t count, int jobs, const std::function<std::string(std::size_t)>& work,
               const std::function<void(std::size_t, Ended)>& ended);

}  // namespace gicsim::sweep
