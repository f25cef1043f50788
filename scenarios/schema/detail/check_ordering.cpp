// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

void Checker::ordering() {
  const std::string path(to_name(s_.path));
  if (s_.signal_queue == SignalQueue::other) {
    if (s_.pattern != Pattern::put_signal)
      wrong("signal_queue", "other, but nothing signals; write 'pattern: put_signal'");
    else if (s_.path != Path::gpu_direct)
      wrong("signal_queue", "other over " + path + ", where a thread has one queue pair; write 'path: gpu_direct'");
    else if (s_.signal == Signal::immediate)
      wrong("signal_queue", "other, but an immediate travels in the put; write 'signal: atomic' or 'flag'");
    else if (s_.qps != 2 * s_.threads)
      wrong("qps", text::write(s_.qps) + ", but each thread has two, one for signals; write 'qps: " +
                       text::write(2 * s_.threads) + "' or leave it out");
  }
  if (s_.flush != Flush::none && (s_.path != Path::cpu_post || s_.receiver != Receiver::cpu || !writes_gpu(s_.gdr)))
    wrong("flush", std::string(to_name(s_.flush)) + ", which a CPU thread asks for that has been told of data in GPU memory; write "
                   "'path: cpu_post', 'receiver: cpu' and 'gdr: both' or 'write'");
  if (s_.flush == Flush::other_nic && machine() && s_.system.nics < 2)
    wrong("flush", "other_nic, but " + s_.system.name + " has one NIC a node; write 'flush: loopback', or another system");
  const bool polls_data = verb(s_) == Verb::put && !signal(s_) && !is_stream(s_.pattern) && !is_probe(s_.pattern);
  if (polls_data && s_.system.spread.write_commit && s_.relaxed_ordering != RelaxedOrdering::off)
    s_.warnings.emplace_back(
        "relaxed_ordering: the receiver polls the last bytes of data that may become visible in any order, a data race; "
        "write 'off', or 'pattern: put_signal'");
}

}  // namespace gicsim::schema::detail
