// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/print.h"

namespace gicsim::cli {
namespace {

std::string span(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  return seconds < 6000 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Progress::Progress() : shown_(::isatty(STDERR_FILENO) != 0) {}

void Progress::tell(const std::string& doing, double share) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (doing != doing_) doing_ = doing, begun_ = told_ = now;
  if (now - told_ < std::chrono::milliseconds(500)) return;
  told_ = now;
  const double since = std::chrono::duration<double>(now - begun_).count();
  const std::string left = share > 0.01 ? ", " + span(since * (1 - share) / share) + " to go" : "";
  murmur(fmt::format("\r\x1b[K{}: {:.0f} %{}", doing, 100 * std::min(share, 1.0), left));
  written_ = true;
}

void Progress::clear() {
  if (written_) murmur("\r\x1b[K");
  written_ = false;
}

}  // namespace gicsim::cli
