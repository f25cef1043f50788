// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/connectx/ringer.cuh"

namespace gicsim::hw::connectx {
namespace {

/// A register page may be write-combining: this drains it.
void push_out() {
#if defined(__x86_64__)
  asm volatile("sfence" ::: "memory");
#elif defined(__aarch64__)
  asm volatile("dsb st" ::: "memory");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace

Ringer::Ringer(std::vector<void*> registers) : mailboxes_(registers.size() * words_of_line) {
  for (void* reg : registers) registers_.push_back(static_cast<volatile std::uint64_t*>(reg));
  thread_ = std::thread([this] { run(); });
}

Ringer::~Ringer() {
  stop_ = true;
  thread_.join();
}

void Ringer::run() {
  std::vector<std::uint64_t> rung(registers_.size(), 0);  // no doorbell is 0: it holds an opcode
  while (!stop_.load(std::memory_order_relaxed))
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      const std::uint64_t value = *static_cast<volatile std::uint64_t*>(mailbox(i));
      if (value == rung[i]) continue;
      std::atomic_thread_fence(std::memory_order_seq_cst);  // WQE and record were there before the value
      *registers_[i] = value;
      push_out();
      rung[i] = value;
    }
}

}  // namespace gicsim::hw::connectx
