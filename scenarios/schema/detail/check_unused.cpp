// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/checker.h"

namespace gicsim::schema::detail {

void Checker::unused() {
  const auto warn = [&](std::string_view key, std::string_view why) {
    if (given(key) && !is_default(key))
      s_.warnings.push_back(std::string(key) + ": changes nothing, " + std::string(why));
  };
  if (!shows_gpu_memory()) warn("registered", "no NIC touches GPU memory");
  if (s_.storage == Storage::off)
    for (const char* key : {"storage_memory", "storage_bytes", "storage_depth"}) warn(key, "storage is off");
  if (s_.copy_load == CopyLoad::off) warn("copy_load_bytes", "copy_load is off");
  if (s_.word_load == WordLoad::off) warn("word_load_gap", "word_load is off");
  if (s_.cpu_load == Probability{}) warn("cpu_load_at", "cpu_load is 0");
  if (s_.load == 0)
    for (const char* key : {"load_bytes", "load_gap", "probe"}) warn(key, "load is 0");
  if (s_.traffic != Traffic::incast) warn("senders", "traffic is not incast");
  if (s_.traffic != Traffic::shift) warn("shift", "traffic is not shift");
  if (!is_stream(s_.pattern) || is_dma(s_.pattern)) warn("stagger", "pattern is no stream of puts");
  if (s_.pattern != Pattern::atomic) warn("atomic", "pattern is not atomic");
  if (s_.pattern != Pattern::put_signal) warn("signal", "pattern is not put_signal");
  if (s_.pattern != Pattern::put_signal) warn("signal_queue", "pattern is not put_signal");
  if (is_probe(s_.pattern))
    for (const char* key : {"relaxed_ordering", "placement", "poll_load", "flush"}) warn(key, "nothing is posted");
  if (s_.receiver == Receiver::cpu && s_.path == Path::cpu_post) warn("poll_load", "a CPU thread polls");
  if (s_.pattern != Pattern::quiet) warn("scope", "pattern is not quiet");
  if ((!is_stream(s_.pattern) || is_dma(s_.pattern)) && verb(s_) != Verb::send)
    warn("operation", "pattern is neither put_bw nor message_rate");
  if (s_.transport != Transport::dc) warn("targets", "transport is not dc");
  if (!is_atomic(verb(s_))) warn("word", "there is no atomic");
  if (is_probe(s_.pattern)) warn("transport", "nothing is posted");
  if (s_.pattern != Pattern::barrier) warn("barrier", "pattern is not barrier");
  if (s_.cq != Cq::ring)
    for (const char* key : {"cq_depth", "cq_overrun", "shared_cq"}) warn(key, "cq is collapsed");
  if (s_.sharing != Sharing::handoff) warn("doorbell", "it is for sharing: handoff");
  if (!is_stream(s_.pattern) || is_dma(s_.pattern))
    for (const char* key : {"role", "visit"}) warn(key, "pattern is neither put_bw nor message_rate");
  if (s_.path != Path::gpu_direct)
    for (const char* key : {"record", "doorbell_register"}) warn(key, "no GPU thread rings");
  if (s_.pattern != Pattern::launch)
    for (const char* key : {"grid", "block_threads", "block_registers", "block_shared", "stream_priority"})
      warn(key, "no kernel is launched: pattern is not launch");
  const bool probe = is_probe(s_.pattern);
  const bool gpu_builds = builds_on_gpu(s_.path);
  const bool copies = s_.path == Path::host_staged || s_.pattern == Pattern::copy_engine;
  const std::string_view why = s_.path == Path::cpu_proxy ? "the proxy's CPU thread posts"
                               : probe                    ? "nothing is posted"
                               : s_.path == Path::stream_triggered ? "a CPU thread builds the WQEs"
                                                                   : "a CPU thread posts";
  if (!gpu_builds) {
    warn("ordering", why);
    warn("queues", s_.path == Path::cpu_proxy ? "a proxy's queues lie in host memory"
                   : probe                    ? why
                                              : "a CPU thread's queues lie in host memory");
    warn("sharing", s_.path == Path::cpu_proxy ? "it is of queue pairs that GPU threads post to; see rings" : why);
    warn("library", s_.path == Path::cpu_proxy ? "the proxy's profile holds the GPU's instructions too" : why);
  }
  if (s_.path != Path::cpu_proxy)
    for (const char* key : {"proxy", "workers", "rings"}) warn(key, "path is not cpu_proxy");
  if (!uses_verbs(s_.path)) warn("verbs", "no CPU thread of this path calls verbs");
  if (!uses_runtime(s_)) warn("runtime", "no CPU thread of this run calls the CUDA runtime");
  if (s_.path != Path::cpu_post) {
    warn("gdr", "path is not cpu_post");
    warn("receiver", "path is not cpu_post");
  }
  if (!copies) warn("staging", "nothing is copied: path is not host_staged, pattern not copy_engine");
  if (!is_gpu_probe(s_.pattern)) warn("memory", "pattern is no probe of the GPU");
  if (s_.pattern != Pattern::fence)
    for (const char* key : {"semantics", "fence_scope", "stores"}) warn(key, "pattern is not fence");
  if (s_.pattern != Pattern::host_load || streams(s_))
    for (const char* key : {"footprint", "stride"}) warn(key, "no dependent loads: pattern is not host_load of one thread");
  if (!is_dma(s_.pattern))
    for (const char* key : {"window", "access", "cache"}) warn(key, "pattern is none of a DMA device");
  if (s_.pattern != Pattern::copy_engine) warn("direction", "pattern is not copy_engine");
  if (probe) {
    warn("payload", why);
    warn("qps", why);
    warn("depth", why);
  }
  if (s_.pattern == Pattern::launch) warn("bytes", "a launch moves none");
  if (s_.pattern == Pattern::fence) warn("bytes", "a fence moves none");
}

}  // namespace gicsim::schema::detail
