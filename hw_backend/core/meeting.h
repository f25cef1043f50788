// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "hw_backend/core/options.h"

namespace gicsim::hw {

/// Two ends that talk in lines: two processes over TCP, or two threads of one. Out of band: nothing that is measured
/// goes this way.
class Meeting {
 public:
  /// Waits for the other process, or goes to it, and makes sure that both are of one version and run one experiment.
  /// @throws HardwareError nobody came within `patience`, or somebody who doesn't fit
  static Meeting over_tcp(const Options& options, std::string_view key,
                          std::chrono::milliseconds patience = std::chrono::seconds(60));
  static std::pair<Meeting, Meeting> in_process();

  Meeting(Meeting&& other) noexcept : socket_(std::exchange(other.socket_, -1)), unread_(std::move(other.unread_)) {}
  Meeting& operator=(Meeting&&) = delete;
  ~Meeting();

  /// @pre no line feed in it
  void send(std::string line);
  /// @throws HardwareError the other end gave up, went away, or says nothing for five minutes
  std::string receive();
  /// Tells the other end, if it still listens, why this one goes.
  void give_up(std::string why) noexcept;

 private:
  explicit Meeting(int socket);

  int socket_;
  std::string unread_;
};

}  // namespace gicsim::hw
