// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

void Checker::loads() {
  if (s_.storage != Storage::off && machine() && s_.system.dmas == 0)
    wrong("storage", std::string(to_name(s_.storage)) + ", but " + s_.system.name +
                         " has no storage; write a system whose tree has a 'dma0'");
  word_load();
  if (!machine() || s_.system.gpus == 0) return;
  blocks();
  const gpu::GpuParams& gpu = s_.system.nodes[0].pairs[0].gpu;
  if (s_.system.kernel_beside && s_.system.beside.memory_rate >= gpu.memory_rate)
    wrong("beside", s_.beside + " takes " + text::write(s_.system.beside.memory_rate) +
                        " of memory bandwidth (beside.memory_rate), and gpu.memory_rate is " +
                        text::write(gpu.memory_rate) + "; write 'beside.memory_rate' below that under 'set'");
}

/// A kernel that never begins: a block that no multiprocessor holds, or, as all blocks of a launched one have to be there
/// at once, too many.
void Checker::blocks() {
  const gpu::MultiprocessorParams& sm = s_.system.nodes[0].pairs[0].sm;
  if (s_.system.kernel_beside && s_.system.beside.blocks > 0 &&
      gpu::Multiprocessors::room(sm, gpu::grid(s_.system.beside).needs) == 0)
    wrong("beside", s_.beside + ", whose blocks no multiprocessor of this GPU holds (gpu.sm.threads, registers, "
                                "shared_memory); write smaller beside.block_* under 'set'");
  if (s_.pattern != Pattern::launch) return;
  const gpu::Grid grid = launched(s_);
  const Count each = gpu::Multiprocessors::room(sm, grid.needs);
  if (grid.blocks > each * sm.count)
    wrong("grid", text::write(grid.blocks) + " blocks, which have to be resident at once, but " + text::write(sm.count) +
                      " multiprocessors hold " + text::write(each) + " of them each; write at most 'grid: " +
                      text::write(each * sm.count) + "', or smaller blocks");
}

/// Its thread adds where the first thread's atomics go, in the memory that it shares with no bus between.
void Checker::word_load() {
  if (s_.word_load == WordLoad::off) return;
  const std::string who(to_name(s_.word_load));
  if (!is_atomic(verb(s_)) || is_probe(s_.pattern))
    return wrong("word_load", who + ", but no atomic goes to a word; write 'pattern: atomic', or 'operation: fetch_add'");
  if (s_.word == Word::device)
    wrong("word_load", who + ", but the word lies in the NIC's own memory, which only that NIC changes; write 'word: own'");
  if (s_.traffic != Traffic::pair) wrong("word_load", who + ", of which there is one; write 'traffic: pair'");
  const bool in_host = s_.path == Path::cpu_post && !writes_gpu(s_.gdr);
  if ((s_.word_load == WordLoad::cpu) != in_host)
    wrong("word_load", who + ", but the word lies in " + (in_host ? "host" : "GPU") + " memory; write 'word_load: " +
                           (in_host ? "cpu'" : "gpu', or 'path: cpu_post' with 'gdr: none'"));
}

void Checker::pushes() {
  if (s_.push == Push::off) return;
  if (s_.path != Path::gpu_direct || is_probe(s_.pattern))
    return wrong("push", std::string(to_name(s_.push)) + ", but no GPU thread posts here; write 'path: gpu_direct' (a "
                         "CPU thread pushes by itself: verbs.blueflame, proxy.blueflame)");
  if (s_.batch > 1)
    wrong("push", std::string(to_name(s_.push)) + ", but " + text::write(s_.batch) +
                      " WQEs share a doorbell, which can't carry them; write 'batch: 1'");
  if (s_.sharing != Sharing::exclusive)
    wrong("push", std::string(to_name(s_.push)) + ", but who rings for a shared queue rings for others' WQEs, too; "
                                                  "write 'sharing: exclusive'");
}

bool Checker::shows_gpu_memory() const {
  return s_.path != Path::none && s_.path != Path::host_staged && (s_.path != Path::cpu_post || s_.gdr != Gdr::none);
}

/// In the words of those who meet it: what ibv_reg_mr answers, then why.
void Checker::windows() {
  if (!machine() || is_probe(s_.pattern) || !has_nics(s_.system)) return;
  const bool get = verb(s_) == Verb::get;
  if (!shows_gpu_memory()) return;
  const gpu::GpuParams& gpu = s_.system.nodes[0].pairs[0].gpu;
  if (!gpu.peer_memory)
    wrong("path", std::string(to_name(s_.path)) + (get ? " reads into" : " uses") +
                      " GPU memory, and gpu.peer_memory is false: ibv_reg_mr failed: errno 14 (Bad address). The NIC's "
                      "driver can't pin that memory; load nvidia-peermem, or register a dma-buf (write "
                      "'gpu.peer_memory: true'), or take a path through host memory ('host_staged', 'cpu_post' with "
                      "'gdr: none')");
  const Bytes buffers = 2 * ((pieces(longest(s_), 4_KiB) * 4_KiB + 4_KiB) * posters(s_));
  const Bytes all = std::max(s_.registered, buffers);
  if (all <= gpu.bar1_size) return;
  wrong(s_.registered > Bytes{} ? "registered" : "bytes",
        text::write(all) + " of GPU memory to register, but its window (gpu.bar1_size) is " +
            text::write(gpu.bar1_size) +
            ": ibv_reg_mr: Cannot allocate memory (errno 12). Only what BAR 1 shows has an address on the bus; enable a "
            "resizable BAR in the firmware, or register less");
}

}  // namespace gicsim::schema::detail
