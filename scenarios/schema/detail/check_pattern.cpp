// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/checker.h"

#include <algorithm>

#include "models/units/text.h"

namespace gicsim::schema::detail {

void Checker::probe() {
  const std::string pattern(to_name(s_.pattern));
  if (is_probe(s_.pattern) && s_.pattern != Pattern::doorbell_echo && s_.path != Path::none)
    wrong("path", std::string(to_name(s_.path)) + ", but " + pattern + " posts nothing; write 'path: none'");
  if (!is_probe(s_.pattern) && s_.path == Path::none)
    wrong("path", "none, but somebody has to post a " + pattern + "; write 'path: gpu_direct', or another one");
  if (!is_probe(s_.pattern) && machine() && !has_nics(s_.system))
    wrong("system", s_.system.name + " has no NIC, and " + pattern +
                        " needs one; write another system, or a probe: 'launch', 'copy_engine', 'host_load', "
                        "'host_store', 'fence', 'host_atomic', 'doorbell_echo'");
  if (!is_probe(s_.pattern)) return;
  if (s_.threads > 1 && s_.pattern != Pattern::host_load && s_.pattern != Pattern::host_store)
    wrong("threads", pattern + " is one thread's; write 'threads: 1'");
  if (s_.batch > 1) wrong("batch", pattern + " has one operation outstanding; write 'batch: 1'");
  if (s_.lazy_init == LazyInit::on) wrong("lazy_init", pattern + " makes no connection; write 'lazy_init: off'");
  if (both_ways(s_) && s_.staging == Staging::pageable)
    wrong("staging", "pageable, but such a copy to the host holds its caller, who would then call for the other; "
                     "write 'staging: pinned'");
}

void Checker::pattern() {
  const std::string pattern(to_name(s_.pattern)), path(to_name(s_.path));
  const Verb what = verb(s_);
  const bool nic_alone = builds_on_gpu(s_.path) || s_.path == Path::cpu_post;
  if (!carries(what) && !nic_alone && s_.path != Path::cpu_proxy && s_.path != Path::none)
    wrong(is_stream(s_.pattern) ? "operation" : "path",
          std::string(to_name(what)) + " over " + path +
              ", which only puts; write 'path: gpu_direct', 'cpu_doorbell', 'cpu_post' or 'cpu_proxy'");
  if (s_.pattern == Pattern::put_signal && !nic_alone && s_.path != Path::none)
    wrong("path", path + ", but put_signal is posted by the sender itself; write 'path: gpu_direct', 'cpu_doorbell' "
                         "or 'cpu_post'");
  if (s_.pattern == Pattern::quiet && !builds_on_gpu(s_.path) && s_.path != Path::none)
    wrong("path", path + ", where a thread has one queue pair and nothing to visit; write 'path: gpu_direct' or "
                         "'cpu_doorbell', or 'pattern: put'");
  if (is_atomic(what) && s_.bytes != 8_B)
    wrong("bytes", text::write(s_.bytes) + ", but an atomic is on 8 B; write 'bytes: 8 B'");
  if (machine() && signal(s_) == Signal::flag && inline_max() < 8_B)
    wrong("signal", "flag is written inline, which takes nic.inline_max of 8 B or more; write 'signal: atomic'");
  if (signal(s_) == Signal::immediate && s_.sharing != Sharing::exclusive)
    wrong("signal", "immediate, but receives of a queue pair that threads share can't be told apart; write "
                    "'signal: atomic' or 'flag'");
}

std::string Checker::never_inline() const {
  switch (s_.path) {
    case Path::cpu_proxy:
      return s_.system.proxy.inlines ? "" : "proxy " + s_.proxy + " doesn't inline";
    case Path::gpu_direct:
    case Path::cpu_doorbell:
      return s_.system.library.inlines ? "" : "library " + s_.library + " doesn't inline";
    case Path::cpu_post:
      if (reads_gpu(s_.gdr)) return "the payload lies in GPU memory, from which a CPU doesn't build WQEs";
      [[fallthrough]];
    case Path::host_staged: return s_.system.verbs.inlines ? "" : "verbs " + s_.verbs + " doesn't inline";
    case Path::stream_triggered: return "the WQE is built before the payload is there";
    case Path::none: return "";
  }
  return "";
}

void Checker::payload() {
  if (!machine() || is_probe(s_.pattern)) return;
  if (!carries(verb(s_))) {
    if (given("payload") && s_.payload == Payload::inlined)
      wrong("payload", "inline, but a " + std::string(to_name(verb(s_))) + " sends none; leave it out");
    s_.payload = Payload::read;
    return;
  }
  const bool proxied = s_.path == Path::cpu_proxy;
  const Bytes most = proxied ? std::min(paths::request_inline, inline_max()) : inline_max();
  const std::string never = never_inline();
  if (!given("payload")) {
    s_.payload = never.empty() && s_.bytes <= most ? Payload::inlined : Payload::read;
  } else if (s_.payload == Payload::inlined && never.empty() && s_.bytes > most) {
    wrong("payload", "inline, but " + text::write(s_.bytes) + " is more than " +
                         (proxied ? "a request to a proxy carries (" : "nic.inline_max (") +
                         text::write(most) + "); write 'payload: read' or fewer bytes");
  } else if (s_.payload == Payload::inlined && !never.empty()) {
    wrong("payload", "inline, but " + never + "; write 'payload: read'");
  }
}

void Checker::receiver() {
  if (s_.path != Path::cpu_post) return;
  const bool reply = s_.pattern == Pattern::ping_pong;
  if (!given("receiver")) {
    s_.receiver = writes_gpu(s_.gdr) && !reply ? Receiver::gpu : Receiver::cpu;
  } else if (s_.receiver == Receiver::gpu && reply) {
    wrong("receiver", "gpu, but the CPU thread that sees the ping posts the reply; write 'receiver: cpu'");
  } else if (s_.receiver == Receiver::gpu && !writes_gpu(s_.gdr)) {
    wrong("receiver", "gpu, but the data land in host memory; write 'receiver: cpu', or 'gdr: both' or 'write'");
  }
}

}  // namespace gicsim::schema::detail
