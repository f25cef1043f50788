// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "hw_backend/gpu/cuda.h"

namespace gicsim::hw::connectx {

/// Host pages that the GPU reaches, for rings that libmlx5 asks for through a parent domain.
class PinnedPages {
 public:
  PinnedPages() = default;
  PinnedPages(const PinnedPages&) = delete;
  PinnedPages& operator=(const PinnedPages&) = delete;
  ~PinnedPages();
  /// @throws HardwareError
  void* take(std::size_t bytes, std::size_t alignment);
  void give_back(void* pages);
  /// The GPU's address of a place in pages that take() gave. @throws HardwareError they aren't ours
  template <class T>
  T* on_gpu(T* place) const {
    return reinterpret_cast<T*>(translate(place));
  }

 private:
  struct Block {
    std::size_t bytes = 0;
    std::uint8_t* device = nullptr;
  };
  std::uint8_t* translate(const volatile void* place) const;

  std::map<std::uint8_t*, Block> blocks_;
};

/// Register pages of the NIC in the GPU's address space: each is registered once, however many queues ring in it.
class UarPages {
 public:
  UarPages() = default;
  UarPages(const UarPages&) = delete;
  UarPages& operator=(const UarPages&) = delete;
  ~UarPages();
  /// @throws HardwareError the driver doesn't allow it; says what would help
  std::uint64_t* on_gpu(void* reg);

 private:
  struct Page {
    std::uint8_t* device = nullptr;
    bool ours = true;  ///< else somebody registered it before
  };
  std::map<std::uint8_t*, Page> pages_;
};

}  // namespace gicsim::hw::connectx
