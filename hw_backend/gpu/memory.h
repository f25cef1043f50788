// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace gicsim::hw {

/// Memory that a NIC is given, zeroed, whosever it is. All that verbs know of CUDA.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  virtual bool gpu() const = 0;
  virtual void write(std::size_t at, const void* from, std::size_t n) = 0;
  virtual void read(std::size_t at, void* to, std::size_t n) const = 0;
  /// A file descriptor of all of it, the caller's to close; below 0: `why` says why not
  virtual int dma_buf(std::string& why) const = 0;

 protected:
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

/// @throws HardwareError out of memory; built without CUDA
std::unique_ptr<Memory> gpu_memory(int gpu, std::size_t bytes);

}  // namespace gicsim::hw
