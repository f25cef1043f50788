// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>

#include "hw_backend/core/error.h"

/// A failed CUDA call throws its own name and text, with file and line.
#define GICSIM_CUDA(call)                                                                               \
  do {                                                                                                  \
    if (const cudaError_t e_ = (call); e_ != cudaSuccess)                                               \
      ::gicsim::hw::fail(__FILE__, __LINE__, #call,                                                     \
                         std::string(cudaGetErrorName(e_)) + " (" + std::to_string(static_cast<int>(e_)) + "): " + \
                             cudaGetErrorString(e_));                                                   \
  } while (false)

namespace gicsim::hw::gpu {

/// The device of this thread, for a scope.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    GICSIM_CUDA(cudaGetDevice(&before_));
    GICSIM_CUDA(cudaSetDevice(device));
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

/// n elements of GPU memory, zeroed.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t n) : size_(n) {
    GICSIM_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)));
    GICSIM_CUDA(cudaMemset(data_, 0, n * sizeof(T)));
  }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceArray() {
    if (data_ != nullptr) cudaFree(data_);
  }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void swap(DeviceArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// n elements of pinned host memory, zeroed, which every GPU may touch at the same address.
template <class T>
class HostArray {
 public:
  HostArray() = default;
  explicit HostArray(std::size_t n) : size_(n) {
    GICSIM_CUDA(cudaHostAlloc(reinterpret_cast<void**>(&data_), n * sizeof(T), cudaHostAllocPortable | cudaHostAllocMapped));
    for (std::size_t i = 0; i < n * sizeof(T); ++i) reinterpret_cast<volatile char*>(data_)[i] = 0;
  }
  HostArray(HostArray&& other) noexcept { swap(other); }
  HostArray& operator=(HostArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HostArray() {
    if (data_ != nullptr) cudaFreeHost(data_);
  }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  void swap(HostArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A stream that waits for no other.
class Stream {
 public:
  Stream() { GICSIM_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void synchronize() const { GICSIM_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace gicsim::hw::gpu
