// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>

#include "traces/stream/input.h"

namespace gicsim::stream {

/// A file for those who read streams: what is gzipped is unpacked on the way. What is wrong with the packing is thrown.
class Unpacked final : public std::istream {
 public:
  /// @throws ConfigError
  explicit Unpacked(std::string file) : std::istream(nullptr), pieces_(std::move(file)) {
    rdbuf(&pieces_);
    exceptions(std::ios::badbit);
  }

  double progress() const { return pieces_.input.progress(); }  ///< 0 .. 1

 private:
  struct Pieces final : std::streambuf {
    explicit Pieces(std::string file) : input(std::move(file)) {}
    int_type underflow() override {
      const std::size_t n = input.read(piece.data(), piece.size());
      setg(piece.data(), piece.data(), piece.data() + n);
      return n == 0 ? traits_type::eof() : traits_type::to_int_type(piece.front());
    }
    Input input;
    std::array<char, 1 << 16> piece{};
  };
  Pieces pieces_;
};

}  // namespace gicsim::stream
