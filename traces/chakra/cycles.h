// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace gicsim::chakra {

/// Finds nodes that need one another in a circle, as far as they are among the last `reach` that were added.
class Cycles {
 public:
  explicit Cycles(std::size_t reach) : reach_(reach) {}
  void add(std::uint64_t id, const std::string& name, const std::vector<std::uint64_t>& needs);
  /// @return a circle, in words; empty: there is none
  std::string look();

 private:
  struct Node {
    std::string name;
    std::vector<std::uint64_t> needs;
    std::size_t next = 0;  ///< of the needs, to be followed
    enum class Mark : std::uint8_t { fresh, open, done } mark = Mark::fresh;
  };

  std::string told(const std::vector<std::uint64_t>& path, std::uint64_t closes) const;

  std::size_t reach_;
  std::deque<std::uint64_t> order_;
  std::unordered_map<std::uint64_t, Node> nodes_;
};

}  // namespace gicsim::chakra
