// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/verbs/registered.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace gicsim::hw::verbs {
namespace {

constexpr int everything =
    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

class HostMemory final : public Memory {
 public:
  explicit HostMemory(std::size_t bytes) {
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) fail(__FILE__, __LINE__, "mmap", text_of(errno));
    data_ = static_cast<std::uint8_t*>(pages);
    size_ = bytes;
    std::memset(data_, 0, bytes);  // its pages are there before anything is timed
  }
  ~HostMemory() override { munmap(data_, size_); }
  bool gpu() const override { return false; }
  void write(std::size_t at, const void* from, std::size_t n) override { std::memcpy(data_ + at, from, n); }
  void read(std::size_t at, void* to, std::size_t n) const override { std::memcpy(to, data_ + at, n); }
  int dma_buf(std::string& why) const override {
    why = "host memory";
    return -1;
  }
};

ibv_mr* of_gpu(ibv_pd* pd, const Memory& memory) {
  std::string no_dma_buf;
  if (const int fd = memory.dma_buf(no_dma_buf); fd >= 0) {
    ibv_mr* mr =
        ibv_reg_dmabuf_mr(pd, 0, memory.size(), reinterpret_cast<std::uint64_t>(memory.data()), fd, everything);
    no_dma_buf = "ibv_reg_dmabuf_mr: " + text_of(errno);
    close(fd);  // the registration holds the buffer
    if (mr != nullptr) return mr;
  }
  if (ibv_mr* mr = ibv_reg_mr(pd, memory.data(), memory.size(), everything)) return mr;
  fail(__FILE__, __LINE__, "GPU memory can't be registered",
       "as a dma-buf: " + no_dma_buf + "; by peer memory: ibv_reg_mr: " + text_of(errno) +
           " (is nvidia_peermem loaded? 'gicsim hw doctor' looks)");
}

ibv_mr* register_memory(ibv_pd* pd, const Memory& memory) {
  if (memory.gpu()) return of_gpu(pd, memory);
  return GICSIM_VERBS_NEW(ibv_reg_mr(pd, memory.data(), memory.size(), everything));
}

}  // namespace

Registered::Registered(ibv_pd* pd, std::unique_ptr<Memory> memory)
    : memory_(std::move(memory)), mr_(register_memory(pd, *memory_)) {}

std::unique_ptr<Memory> host_memory(std::size_t bytes) { return std::make_unique<HostMemory>(bytes); }

}  // namespace gicsim::hw::verbs
