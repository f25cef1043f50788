// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/task.h"

#include <array>
#include <memory>
#include <new>
#include <vector>

namespace gicsim {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool pooled = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool pooled = false;
#else
constexpr bool pooled = true;
#endif
#else
constexpr bool pooled = true;
#endif

/// Free lists of coroutine frames in steps of 64 B; larger ones come from the heap.
class Frames {
 public:
  static constexpr std::size_t step = 64;
  static constexpr std::size_t largest = 2048;

  void* take(std::size_t size) {
    Free*& list = lists_[(size - 1) / step];
    if (list == nullptr) refill(list, (size + step - 1) / step * step);
    return std::exchange(list, list->next);
  }
  void give(void* frame, std::size_t size) {
    Free*& list = lists_[(size - 1) / step];
    list = ::new (frame) Free{list};
  }

 private:
  struct Free {
    Free* next;
  };

  void refill(Free*& list, std::size_t size) {
    constexpr std::size_t frames = 32;
    std::byte* const block = blocks_.emplace_back(new std::byte[frames * size]).get();
    for (std::size_t i = frames; i-- > 0;) list = ::new (block + i * size) Free{list};
  }

  std::array<Free*, largest / step> lists_{};
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

Frames& frames() {
  static Frames the;
  return the;
}

}  // namespace

void* Task::promise_type::operator new(std::size_t size) {
  if (!pooled || size > Frames::largest) return ::operator new(size);
  return frames().take(size);
}

void Task::promise_type::operator delete(void* p, std::size_t size) noexcept {
  if (!pooled || size > Frames::largest) return ::operator delete(p);
  frames().give(p, size);
}

}  // namespace gicsim
