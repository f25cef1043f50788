// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/checks.h"

#include <algorithm>

#include "models/nic/queue_pair.h"
#include "models/units/text.h"
#include "scenarios/schema/block.h"
#include "scenarios/schema/detail/drops.h"

namespace gicsim::schema::detail {
namespace {

bool uses_verbs(Path path) {
  return path == Path::cpu_post || path == Path::cpu_doorbell || path == Path::host_staged ||
         path == Path::stream_triggered;
}
bool uses_runtime(const Scenario& s) {
  return s.path == Path::host_staged || s.path == Path::stream_triggered ||
         (is_probe(s.pattern) && !is_gpu_probe(s.pattern));
}

class Checker {
 public:
  Checker(Scenario& scenario, const Keys& keys, Mistakes& mistakes)
      : s_(scenario), keys_(keys), mistakes_(mistakes) {}

  bool given(std::string_view key) const { return keys_.find(key) != keys_.end(); }

  bool is_default(std::string_view key) const {
    const Field& field =
        scenario_block().fields[static_cast<std::size_t>(scenario_block().find(key))];
    return field.write(&s_) == field.default_text;
  }

  void wrong(std::string_view key, const std::string& what) {
    const auto found = keys_.find(key);
    const Location at = found == keys_.end() ? Location{s_.file, 1, 1} : found->second.at;
    mistakes_.push_back({at, std::string(key) + ": " + what});
  }

  bool machine() const { return !s_.system.nodes.empty() && !s_.system.nodes[0].pairs.empty(); }
  Bytes inline_max() const { return machine() ? s_.system.nodes[0].pairs[0].nic.inline_max : Bytes{}; }

