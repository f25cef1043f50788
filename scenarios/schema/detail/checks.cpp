// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/checks.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "models/nic/queue_pair.h"
#include "models/units/text.h"
#include "scenarios/schema/block.h"

namespace gicsim::schema::detail {
namespace {

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

  void payload() {
    if (!machine()) return;
    const bool proxied = s_.path == Path::cpu_proxy;
    const Bytes most = proxied ? std::min(paths::request_inline, inline_max()) : inline_max();
    const bool able = proxied ? s_.system.proxy.inlines : s_.system.library.inlines;
    if (!given("payload")) {
      s_.payload = able && s_.bytes <= most ? Payload::inlined : Payload::read;
    } else if (s_.payload == Payload::inlined && s_.bytes > most) {
      wrong("payload", "inline, but " + text::write(s_.bytes) + " is more than " +
                           (proxied ? "a request to a proxy carries (" : "nic.inline_max (") +
                           text::write(most) + "); write 'payload: read' or fewer bytes");
    } else if (s_.payload == Payload::inlined && !able) {
      wrong("payload", "inline, but " + (proxied ? "proxy " + s_.proxy : "library " + s_.library) +
                           " doesn't inline; write 'payload: read'");
    }
  }

  /// Entries of the send queue that one put takes; a proxy posts WQEs of one.
  Count units_of_a_wqe() const {
    const bool in = s_.path == Path::gpu_direct && s_.payload == Payload::inlined && s_.bytes <= inline_max();
    return nic::wqe_units(in, s_.bytes);
  }

  void work() {
    const std::string pattern(to_name(s_.pattern));
    const Count units = s_.batch * units_of_a_wqe();
    if (units > s_.depth)
      wrong("batch", text::write(s_.batch) + " WQEs" +
                         (units > s_.batch ? " with " + text::write(s_.bytes) + " inline, " +
                                                 text::write(units) + " entries,"
                                           : "") +
                         " don't fit a send queue of " + text::write(s_.depth) +
                         "; write a smaller batch, or a larger depth");
    if (!given("rings")) s_.rings = s_.threads;
    if (!given("qps")) s_.qps = s_.path == Path::cpu_proxy ? s_.rings : s_.threads;
    sharing();
    if (!is_stream(s_.pattern) && s_.batch > 1 && s_.sharing != Sharing::warp)
      wrong("batch", pattern +
                         " has one operation outstanding; write 'batch: 1' or "
                         "'pattern: put_bw'");
    const Bytes buffers = (pieces(s_.bytes, 4_KiB) * 4_KiB) * s_.threads;
    if (buffers > 1024 * 1_GiB)
      wrong("threads", text::write(s_.threads) + " buffers of " + text::write(s_.bytes) +
                           " are more than a GPU's window of 1 TiB holds; write fewer threads or bytes");
    if (s_.threads % s_.sms != 0)
      wrong("sms", text::write(s_.threads) + " threads don't spread evenly over " + text::write(s_.sms) +
                       " multiprocessors; write a divisor of 'threads'");
    else if (s_.threads / s_.sms > 2048)
      wrong("sms", text::write(s_.threads / s_.sms) + " threads on one multiprocessor, which holds 2048; write more 'sms'");
    if (s_.pattern == Pattern::ping_pong && s_.threads > 1)
      wrong("threads", "ping_pong is between one thread and another; write 'threads: 1'");
    if (s_.system.nodes.size() == 1)
      wrong("system", pattern + " goes from node to node, and " + s_.system.name +
                          " has one; write a system with two or more");
  }

  /// Threads and queue pairs: each its own, several a thread, or neighbours that share one.
  void sharing() {
    const Count low = std::min(s_.threads, s_.qps), high = std::max(s_.threads, s_.qps);
    const std::string both = text::write(s_.threads) + " threads and " + text::write(s_.qps) + " queue pairs";
    if (s_.path == Path::cpu_proxy) return proxies();
    if (high % low != 0)
      return wrong("qps", both + ": one must be a multiple of the other");
    if (s_.threads > s_.qps && s_.sharing == Sharing::exclusive)
      return wrong("qps", both + ": " + text::write(s_.threads / s_.qps) +
                              " threads share one; write 'sharing: lock', 'handoff' or 'warp', or more queue pairs");
    if (s_.sharing != Sharing::exclusive && s_.qps > s_.threads)
      return wrong("sharing", both + ": none is shared; write fewer queue pairs, or 'sharing: exclusive'");
    if (s_.sharing == Sharing::warp) {
      if (!given("batch")) s_.batch = std::min<Count>(32, s_.threads / s_.qps);
      if (s_.batch > 32 || (s_.threads / s_.qps) % s_.batch != 0)
        wrong("batch", text::write(s_.batch) + " lanes post together, but a warp has 32 and " +
                           text::write(s_.threads / s_.qps) + " threads share a queue pair; write a divisor of both");
    }
    if (s_.sharing == Sharing::lock && (s_.threads / s_.qps) * s_.batch * units_of_a_wqe() > s_.depth && s_.batch > 1)
      wrong("batch", "unrung batches of " + text::write(s_.threads / s_.qps) + " threads fill a send queue of " +
                         text::write(s_.depth) + ", and none could go on; write a smaller batch or a larger depth");
  }

