// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

void Checker::gpu_probe() {
  if (!is_gpu_probe(s_.pattern)) return;
  const bool echo = s_.pattern == Pattern::doorbell_echo;
  if (echo && s_.path != Path::gpu_direct)
    wrong("path", std::string(to_name(s_.path)) + ", but it is a GPU thread that rings; write 'path: gpu_direct'");
  if (echo && s_.memory != Memory::host)
    wrong("memory", "hbm, but it is a CPU thread that looks; write 'memory: host'");
  if (s_.pattern == Pattern::host_atomic && s_.bytes != 4_B && s_.bytes != 8_B)
    wrong("bytes", text::write(s_.bytes) + ", but an atomic is on 4 or 8 B; write 'bytes: 8 B'");
  if ((s_.pattern == Pattern::host_load || s_.pattern == Pattern::host_store) && s_.bytes > 16_B)
    wrong("bytes", text::write(s_.bytes) + ", but one instruction moves 16 B at most; write 'bytes: 16 B'");
  if (!streams(s_)) return;
  if (s_.threads > warp_lanes && s_.threads % (warp_lanes * s_.sms) != 0)
    wrong("threads", text::write(s_.threads) + " threads aren't whole warps of 32 on " + text::write(s_.sms) +
                         " multiprocessors; write a multiple of " + text::write(warp_lanes * s_.sms));
  if (s_.memory != Memory::host)
    wrong("memory", "hbm, but only host memory is streamed from or to; write 'memory: host', or 'threads: 1'");
}

}  // namespace gicsim::schema::detail
