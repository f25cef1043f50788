// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "models/units/time.h"

namespace gicsim {

inline constexpr Picoseconds never = Picoseconds::max();

/// Pending events in the order (time, lane, sequence of push).
///
/// A wheel of buckets, each as wide as 2^10 ps, with an occupancy bitmap to find the next one;
/// what lies beyond one turn waits in a heap. A bucket is sorted when its turn comes, so a push
/// costs a list link, whatever is pending; what is pushed into the bucket at hand goes to a
/// small heap of its own, so many events of one instant cost no more than a heap would.
class Calendar {
 public:
  using Lane = std::uint16_t;
  using Call = void (*)(void*);

  struct Event {
    Picoseconds time;
    std::uint64_t key;  ///< lane in the upper 16 bits, then the sequence; lowest bit: background
    Call call;
    void* self;
    bool background() const { return (key & 1) != 0; }
  };

  Calendar() = default;
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear();

  /// `time` is not negative; it may be earlier than what was popped last.
  void push(Picoseconds time, Lane lane, Call call, void* self, bool background = false) {
    const std::uint64_t key =
        (static_cast<std::uint64_t>(lane) << lane_shift) | sequence_ | (background ? 1U : 0U);
    sequence_ += 2;
    ++size_;
    Node* const node = take_node();
    node->event = Event{time, key, call, self};
    const std::uint64_t bucket = bucket_of(time);
    if (bucket - current_ - 1 < buckets - 1) {
      put_in_wheel(node, bucket);
    } else if (bucket <= current_) {
      push_heap(fresh_, node);
    } else {
      push_heap(later_, node);
      first_later_ = bucket_of(later_.front()->event.time);
    }
  }

  /// Takes the earliest event out, if it is due at `last` or before.
  bool pop_through(Picoseconds last, Event& event) {
    Node* node = nullptr;
    for (;;) {
      if (!fresh_.empty()) {
        if (sorted_.empty() || earlier(fresh_.front(), sorted_.back())) {
          if (fresh_.front()->event.time > last) return false;
          node = pop_heap(fresh_);
          break;
        }
      }
      if (!sorted_.empty()) {
        node = sorted_.back();
        if (node->event.time > last) return false;
        sorted_.pop_back();
        break;
      }
      if (summary_ == 0) {
        if (later_.empty() || later_.front()->event.time > last) return false;
        turn_to(bucket_of(later_.front()->event.time) - 1);
      }
      const std::uint64_t bucket = first_bucket();
      if (start_of(bucket) > last) return false;
      turn_to(bucket);
      node = empty_bucket(bucket);
      if (node->next == nullptr && node->event.time <= last) break;
      sort(node);
    }
    event = node->event;
    give_node(node);
    --size_;
    return true;
  }

  /// Time of the earliest event, or `never`.
  Picoseconds next() const;

 private:
  struct Node {
    Event event;
    Node* next;
  };
  using Heap = std::vector<Node*>;

  static constexpr int width_bits = 10;
  static constexpr int lane_shift = 48;
  static constexpr std::size_t buckets = 64 * 64;
  static constexpr std::size_t mask = buckets - 1;

  static std::uint64_t bucket_of(Picoseconds t) {
    return static_cast<std::uint64_t>(t.count()) >> width_bits;
  }
  static Picoseconds start_of(std::uint64_t bucket) {
    return Picoseconds{static_cast<std::int64_t>(bucket << width_bits)};
  }
  static bool earlier(const Node* a, const Node* b) {
    return a->event.time != b->event.time ? a->event.time < b->event.time
                                          : a->event.key < b->event.key;
  }
  static void push_heap(Heap& heap, Node* node);
  static Node* pop_heap(Heap& heap);

  Node* take_node() {
    if (free_ == nullptr) grow();
    Node* const node = free_;
    free_ = node->next;
    return node;
  }
  void give_node(Node* node) {
    node->next = free_;
    free_ = node;
  }
  void grow();

  void put_in_wheel(Node* node, std::uint64_t bucket) {
    const std::size_t slot = bucket & mask;
    node->next = wheel_[slot];
    wheel_[slot] = node;
    occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    summary_ |= std::uint64_t{1} << (slot / 64);
  }
  Node* empty_bucket(std::uint64_t bucket) {
    const std::size_t slot = bucket & mask;
    Node* const list = wheel_[slot];
    wheel_[slot] = nullptr;
    if ((occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64))) == 0)
      summary_ &= ~(std::uint64_t{1} << (slot / 64));
    return list;
  }
  /// The earliest occupied bucket; the wheel is not empty.
  std::uint64_t first_bucket() const {
    const std::size_t here = current_ & mask;
    std::size_t word = here / 64;
    std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << (here % 64));
    if (bits == 0) {
      const std::uint64_t ahead = summary_ & (~std::uint64_t{1} << word);
      word = static_cast<std::size_t>(std::countr_zero(ahead != 0 ? ahead : summary_));
      bits = occupied_[word];
    }
    const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    return current_ + ((slot - here) & mask);
  }
  void turn_to(std::uint64_t bucket) {
    current_ = bucket;
    if (first_later_ - current_ < buckets) move_in_later();
  }
  void move_in_later();
  void sort(Node* list);

  std::uint64_t current_ = 0;  ///< its bucket is at hand: in sorted_ and fresh_, not in the wheel
  std::uint64_t summary_ = 0;  ///< which words of occupied_ are not 0
  std::uint64_t first_later_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t sequence_ = 0;
  std::size_t size_ = 0;
  Node* free_ = nullptr;
  Heap sorted_;  ///< of the bucket at hand, latest first
  Heap fresh_;   ///< came in since, earliest on top
  Heap later_;   ///< beyond the wheel's turn
  std::array<std::uint64_t, buckets / 64> occupied_{};
  std::array<Node*, buckets> wheel_{};
  std::vector<std::unique_ptr<Node[]>> blocks_;
};

}  // namespace gicsim