  /// What keeps this path's poster from putting a payload into the WQE; empty: nothing.
  std::string never_inline() const {
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

  /// Whether the path has what the pattern asks for.
  void pattern() {
    const std::string pattern(to_name(s_.pattern)), path(to_name(s_.path));
    const Verb what = verb(s_);
    const bool nic_alone = builds_on_gpu(s_.path) || s_.path == Path::cpu_post;
    if (what != Verb::put && !nic_alone && s_.path != Path::cpu_proxy && s_.path != Path::none)
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

  void payload() {
    if (!machine() || is_probe(s_.pattern)) return;
    if (verb(s_) != Verb::put) {
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

  /// Data in GPU memory are polled for by a GPU thread, unless the one who polls has to answer.
  void receiver() {
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

  /// Entries of the send queue that one operation takes; a proxy posts WQEs of one.
  Count units_of_a_wqe() const {
    const bool in = s_.path != Path::cpu_proxy && s_.payload == Payload::inlined && s_.bytes <= inline_max();
    const bool behind = signal(s_) && *signal(s_) != Signal::immediate;
    return nic::wqe_units(in, s_.bytes) + (behind ? 1 : 0);
  }

  void probe() {
    const std::string pattern(to_name(s_.pattern));
    const Path own = s_.pattern == Pattern::doorbell_echo ? Path::gpu_direct : Path::none;
    if (is_probe(s_.pattern) && s_.path != own && own == Path::gpu_direct)
      wrong("path", std::string(to_name(s_.path)) + ", but it is a GPU thread that rings; write 'path: gpu_direct'");
    else if (is_probe(s_.pattern) && s_.path != own)
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
    if (s_.pattern == Pattern::doorbell_echo && s_.memory != Memory::host)
      wrong("memory", "hbm, but it is a CPU thread that looks; write 'memory: host'");
    if (s_.pattern == Pattern::host_atomic && s_.bytes != 4_B && s_.bytes != 8_B)
      wrong("bytes", text::write(s_.bytes) + ", but an atomic is on 4 or 8 B; write 'bytes: 8 B'");
    if ((s_.pattern == Pattern::host_load || s_.pattern == Pattern::host_store) && s_.bytes > 16_B)
      wrong("bytes", text::write(s_.bytes) + ", but one instruction moves 16 B at most; write 'bytes: 16 B'");
    if (s_.batch > 1) wrong("batch", pattern + " has one operation outstanding; write 'batch: 1'");
    if (schema::streams(s_) && s_.threads > 32 && s_.threads % (32 * s_.sms) != 0)
      wrong("threads", text::write(s_.threads) + " threads aren't whole warps of 32 on " + text::write(s_.sms) +
                           " multiprocessors; write a multiple of " + text::write(32 * s_.sms));
    if (schema::streams(s_) && s_.memory != Memory::host)
      wrong("memory", "hbm, but only host memory is streamed from or to; write 'memory: host', or 'threads: 1'");
    if (s_.lazy_init == LazyInit::on) wrong("lazy_init", pattern + " makes no connection; write 'lazy_init: off'");
    if (both_ways(s_) && s_.staging == Staging::pageable)
      wrong("staging", "pageable, but such a copy to the host holds its caller, who would then call for the other; "
                       "write 'staging: pinned'");
  }

  void work() {
    if (is_probe(s_.pattern)) return;
    const std::string pattern(to_name(s_.pattern));
    const Count units = s_.batch * units_of_a_wqe();
    if (units > s_.depth)
      wrong("batch",
            text::write(s_.batch) + " WQEs" +
                (units > s_.batch ? (signal(s_) ? " and a signal, " : " with " + text::write(s_.bytes) + " inline, ") +
                                        text::write(units) + " entries,"
                                  : "") +
                " don't fit a send queue of " + text::write(s_.depth) + "; write a smaller batch, or a larger depth");
    if (!given("rings")) s_.rings = sharers();
    if (!given("qps")) s_.qps = s_.path == Path::cpu_proxy ? s_.rings : sharers();
    sharing();
    load();
    if (!is_stream(s_.pattern) && s_.batch > 1 && s_.sharing != Sharing::warp && s_.load == 0)
      wrong("batch", pattern +
                         " has one operation outstanding; write 'batch: 1' or "
                         "'pattern: put_bw'");
    const Bytes buffers = (pieces(longest(s_), 4_KiB) * 4_KiB + 4_KiB) * posters(s_);
    if (buffers > 1024 * 1_GiB)
      wrong("threads", text::write(posters(s_)) + " buffers of " + text::write(longest(s_)) +
                           " are more than a GPU's window of 1 TiB holds; write fewer threads or bytes");
    if (s_.threads % s_.sms != 0)
      wrong("sms", text::write(s_.threads) + " threads don't spread evenly over " + text::write(s_.sms) +
                       " multiprocessors; write a divisor of 'threads'");
    else if (s_.threads / s_.sms > 2048)
      wrong("sms",
            text::write(s_.threads / s_.sms) + " threads on one multiprocessor, which holds 2048; write more 'sms'");
    if (s_.pattern == Pattern::ping_pong && s_.threads > 1)
      wrong("threads", "ping_pong is between one thread and another; write 'threads: 1'");
    if (s_.system.nodes.size() == 1)
      wrong("system", pattern + " goes from node to node, and " + s_.system.name +
                          " has one; write a system with two or more");
  }

  /// Threads that the queue pairs are dealt out to: a probe under load has its own way.
  Count sharers() const { return s_.load > 0 ? s_.load : s_.threads; }

  /// Threads and queue pairs: each its own, several a thread, or neighbours that share one.
  void sharing() {
    const Count low = std::min(sharers(), s_.qps), high = std::max(sharers(), s_.qps);
    const std::string both = text::write(sharers()) + (s_.load > 0 ? " loading threads and " : " threads and ") +
                             text::write(s_.qps) + " queue pairs";
    if (s_.path == Path::cpu_proxy) return proxies();
    if (!builds_on_gpu(s_.path)) {
      if (s_.qps != sharers())
        wrong("qps", text::write(s_.qps) + ", but each thread has a queue pair of its own here; write 'qps: " +
                         text::write(sharers()) + "' or leave it out");
      return;
    }
    if (high % low != 0)
      return wrong("qps", both + ": one must be a multiple of the other");
    if (sharers() > s_.qps && s_.sharing == Sharing::exclusive)
      return wrong("qps", both + ": " + text::write(sharers() / s_.qps) +
                              " threads share one; write 'sharing: lock', 'handoff' or 'warp', or more queue pairs");
    if (s_.probe == ProbeQueue::shared && s_.load > 0 && s_.sharing == Sharing::exclusive)
      return wrong("probe",
                   "shared, but nothing says how threads share a queue pair; write 'sharing: handoff' or 'lock'");
    if (s_.sharing != Sharing::exclusive && s_.qps > sharers())
      return wrong("sharing", both + ": none is shared; write fewer queue pairs, or 'sharing: exclusive'");
    if (s_.sharing == Sharing::warp) {
      if (!given("batch")) s_.batch = std::min<Count>(32, sharers() / s_.qps);
      if (s_.batch > 32 || (sharers() / s_.qps) % s_.batch != 0)
        wrong("batch", text::write(s_.batch) + " lanes post together, but a warp has 32 and " +
                           text::write(sharers() / s_.qps) + " threads share a queue pair; write a divisor of both");
    }
    if (s_.sharing == Sharing::lock && (sharers() / s_.qps) * s_.batch * units_of_a_wqe() > s_.depth && s_.batch > 1)
      wrong("batch", "unrung batches of " + text::write(sharers() / s_.qps) + " threads fill a send queue of " +
                         text::write(s_.depth) + ", and none could go on; write a smaller batch or a larger depth");
  }

  void load() {
    if (s_.load == 0) return;
    if (s_.pattern != Pattern::ping_pong)
      wrong("load", "it is for a ping_pong; write 'pattern: ping_pong', or more 'threads'");
    if (s_.sharing == Sharing::warp)
      wrong("sharing", "warp, but each loading thread is a block of its own; write 'handoff' or 'lock'");
    if (s_.probe == ProbeQueue::shared && !builds_on_gpu(s_.path) && s_.path != Path::cpu_proxy)
      wrong("probe", "shared, but each thread has a queue pair of its own here; write 'probe: reserved'");
  }

  /// Threads share rings, rings are dealt out to workers, and each worker has queue pairs of its own.
  void proxies() {
    if (sharers() % s_.rings != 0)
      return wrong("rings", text::write(sharers()) + " threads don't share " + text::write(s_.rings) +
                                " rings evenly; write a divisor of 'threads'");
    if (s_.load > 0 && s_.probe == ProbeQueue::shared && !s_.system.proxy.reserve)
      return wrong("probe",
                   "shared, and proxy " + s_.proxy +
                       " has one producer a ring; write 'probe: reserved', or 'proxy.reserve: true' under 'set'");
    if (s_.rings < sharers() && !s_.system.proxy.reserve)
      return wrong("rings",
                   text::write(sharers() / s_.rings) + " threads share one, and proxy " + s_.proxy +
                       " has one producer a ring; leave 'rings' out, or write 'proxy.reserve: true' under 'set'");
    if (s_.workers > s_.rings)
      return wrong("workers", text::write(s_.workers) + ", but there are only " + text::write(s_.rings) +
                                  " rings to serve; write at most that");
    if (s_.qps > s_.rings || s_.qps < s_.workers || (s_.qps != s_.rings && s_.qps % s_.workers != 0))
      return wrong("qps", text::write(s_.qps) + " queue pairs, " + text::write(s_.workers) + " workers and " +
                              text::write(s_.rings) + " rings: a worker has its own, a ring at most one; write " +
                              "a multiple of 'workers' up to 'rings', or leave it out");
    const Count held = s_.depth * rings_a_queue(s_);
    if (held > 32'768)
      wrong("qps", "one takes the requests of " + text::write(rings_a_queue(s_)) + " rings of " +
                       text::write(s_.depth) + ", and holds 32768; write more, or a smaller depth");
  }

  /// What the machine is told of the scenario: chance and script of its losses.
  void losses() {
    s_.system.seed = s_.seed;
    const auto found = keys_.find("drop");
    if (machine() && found != keys_.end()) read_drops(s_, found->second.at, mistakes_);
  }

  void unused() {
    const auto warn = [&](std::string_view key, std::string_view why) {
      if (given(key) && !is_default(key))
        s_.warnings.push_back(std::string(key) + ": changes nothing, " + std::string(why));
    };
    if (s_.load == 0)
      for (const char* key : {"load_bytes", "load_gap", "probe"}) warn(key, "load is 0");
    if (s_.pattern != Pattern::atomic) warn("atomic", "pattern is not atomic");
    if (s_.pattern != Pattern::put_signal) warn("signal", "pattern is not put_signal");
    if (s_.pattern != Pattern::quiet) warn("scope", "pattern is not quiet");
    if (!is_stream(s_.pattern)) warn("operation", "pattern is neither put_bw nor message_rate");
    if (s_.sharing != Sharing::handoff) warn("doorbell", "it is for sharing: handoff");
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
    if (s_.pattern != Pattern::copy_engine) warn("direction", "pattern is not copy_engine");
    if (probe) {
      warn("payload", why);
      warn("qps", why);
      warn("depth", why);
    }
    if (s_.pattern == Pattern::launch) warn("bytes", "a launch moves none");
    if (s_.pattern == Pattern::fence) warn("bytes", "a fence moves none");
  }

 private:
  Scenario& s_;
  const Keys& keys_;
  Mistakes& mistakes_;
};

}  // namespace

void check(Scenario& scenario, const Keys& keys, const std::deque<Given>& set, Mistakes& mistakes) {
  Mistakes found;
  check_ports(scenario, found);
  Checker checker(scenario, keys, found);
  checker.probe();
  checker.pattern();
  checker.payload();
  checker.receiver();
  checker.work();
  checker.losses();
  checker.unused();
  for (const Given& value : set) {
    const std::string kind = value.key.substr(0, value.key.find('.'));
    const bool unused = (kind == "library" && !builds_on_gpu(scenario.path)) ||
                        (kind == "proxy" && scenario.path != Path::cpu_proxy) ||
                        (kind == "verbs" && !uses_verbs(scenario.path)) ||
                        (kind == "runtime" && !uses_runtime(scenario));
    const bool eager = kind == "setup" && scenario.lazy_init == LazyInit::off;
    if (eager && value.layer >= Layer::scenario && value.provenance == Provenance::user)
      scenario.warnings.push_back(value.key + ": changes nothing, lazy_init is off");
    if (unused && value.layer >= Layer::scenario && value.provenance == Provenance::user)
      scenario.warnings.push_back(value.key + ": changes nothing, path is " +
                                  std::string(to_name(scenario.path)));
  }
  mistakes.insert(mistakes.end(), found.begin(), found.end());
}

}  // namespace gicsim::schema::detail
