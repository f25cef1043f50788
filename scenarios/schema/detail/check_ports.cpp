// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <tuple>

#include "scenarios/schema/detail/checks.h"

namespace gicsim::schema::detail {
namespace {

struct Earlier {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    const auto key = [](const T& x) {
      return std::tie(x.first.file, x.first.line, x.first.column, x.second);
    };
    return key(a) < key(b);
  }
};

}  // namespace

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
    if (link && link->completion_data > 0_B && p.mps > link->completion_data)
      at_fault(device + ".port", "mps", device + ".pcie", "completion_data",
               "a completion that long never gets its credits");
    if (link && link->replay_buffer > 0_B && p.mps + link->write_overhead > link->replay_buffer)
      at_fault(device + ".port", "mps", device + ".pcie", "replay_buffer",
               "with its overhead a TLP that long never finds room there");
  };
  for (std::size_t n = 0; n < s.system.nodes.size(); ++n) {
    const NodeSpec& node = s.system.nodes[n];
    const std::string prefix = "node" + std::to_string(n) + ".";
    port(prefix + "host", node.host_port, nullptr);
    for (std::size_t d = 0; d < node.dmas.size(); ++d)
      port(prefix + "dma" + std::to_string(d), node.dmas[d].port, &node.dmas[d].pcie);
    for (std::size_t p = 0; p < node.pairs.size(); ++p) {
      const PairSpec& pair = node.pairs[p];
      if (p < static_cast<std::size_t>(s.system.gpus) && s.system.attach != Attach::coherent)
        port(prefix + "gpu" + std::to_string(p), pair.gpu_port, &pair.gpu_pcie);
      if (p >= static_cast<std::size_t>(s.system.nics)) continue;
      const std::string nic = prefix + "nic" + std::to_string(p);
      if (pair.nic.mtu > pair.nic.transmit_buffer)
        at_fault(nic, "mtu", nic, "transmit_buffer", "a packet that long is never read for transmission");
      if (pair.nic.xon > pair.nic.xoff)
        at_fault(nic, "xon", nic, "xoff", "a pause would end as it begins");
      if (pair.nic.xoff > pair.nic.receive_buffer)
        at_fault(nic, "xoff", nic, "receive_buffer", "it overruns before its sender is paused");
      const Location& lossless = rows.at({nic, "lossless"})->at;
      if (!pair.nic.lossless && pair.nic_link.protocol == link::Protocol::infiniband &&
          said.insert({lossless, "lossless"}).second)
        mistakes.push_back(
            {lossless, nic + ".lossless: false, but an infiniband link has credits; write true, or take a RoCE link"});
      port(nic, pair.nic_port, &pair.nic_pcie);
    }
  }
}

}  // namespace gicsim::schema::detail
