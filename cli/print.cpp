// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/print.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "models/base/errors.h"

namespace gicsim::cli {

void print(std::string_view text) {
  errno = 0;
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if ((written == text.size() && std::fflush(stdout) == 0) || errno == EPIPE) return;
  throw HardwareError(fmt::format("standard output: {}", std::strerror(errno)));
}

void murmur(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void complain(std::string_view lines) {
  murmur(lines);
  std::fputc('\n', stderr);
}

}  // namespace gicsim::cli
