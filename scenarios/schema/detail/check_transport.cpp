// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

void Checker::transport() {
  const Verb what = verb(s_);
  const bool send = what == Verb::send, nic_alone = s_.path == Path::gpu_direct || s_.path == Path::cpu_post;
  if (s_.operation == Verb::send && !nic_alone && !is_probe(s_.pattern))
    wrong("operation", "send over " + std::string(to_name(s_.path)) + ", which posts no receives; write 'path: gpu_direct' or "
                       "'cpu_post'");
  if (send && s_.sharing != Sharing::exclusive)
    wrong("sharing", std::string(to_name(s_.sharing)) + ", but receives of a queue pair that threads share can't be told "
                     "apart; write 'sharing: exclusive'");
  if (send && s_.depth > 16'384) wrong("depth", text::write(s_.depth) + ", and a receive queue holds 16384; write that");
  if (s_.transport == Transport::ud && !send)
    wrong("transport", "ud, which only sends; write 'operation: send', or 'transport: rc'");
  if (s_.transport == Transport::ud && machine() && has_nics(s_.system) && s_.bytes > s_.system.nodes[0].pairs[0].nic.mtu)
    wrong("bytes", text::write(s_.bytes) + ", and a datagram is one packet of at most " +
                       text::write(s_.system.nodes[0].pairs[0].nic.mtu) + " (nic.mtu); write that, or 'transport: rc'");
  if (s_.transport == Transport::dc && !nic_alone && s_.path != Path::cpu_doorbell && !is_probe(s_.pattern))
    wrong("transport", "dc over " + std::string(to_name(s_.path)) + "; write 'path: gpu_direct', 'cpu_doorbell' or 'cpu_post'");
  if (s_.transport == Transport::dc && send)
    wrong("transport", "dc, whose shared receive queues aren't modelled; write another 'operation', or 'transport: rc'");
  if (s_.transport == Transport::dc && schema::signal(s_) == Signal::immediate)
    wrong("signal", "immediate over dc, whose shared receive queues aren't modelled; write 'signal: atomic' or 'flag'");
  if (s_.targets > s_.qps) wrong("targets", text::write(s_.targets) + ", but the far side has " + text::write(s_.qps) +
                                            " queue pairs; write at most that, or more 'threads'");
  if (machine() && s_.word == Word::device && has_nics(s_.system) &&
      s_.system.nodes.back().pairs[0].nic_transport.device_memory < 8_B)
    wrong("word", "device, but the far NIC has none (nic.transport.device_memory)");
  const bool none = s_.path == Path::cpu_proxy || s_.path == Path::cpu_doorbell || s_.path == Path::stream_triggered;
  if (s_.wrong == Wrong::none) return;
  if (none || is_probe(s_.pattern))
    return wrong("wrong", std::string(to_name(s_.wrong)) + ", but only what gpu_direct, cpu_post and host_staged post can be "
                          "wrong; write 'path: gpu_direct'");
  const bool told = send || signal(s_) == Signal::immediate;
  switch (s_.wrong) {
    case Wrong::rkey:
    case Wrong::range:
    case Wrong::access:
      if (send) wrong("wrong", std::string(to_name(s_.wrong)) + ", but a SEND names no memory of the far side; write 'lkey', "
                               "'length' or 'receive'");
      break;
    case Wrong::lkey:
      if (carries(what) && s_.payload == Payload::inlined)
        wrong("wrong", "lkey, but the payload is in the WQE, which names no memory; write 'payload: read'");
      break;
    case Wrong::length:
      if (!send) wrong("wrong", "length, but only a SEND is as long as its receive allows; write 'operation: send'");
      break;
    case Wrong::receive:
      if (!told) wrong("wrong", "receive, but nothing here consumes one; write 'operation: send'");
      break;
    case Wrong::none:
    case Wrong::pd:
    case Wrong::state: break;
  }
}

}  // namespace gicsim::schema::detail
