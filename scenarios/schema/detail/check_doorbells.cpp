// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

void Checker::doorbells() {
  if (is_probe(s_.pattern)) return;
  if (s_.doorbell == Doorbell::latest_atomic && s_.doorbell_register == Register::process)
    wrong("doorbell", "latest_atomic rings beside others, but threads take turns at their process' register; write "
                      "'doorbell: latest' or 'doorbell_register: queue'");
  if (s_.role != Role::pair && !builds_on_gpu(s_.path))
    wrong("role", std::string(to_name(s_.role)) + ", but " + std::string(to_name(s_.path)) +
                      " has a queue pair a thread, and few of them; write 'path: gpu_direct' or 'cpu_doorbell'");
  if (s_.role == Role::both && s_.routes.size() > 1)
    wrong("role", "both is of one GPU and one NIC a node; write one pair in 'flows'");
  if (s_.visit == 0) return;
  if (!builds_on_gpu(s_.path) || s_.sharing != Sharing::exclusive)
    wrong("visit", "it is for threads with several queue pairs of their own; write 'path: gpu_direct' or 'cpu_doorbell', and "
                   "'sharing: exclusive'");
  else if (s_.visit % s_.batch != 0)
    wrong("visit", text::write(s_.visit) + " writes aren't whole batches of " + text::write(s_.batch) +
                       "; write a multiple of 'batch'");
}

/// In the words of those who meet it: what the verbs call answers, then which resource, then the cure.
void Checker::resources() {
  if (!machine() || is_probe(s_.pattern) || !has_nics(s_.system)) return;
  if (posters(s_) % s_.processes != 0 || s_.qps % s_.processes != 0)
    return wrong("processes", text::write(s_.processes) + ", but " + text::write(posters(s_)) + " threads and " +
                                  text::write(s_.qps) + " queue pairs don't spread evenly over them; write a divisor of both");
  const nic::LimitParams& has = s_.system.nodes[0].pairs[s_.routes[0].nic].nic_limits;
  const Count flows = std::count_if(s_.routes.begin(), s_.routes.end(),
                                    [&](const Flow& flow) { return flow.nic == s_.routes[0].nic; });
  const Count queues = s_.qps * flows;
  const bool own = s_.path == Path::gpu_direct && s_.doorbell_register == Register::queue;
  const Count pages = own ? s_.processes * pieces(Bytes(queues / s_.processes), Bytes(2)) : s_.processes;
  const Count keys = 4 * s_.processes + 2 * queues;
  const auto lacks = [&](const char* call, const std::string& what, Count needed, Count limit, const char* name,
                         const std::string& cure) {
    if (needed <= limit) return;
    wrong(given("processes") ? "processes" : "qps",
          std::string(call) + ": Cannot allocate memory (errno 12). " + text::write(s_.processes) +
              (s_.processes == 1 ? " process needs " : " processes need ") + text::write(needed) + " " + what +
              " of a NIC, which has " + text::write(limit) + " (nic.limits." + name + "); " + cure);
  };
  lacks("ibv_create_qp", "queue pairs", queues, has.queue_pairs, "queue_pairs",
        "let threads share them: write fewer 'qps' and 'sharing: handoff', or fewer processes");
  const bool rings = verb(s_) == Verb::send || s_.cq == Cq::ring || s_.record_memory != RecordMemory::queues;
  const Count room = rings ? roomy_queue_pairs - 1 : most_queue_pairs(s_.depth);
  if (queues > room)
    wrong("qps", text::write(queues) + " queue pairs of a NIC, and their queues have room for " + text::write(room) +
                     (rings ? " with receive queues, completion rings or records elsewhere; write fewer 'qps'"
                            : " of a depth of " + text::write(s_.depth) + "; write fewer 'qps', or a smaller 'depth'"));
  lacks("ibv_open_device", "doorbell pages", pages, has.doorbell_pages, "doorbell_pages",
        own ? "let the queue pairs of a process share a register: write 'doorbell_register: process'"
            : "let threads share a process: write fewer 'processes'");
  lacks("ibv_reg_mr", "memory keys", keys, has.keys, "keys",
        "each process registers its buffers and the rings of its queue pairs: let threads share a process, or a queue pair");
}

}  // namespace gicsim::schema::detail
