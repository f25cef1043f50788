// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gicsim::exports {

/// What goes out, octet by octet.
class Octets {
 public:
  /// `n` octets, most significant first, as networks have them.
  Octets& big(std::uint64_t value, int n) {
    for (int i = n - 1; i >= 0; --i) text_ += static_cast<char>(value >> 8 * i);
    return *this;
  }
  Octets& little(std::uint64_t value, int n) {
    for (int i = 0; i < n; ++i) text_ += static_cast<char>(value >> 8 * i);
    return *this;
  }
  Octets& zeros(std::size_t n) {
    text_.append(n, '\0');
    return *this;
  }
  Octets& add(std::string_view octets) {
    text_ += octets;
    return *this;
  }
  std::size_t size() const { return text_.size(); }
  char& operator[](std::size_t i) { return text_[i]; }
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace gicsim::exports
