// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gicsim::detail {

/// A queue in a power-of-two array that doubles when it is full: no allocation in a steady state.
/// The caller never asks an empty one for its front.
template <class T>
class Fifo {
 public:
  std::size_t size() const { return tail_ - head_; }
  bool empty() const { return head_ == tail_; }
  T& operator[](std::size_t i) { return items_[(head_ + i) & (items_.size() - 1)]; }
  const T& operator[](std::size_t i) const { return items_[(head_ + i) & (items_.size() - 1)]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }

  void push_back(T item) {
    if (size() == items_.size()) grow();
    items_[tail_++ & (items_.size() - 1)] = std::move(item);
  }
  T pop_front() { return std::move(items_[head_++ & (items_.size() - 1)]); }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 4 : items_.size() * 2);
    const std::size_t held = size();
    for (std::size_t i = 0; i < held; ++i) larger[i] = std::move((*this)[i]);
    items_ = std::move(larger);
    head_ = 0;
    tail_ = held;
  }

  std::vector<T> items_;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace gicsim::detail
