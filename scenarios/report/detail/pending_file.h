// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <filesystem>
#include <string>
#include <string_view>

namespace gicsim::report::detail {

/// A file that exists under a temporary name until `publish`. Not published: removed.
class PendingFile {
 public:
  /// Writes and flushes `.NAME.PID.tmp` beside `target`.
  /// @throws HardwareError
  PendingFile(std::filesystem::path target, std::string_view content);
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();

  /// Takes the place of a file of that name, in one step.
  void publish();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;  ///< empty: nothing to remove
};

/// Makes the renames in a folder last. @throws HardwareError
void flush_folder(const std::filesystem::path& folder);

/// While it lives, this thread takes no SIGINT, SIGTERM or SIGHUP; they arrive afterwards.
class SignalsHeld {
 public:
  SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld();

 private:
  sigset_t before_{};
};

}  // namespace gicsim::report::detail
