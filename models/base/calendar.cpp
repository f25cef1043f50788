// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/calendar.h"

#include <algorithm>

namespace gicsim {
namespace {

constexpr std::size_t block_size = 256;
constexpr std::size_t few = 24;  // below it insertion beats std::sort

}  // namespace

void Calendar::push_heap(Heap& heap, Node* node) {
  heap.push_back(node);
  std::push_heap(heap.begin(), heap.end(), [](Node* a, Node* b) { return earlier(b, a); });
}

Calendar::Node* Calendar::pop_heap(Heap& heap) {
  std::pop_heap(heap.begin(), heap.end(), [](Node* a, Node* b) { return earlier(b, a); });
  Node* const node = heap.back();
  heap.pop_back();
  return node;
}

void Calendar::grow() {
  blocks_.push_back(std::make_unique<Node[]>(block_size));
  Node* const block = blocks_.back().get();
  for (std::size_t i = block_size; i-- > 0;) give_node(&block[i]);
}

void Calendar::move_in_later() {
  while (!later_.empty()) {
    const std::uint64_t bucket = bucket_of(later_.front()->event.time);
    if (bucket - current_ >= buckets) {
      first_later_ = bucket;
      return;
    }
    put_in_wheel(pop_heap(later_), bucket);
  }
  first_later_ = std::numeric_limits<std::uint64_t>::max();
}

void Calendar::sort(Node* list) {
  for (; list != nullptr; list = list->next) sorted_.push_back(list);
  if (sorted_.size() > few) {
    std::sort(sorted_.begin(), sorted_.end(), [](Node* a, Node* b) { return earlier(b, a); });
    return;
  }
  for (std::size_t i = 1; i < sorted_.size(); ++i) {
    Node* const node = sorted_[i];
    std::size_t at = i;
    for (; at > 0 && earlier(sorted_[at - 1], node); --at) sorted_[at] = sorted_[at - 1];
    sorted_[at] = node;
  }
}

Picoseconds Calendar::next() const {
  Picoseconds first = never;
  if (!sorted_.empty()) first = sorted_.back()->event.time;
  if (!fresh_.empty()) first = std::min(first, fresh_.front()->event.time);
  if (first != never) return first;
  if (summary_ != 0) {
    for (const Node* node = wheel_[first_bucket() & mask]; node != nullptr; node = node->next)
      first = std::min(first, node->event.time);
    return first;
  }
  return later_.empty() ? never : later_.front()->event.time;
}

void Calendar::clear() {
  Event dropped;
  while (pop_through(never, dropped)) {
  }
}

}  // namespace gicsim
