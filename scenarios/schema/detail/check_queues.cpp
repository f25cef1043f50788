// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

void Checker::queues() {
  const bool gpu = builds_on_gpu(s_.path), stream = is_stream(s_.pattern) && !is_probe(s_.pattern);
  const std::string path(to_name(s_.path)), pattern(to_name(s_.pattern));
  const bool alone = s_.sharing == Sharing::exclusive;
  if (s_.cq == Cq::ring && (!gpu || !alone || s_.signal_queue == SignalQueue::other || s_.pattern == Pattern::barrier))
    wrong("cq", "ring, whose consumer index has one poller, is for gpu_direct and cpu_doorbell, with 'sharing: exclusive' and "
                "no other queue for signals; write 'cq: collapsed'");
  if (s_.shared_cq == SharedCq::on) {
    if (s_.cq != Cq::ring)
      wrong("shared_cq", "on, but the one entry of a collapsed completion queue is one queue pair's; write 'cq: ring'");
    if (s_.load > 0 || s_.qps == 1)
      wrong("shared_cq", "on, but " + (s_.load > 0 ? "queue pairs that load the machine have rings of their own; write 'load: 0'"
                                                   : std::string("there is one queue pair; write more 'qps' or 'threads'")));
    if (s_.retry > 0) wrong("shared_cq", "on, but new queue pairs for a retry have completion queues of their own; write 'retry: 0'");
  }
  if (s_.cq_initial == CqInitial::zeros && !gpu)
    wrong("cq_initial", "zeros over " + path + ", whose library prepares its queues; write 'path: gpu_direct'");
  if (s_.poller != Poller::opcode && !gpu)
    wrong("poller", std::string(to_name(s_.poller)) + " over " + path + ", where a CPU thread polls; write 'path: gpu_direct'");
  if (s_.poller == Poller::maximum && (s_.cq == Cq::ring || !alone))
    wrong("poller", "maximum, of a collapsed queue that one thread posts to; write 'cq: collapsed' and 'sharing: exclusive'");
  if (s_.reserve == Reserve::blind && (!gpu || !stream))
    wrong("reserve", "blind, but only a stream over gpu_direct or cpu_doorbell fills its queue; write 'pattern: put_bw'");
  if (s_.in_flight > 0 && !stream)
    wrong("in_flight", pattern + " has one operation outstanding; write 'pattern: put_bw' or 'message_rate'");
  if (s_.in_flight > 0 && s_.in_flight < std::max(s_.batch, s_.signal_every))
    wrong("in_flight", text::write(s_.in_flight) + ", fewer than a CQE tells of; write at least " +
                           text::write(std::max(s_.batch, s_.signal_every)));
  if (s_.signal_every > 1) {
    if (!stream || !alone || !(gpu || s_.path == Path::cpu_post))
      wrong("signal_every", "it is for a stream over gpu_direct, cpu_doorbell or cpu_post with 'sharing: exclusive'; leave it out");
    else if (s_.signal_every % s_.batch != 0)
      wrong("signal_every", text::write(s_.signal_every) + " WQEs a CQE aren't whole batches of " + text::write(s_.batch) +
                                "; write a multiple");
  }
  if (s_.wrap == Wrap::pad && (s_.path != Path::gpu_direct || !alone || s_.signal_queue == SignalQueue::other))
    wrong("wrap", "pad, which is the work of a GPU thread with a queue of its own; write 'path: gpu_direct' and "
                  "'sharing: exclusive'");
  if (s_.segments > 1 && (verb(s_) == Verb::fetch_add || verb(s_) == Verb::compare_swap || s_.payload == Payload::inlined ||
                          !(gpu || s_.path == Path::cpu_post)))
    wrong("segments", text::write(s_.segments) + ", but only a put that is read and a get over gpu_direct, cpu_doorbell or "
                          "cpu_post have a scatter list; write 'payload: read'");
  if (s_.segments > s_.bytes.count())
    wrong("segments", text::write(s_.segments) + " of " + text::write(s_.bytes) + " leave some empty; write fewer");
  if (s_.proxy_wakeup == Wakeup::event && s_.path != Path::cpu_proxy)
    wrong("proxy_wakeup", "event over " + path + ", which has no proxy; write 'path: cpu_proxy'");
  slips();
  if (s_.early_ring == EarlyRing::on && s_.path != Path::gpu_direct)
    wrong("early_ring", "on over " + path + ", where no GPU thread rings; write 'path: gpu_direct'");
  SystemSpec& system = s_.system;
  system.cq = s_.cq;
  system.cq_depth = s_.cq_depth;
  system.cq_overrun = s_.cq_overrun;
  system.record_memory = s_.record_memory;
  if (s_.mistake == Slip::ownership) s_.cq_initial = CqInitial::zeros;
  if (s_.cq == Cq::ring || s_.cq_initial != CqInitial::ones || s_.poller != Poller::opcode) system.cq_memory = s_.cq_initial;
}

void Checker::slips() {
  const std::string what(to_name(s_.mistake));
  if (s_.mistake == Slip::none) return;
  const Path wanted = s_.mistake == Slip::index_memory ? Path::cpu_doorbell : Path::gpu_direct;
  if (s_.path != wanted)
    wrong("mistake", what + " over " + std::string(to_name(s_.path)) + "; write 'path: " + std::string(to_name(wanted)) + "'");
  if ((s_.mistake == Slip::ownership || s_.mistake == Slip::consumer_index) && s_.cq != Cq::ring)
    wrong("mistake", what + ", but a collapsed completion queue has neither; write 'cq: ring'");
  if (s_.mistake == Slip::record_slot && machine() && has_nics(s_.system) &&
      s_.system.nodes[0].pairs[0].nic_queues.record == nic::DoorbellRecord::ignored)
    s_.warnings.emplace_back("mistake: record_slot changes nothing, this NIC goes by the doorbell alone; with "
                             "'nic.queues.record: read' it would");
}

}  // namespace gicsim::schema::detail
