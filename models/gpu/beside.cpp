// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/beside.h"

namespace gicsim::gpu {

Cycles shared(Cycles alone, Probability issue_left) {
  const detail::Wide all = static_cast<detail::Wide>(alone.count()) * Probability::certain;
  return Cycles(static_cast<std::int64_t>((all + issue_left.raw() - 1) / issue_left.raw()));
}

void beside(const BesideParams& kernel, GpuParams& gpu, FrontEndParams& front_end, CopyEngineParams& copy_engine) {
  gpu.clock = Frequency::hertz(static_cast<std::int64_t>(static_cast<detail::Wide>(gpu.clock.hertz()) *
                                                         kernel.clock_left.raw() / Probability::certain));
  for (Cycles* issued : {&gpu.store_issue, &gpu.wqe_build, &gpu.inline_load, &gpu.poll_loop})
    *issued = shared(*issued, kernel.issue_left);
  for (Cycles* trip : {&gpu.l2_load, &gpu.atomic}) *trip = *trip + kernel.load;
  for (Picoseconds* fence : {&gpu.fence_gpu, &gpu.fence_gpu_sc}) *fence += kernel.fence_gpu;
  for (Picoseconds* fence : {&gpu.fence_system, &gpu.fence_system_sc}) *fence += kernel.fence_system;
  gpu.memory_rate = BitRate::bits_per_second(gpu.memory_rate.bits_per_second() - kernel.memory_rate.bits_per_second());
  front_end.kernel_start += kernel.command + kernel.kernel_start;
  front_end.kernel_end += kernel.kernel_end;
  front_end.write += kernel.command;
  copy_engine.start += kernel.command;
}

}  // namespace gicsim::gpu