  /// Threads share rings, rings are dealt out to workers, and each worker has queue pairs of its own.
  void proxies() {
    if (s_.threads % s_.rings != 0)
      return wrong("rings", text::write(s_.threads) + " threads don't share " + text::write(s_.rings) +
                                " rings evenly; write a divisor of 'threads'");
    if (s_.rings < s_.threads && !s_.system.proxy.reserve)
      return wrong("rings", text::write(s_.threads / s_.rings) + " threads share one, and proxy " + s_.proxy +
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

  void unused() {
    const auto warn = [&](std::string_view key, std::string_view why) {
      if (given(key) && !is_default(key))
        s_.warnings.push_back(std::string(key) + ": changes nothing, " + std::string(why));
    };
    if (s_.sharing != Sharing::handoff) warn("doorbell", "it is for sharing: handoff");
    if (s_.path == Path::cpu_proxy) {
      warn("ordering", "the proxy's CPU thread posts");
      warn("queues", "a proxy's queues lie in host memory");
      warn("library", "the proxy's profile holds the GPU's instructions too");
      warn("sharing", "it is of queue pairs that GPU threads post to; see rings");
    } else {
      for (const char* key : {"proxy", "workers", "rings"}) warn(key, "path is not cpu_proxy");
    }
  }

 private:
  Scenario& s_;
  const Keys& keys_;
  Mistakes& mistakes_;
};

struct Earlier {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    const auto key = [](const T& x) {
      return std::tie(x.first.file, x.first.line, x.first.column, x.second);
    };
    return key(a) < key(b);
  }
};

/// Credits and buffers that a single TLP can't fit would stop the run for ever.
void check_ports(const Scenario& s, Mistakes& mistakes) {
  std::map<std::pair<std::string, std::string>, const Resolved*> rows;
  for (const Resolved& row : s.parameters)
    if (row.kind == "port" || row.kind == "pcie" || row.kind == "nic") rows[{row.instance, row.name}] = &row;
  std::set<std::pair<Location, std::string>, Earlier> said;  // once, not once a node
  const auto at_fault = [&](const std::string& instance, const char* a, const std::string& other,
                            const char* b, const std::string& what) {
    const Resolved *first = rows.at({instance, a}), *second = rows.at({other, b});
    const Location& at = first->at.file.empty() ? second->at : first->at;
    if (!said.insert({at, a}).second) return;
    mistakes.push_back({at, instance + "." + a + ": " + first->value + " is more than " + other +
                                "." + b + " (" + second->value + "); " + what});
  };
  const auto port = [&](const std::string& device, const pcie::EndpointParams& p,
                        const pcie::LinkParams* link) {
    if (p.mrrs > p.completion_buffer)
      at_fault(device + ".port", "mrrs", device + ".port", "completion_buffer",
               "a read reserves all of its completions, so this one never starts");
    if (link && p.mps > link->posted_data)
      at_fault(device + ".port", "mps", device + ".pcie", "posted_data",
               "a write that long never gets its credits");
  };
  for (std::size_t n = 0; n < s.system.nodes.size(); ++n) {
    const NodeSpec& node = s.system.nodes[n];
    const std::string prefix = "node" + std::to_string(n) + ".";
    port(prefix + "host", node.host_port, nullptr);
    for (std::size_t p = 0; p < node.pairs.size(); ++p) {
      const PairSpec& pair = node.pairs[p];
      const std::string nic = prefix + "nic" + std::to_string(p);
      if (pair.nic.mtu > pair.nic.transmit_buffer)
        at_fault(nic, "mtu", nic, "transmit_buffer", "a packet that long is never read for transmission");
      port(prefix + "nic" + std::to_string(p), pair.nic_port, &pair.nic_pcie);
      if (s.system.attach == Attach::pcie_switch)
        port(prefix + "gpu" + std::to_string(p), pair.gpu_port, &pair.gpu_pcie);
    }
  }
}

}  // namespace

void check(Scenario& scenario, const Keys& keys, const std::deque<Given>& set, Mistakes& mistakes) {
  Mistakes found;
  check_ports(scenario, found);
  Checker checker(scenario, keys, found);
  checker.payload();
  checker.work();
  checker.unused();
  for (const Given& value : set) {
    const bool proxied = scenario.path == Path::cpu_proxy;
    if (value.layer >= Layer::scenario && value.key.starts_with(proxied ? "library." : "proxy.") &&
        value.provenance == Provenance::user)
      scenario.warnings.push_back(value.key + ": changes nothing, path is " +
                                  std::string(to_name(scenario.path)));
  }
  mistakes.insert(mistakes.end(), found.begin(), found.end());
}

}  // namespace gicsim::schema::detail
