// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/keys.h"

#include "models/units/text.h"

namespace gicsim::whatif {

Words pattern_keys(const schema::Scenario& s) {
  if (s.pattern == Pattern::atomic) return {{"atomic", std::string(to_name(s.atomic))}};
  if (s.pattern == Pattern::barrier)
    return {{"barrier", std::string(to_name(s.barrier))}, {"nodes", text::write(static_cast<Count>(s.system.nodes.size()))}};
  if (s.pattern == Pattern::put_signal) return {{"signal", std::string(to_name(s.signal))}};
  if (s.pattern == Pattern::fence)
    return {{"semantics", std::string(to_name(s.semantics))},
            {"fence_scope", std::string(to_name(s.fence_scope))},
            {"memory", std::string(to_name(s.memory))}};
  if (is_dma(s.pattern))
    return {{"window", text::write(s.window)},
            {"access", std::string(to_name(s.access))},
            {"cache", std::string(to_name(s.cache))}};
  if (is_gpu_probe(s.pattern) && s.pattern != Pattern::doorbell_echo)
    return {{"memory", std::string(to_name(s.memory))}};
  if (s.pattern == Pattern::quiet) return {{"scope", std::string(to_name(s.scope))}};
  if ((is_stream(s.pattern) || schema::verb(s) == Verb::send) && s.operation != Verb::put) return {{"operation", std::string(to_name(s.operation))}};
  return {};
}

Words path_keys(const schema::Scenario& s) {
  Words keys;
  if (is_gpu_probe(s.pattern) || is_dma(s.pattern)) return keys;
  const auto add = [&](const char* key, std::string_view value) { keys.emplace_back(key, std::string(value)); };
  switch (s.path) {
    case Path::gpu_direct:
    case Path::cpu_doorbell:
      add("ordering", to_name(s.ordering));
      add("library", s.library);
      add("queues", to_name(s.queues));
      if (s.sharing != Sharing::exclusive) add("sharing", to_name(s.sharing));
      if (s.path == Path::cpu_doorbell) add("verbs", s.verbs);
      break;
    case Path::cpu_proxy: add("proxy", s.proxy); break;
    case Path::cpu_post:
      add("verbs", s.verbs);
      add("gdr", to_name(s.gdr));
      if (carries(schema::verb(s))) add("receiver", to_name(s.receiver));
      break;
    case Path::host_staged:
      add("verbs", s.verbs);
      add("runtime", s.runtime);
      add("staging", to_name(s.staging));
      break;
    case Path::stream_triggered:
      add("verbs", s.verbs);
      add("runtime", s.runtime);
      break;
    case Path::none:
      add("runtime", s.runtime);
      if (s.grid > 1) add("grid", text::write(s.grid));
      if (s.block_threads > 1) add("block_threads", text::write(s.block_threads));
      if (s.block_registers != 32) add("block_registers", text::write(s.block_registers));
      if (s.block_shared > Bytes{}) add("block_shared", text::write(s.block_shared));
      if (s.stream_priority != StreamPriority::normal) add("stream_priority", to_name(s.stream_priority));
      if (s.pattern != Pattern::copy_engine) break;
      add("direction", to_name(s.direction));
      add("staging", to_name(s.staging));
      break;
  }
  if (is_probe(s.pattern)) return keys;
  if (carries(schema::verb(s))) add("payload", to_name(s.payload));
  if (s.transport != Transport::rc) add("transport", to_name(s.transport));
  if (s.targets > 1) keys.emplace_back("targets", text::write(s.targets));
  if (s.wrong != Wrong::none) add("wrong", to_name(s.wrong));
  if (s.word != Word::own) add("word", to_name(s.word));
  if (s.word_load != WordLoad::off) add("word_load", to_name(s.word_load));
  if (s.relaxed_ordering != RelaxedOrdering::data) add("relaxed_ordering", to_name(s.relaxed_ordering));
  if (s.placement != Placement::in_order) add("placement", to_name(s.placement));
  if (s.signal_queue != SignalQueue::same) add("signal_queue", to_name(s.signal_queue));
  if (s.poll_load != PollLoad::uncached) add("poll_load", to_name(s.poll_load));
  if (s.flush != Flush::none) add("flush", to_name(s.flush));
  if (s.lazy_init == LazyInit::on) add("lazy_init", to_name(s.lazy_init));
  for (auto& word : queue_keys(s)) keys.push_back(std::move(word));
  return keys;
}

Words load_keys(const schema::Scenario& s) {
  Words keys;
  if (s.push != Push::off) keys.emplace_back("push", std::string(to_name(s.push)));
  if (s.doorbell != Doorbell::batch) keys.emplace_back("doorbell", std::string(to_name(s.doorbell)));
  if (s.record != RecordOrder::before) keys.emplace_back("record", std::string(to_name(s.record)));
  if (s.doorbell_register != Register::queue)
    keys.emplace_back("doorbell_register", std::string(to_name(s.doorbell_register)));
  if (s.role != Role::pair) keys.emplace_back("role", std::string(to_name(s.role)));
  if (s.visit > 0) keys.emplace_back("visit", text::write(s.visit));
  if (s.processes > 1) keys.emplace_back("processes", text::write(s.processes));
  if (s.beside != "none") keys.emplace_back("beside", s.beside);
  if (s.copy_load != CopyLoad::off) keys.emplace_back("copy_load", std::string(to_name(s.copy_load)));
  if (s.storage != Storage::off) {
    keys.emplace_back("storage", std::string(to_name(s.storage)));
    keys.emplace_back("storage_memory", std::string(to_name(s.storage_memory)));
  }
  if (s.cpu_load > Probability{}) {
    keys.emplace_back("cpu_load", text::write(s.cpu_load));
    keys.emplace_back("cpu_load_at", std::string(to_name(s.cpu_load_at)));
  }
  const schema::Scenario usual{};
  if (s.traffic != usual.traffic) keys.emplace_back("traffic", std::string(to_name(s.traffic)));
  if (s.traffic == Traffic::shift) keys.emplace_back("shift", text::write(s.shift));
  if (s.senders != usual.senders) keys.emplace_back("senders", text::write(s.senders));
  if (s.stagger != usual.stagger) keys.emplace_back("stagger", text::write(s.stagger));
  if (s.service_levels != usual.service_levels) keys.emplace_back("service_levels", s.service_levels);
  if (s.dcqcn != usual.dcqcn) keys.emplace_back("dcqcn", s.dcqcn);
  if (s.ib_cc != usual.ib_cc) keys.emplace_back("ib_cc", std::string(to_name(s.ib_cc)));
  return keys;
}

std::vector<std::pair<std::string, Record::Plain>> where(const schema::Scenario& s) {
  std::vector<std::pair<std::string, Record::Plain>> keys;
  if (s.pattern != Pattern::launch && s.pattern != Pattern::fence) keys.emplace_back("bytes", s.bytes.count());
  if (s.pattern == Pattern::fence) keys.emplace_back("stores", s.stores);
  for (auto& [key, value] : pattern_keys(s)) keys.emplace_back(key, std::move(value));
  for (auto& [key, value] : path_keys(s)) keys.emplace_back(key, std::move(value));
  for (auto& [key, value] : load_keys(s)) keys.emplace_back(key, std::move(value));
  if (is_gpu_probe(s.pattern) && schema::streams(s))
    keys.emplace_back("threads", s.threads), keys.emplace_back("sms", s.sms);
  if (is_probe(s.pattern)) return keys;
  if (s.path == Path::cpu_proxy) keys.emplace_back("workers", s.workers), keys.emplace_back("rings", s.rings);
  keys.emplace_back("threads", s.threads);
  keys.emplace_back("sms", s.sms);
  keys.emplace_back("qps", s.qps);
  keys.emplace_back("batch", s.batch);
  if (s.load > 0) keys.emplace_back("load", s.load), keys.emplace_back("probe", std::string(to_name(s.probe)));
  return keys;
}

}  // namespace gicsim::whatif
