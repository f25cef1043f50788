// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace gicsim::detail {

/// A queue in a power-of-two array that doubles when it is full: no allocation in a steady state.
/// The caller never asks an empty one for its front.
template <class T>
class Fifo {
 public:
  std::size_t size() const { return tail_ - head_; }
  bool empty() const { return head_ == tail_; }
  T& operator[](std::size_t i) { return items_[(head_ + i) & mask_]; }
  const T& operator[](std::size_t i) const { return items_[(head_ + i) & mask_]; }
  T& front() { return items_[head_ & mask_]; }
  const T& front() const { return items_[head_ & mask_]; }
  T& back() { return items_[(tail_ - 1) & mask_]; }

  void push_back(T item) { next_back() = std::move(item); }
  /// The place of a new last item, still with what was in it: the caller fills it.
  T& next_back() {
    if (size() > mask_ || items_ == nullptr) [[unlikely]]
      grow();
    return items_[tail_++ & mask_];
  }
  /// Stays where it is until the next item comes.
  T& pop_front() { return items_[head_++ & mask_]; }
  T& pop_back() { return items_[--tail_ & mask_]; }

 private:
  void grow() {
    const std::size_t held = size();
    const std::size_t capacity = items_ == nullptr ? 4 : 2 * held;
    auto larger = std::make_unique<T[]>(capacity);
    for (std::size_t i = 0; i < held; ++i) larger[i] = std::move((*this)[i]);
    items_ = std::move(larger);
    mask_ = capacity - 1;
    head_ = 0;
    tail_ = held;
  }

  std::unique_ptr<T[]> items_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace gicsim::detail
