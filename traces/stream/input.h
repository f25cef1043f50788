// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Files of any size, a piece at a time.
namespace gicsim::stream {

/// The octets of a file, in memory that doesn't grow with it. What is gzipped is unpacked on the way, whatever it is
/// called; places are then those of what it unpacks to.
class Input {
 public:
  /// @throws ConfigError
  explicit Input(std::string file);
  ~Input();

  static constexpr int end = -1;
  int peek() { return at_ < buffer_.size() || fill() ? buffer_[at_] : end; }
  int get() {
    const int c = peek();
    if (c != end) ++at_;
    return c;
  }
  /// Up to n octets that come next; fewer at the end of the file alone. @param n  at most `most`
  std::string head(std::size_t n);
  static constexpr std::size_t most = std::size_t{1} << 18;
  /// Takes up to n octets. @return how many; 0 at the end of the file
  std::size_t read(char* to, std::size_t n);

  const std::string& file() const { return file_; }
  std::uint64_t position() const { return before_ + at_; }
  double progress() const;  ///< 0 .. 1
  void rewind();
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;
  /// The file ends where it can't.
  [[noreturn]] void cut_off(const std::string& inside) const;

 private:
  struct Zipped;

  bool fill();

  std::string file_;
  std::unique_ptr<Zipped> zipped_;
  std::vector<unsigned char> buffer_;
  std::size_t at_ = 0;
  std::uint64_t before_ = 0;  ///< octets ahead of the buffer
};

}  // namespace gicsim::stream
