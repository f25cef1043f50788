// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// Checks of ports and of the machine around them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>

#include "hw_backend/doctor/check.h"

namespace gicsim::hw::checkup {
namespace {

std::string name_of(const Nic& nic, const Port& port) { return nic.name + " port " + std::to_string(port.number); }
bool ethernet(const Port& port) { return port.link_layer == "Ethernet"; }

/// Runs over the ports that are up; without a NIC or any port, says why there is nothing.
Finding over_ports(const Evidence& e, bool only_ethernet,
                   const std::function<void(const Nic&, const Port&, Tally&)>& judge) {
  if (!e.has_nic()) return skipped(e.no_nic);
  Tally tally;
  bool any = false;
  for (const Nic& nic : e.nics)
    for (const Port& port : nic.ports) {
      any = true;
      if (port.state == "ACTIVE" && (ethernet(port) || !only_ethernet)) judge(nic, port, tally);
    }
  if (!tally.empty()) return tally.finding();
  if (!any) return unknown(e.nics.empty() ? e.no_nic : "no port of a NIC was read");
  return skipped(only_ethernet ? "no Ethernet port is up" : "no port is up");
}

}  // namespace

Finding judge_port(const Evidence& e) {
  if (!e.has_nic()) return skipped(e.no_nic);
  Tally up, down;
  for (const Nic& nic : e.nics)
    for (const Port& p : nic.ports) {
      char rate[24] = "unknown rate";
      if (p.rate) std::snprintf(rate, sizeof rate, "%g Gb/s", *p.rate);
      if (p.state == "ACTIVE") {
        up.pass(name_of(nic, p) + ": " + p.link_layer + (p.link_layer.empty() ? "" : " ") + rate);
        continue;
      }
      const bool init = p.state == "INIT" || p.state == "INITIALIZING";
      down.add(Verdict::warn, name_of(nic, p) + ": " + p.state + (p.physical.empty() ? "" : ", " + p.physical),
               init ? "the cable is fine but no subnet manager has brought the port up"
                    : "no link: cable, transceiver, switch port, or the interface is down",
               init ? "start opensm, or ask whoever runs the fabric"
                    : "'ip link set IF up', mlxlink -d DEVICE says what the cable is missing");
    }
  if (up.empty() && down.empty()) return unknown(e.nics.empty() ? e.no_nic : "no port of a NIC was read");
  if (down.empty()) return up.finding();
  Finding f = down.finding();
  if (up.empty()) f.verdict = Verdict::fail;
  return f;
}

Finding judge_gid(const Evidence& e) {
  return over_ports(e, true, [](const Nic& nic, const Port& p, Tally& tally) {
    if (!p.gids) return tally.unknown(name_of(nic, p) + ": " + p.gids.why());
    std::vector<std::string> v2;
    bool typed = false;
    for (const Gid& g : *p.gids) {
      typed = typed || !g.type.empty();
      const bool ipv4 = g.value.rfind("::ffff:", 0) == 0 || g.value.rfind("0000:0000:0000:0000:0000:ffff:", 0) == 0;
      if (g.type == "RoCE v2" && ipv4) v2.push_back(std::to_string(g.index));
    }
    if (!typed) return tally.unknown(name_of(nic, p) + ": the GID types aren't told (rdma-core before 29)");
    if (v2.empty())
      return tally.add(Verdict::warn, name_of(nic, p) + ": no RoCE v2 GID over IPv4",
                       "the interface has no IPv4 address, or the port runs RoCE v1 only",
                       "give the interface an address; then pick the index by 'show_gids' (-x of perftest, "
                       "NVSHMEM_IB_GID_INDEX, NCCL_IB_GID_INDEX)");
    tally.pass(name_of(nic, p) + ": RoCE v2 over IPv4 at index " + some_of(v2));
  });
}

Finding judge_mtu(const Evidence& e) {
  return over_ports(e, false, [](const Nic& nic, const Port& p, Tally& tally) {
    if (!p.active_mtu || !p.most_mtu) {
      const std::string seen = name_of(nic, p) + ": interface " + (p.netdev_mtu ? std::to_string(*p.netdev_mtu) : "");
      if (!p.netdev_mtu || *p.netdev_mtu >= 4200) return tally.unknown(name_of(nic, p) + ": " + p.active_mtu.why());
      return tally.add(Verdict::warn, seen, "the interface's MTU caps the RDMA path MTU below 4096",
                       "'ip link set IF mtu 9000' at both ends and on the switch");
    }
    const std::string seen = name_of(nic, p) + ": " + std::to_string(*p.active_mtu) + " of " +
                             std::to_string(*p.most_mtu) +
                             (p.netdev_mtu ? ", interface " + std::to_string(*p.netdev_mtu) : "");
    if (*p.active_mtu >= *p.most_mtu) return tally.pass(seen);
    tally.add(Verdict::warn, seen,
              ethernet(p) ? "the interface's MTU caps the RDMA path MTU: more headers, fewer bytes a second"
                          : "the fabric's partition caps the MTU",
              ethernet(p) ? "'ip link set IF mtu 9000' at both ends and on the switch: path MTU 4096 needs 4200"
                          : "the subnet manager's partition: mtu=5");
  });
}

Finding judge_port_errors(const Evidence& e) {
  return over_ports(e, false, [](const Nic& nic, const Port& p, Tally& tally) {
    if (!p.counters) return tally.unknown(name_of(nic, p) + ": " + p.counters.why());
    static constexpr std::array<const char*, 10> bad{
        "out_of_sequence",     "packet_seq_err",      "local_ack_timeout_err", "rnr_nak_retry_err", "req_cqe_error",
        "implied_nak_seq_err", "roce_adp_retrans_to", "symbol_error",          "link_downed",       "port_rcv_errors"};
    std::vector<std::string> some;
    for (const char* name : bad)
      if (const auto c = p.counters->find(name); c != p.counters->end() && c->second > 0)
        some.push_back(std::string(name) + " " + std::to_string(c->second));
    if (some.empty()) return tally.pass(name_of(nic, p) + ": none counted");
    tally.add(Verdict::warn, name_of(nic, p) + ": " + some_of(some, 4) + " since boot",
              "packets were lost or late, and sent again; rnr_nak: the receiver had no buffer posted",
              "lossless class end to end (PFC) and ECN, cable errors with mlxlink -c; run again and see what grows");
  });
}

Finding judge_pfc(const Evidence& e) {
  return over_ports(e, true, [](const Nic& nic, const Port& p, Tally& tally) {
    const std::string ask =
        "; PFC isn't in sysfs: 'mlnx_qos -i IF' or 'dcb pfc show dev IF', and the same class for the QPs (traffic "
        "class 106 is DSCP 26)";
    if (!p.ecn) return tally.unknown(name_of(nic, p) + ": ECN: " + p.ecn.why() + ask);
    if (!*p.ecn)
      return tally.add(Verdict::warn, name_of(nic, p) + ": ECN is off for every priority",
                       "no rate control: congestion ends in drops or pauses",
                       "echo 1 into /sys/class/net/IF/ecn/roce_np/enable/3 and roce_rp/enable/3 (your RoCE priority), "
                       "marking on the switch");
    tally.unknown(name_of(nic, p) + ": ECN is on" + ask);
  });
}

Finding judge_clocks(const Evidence& e) {
  if (!e.has_gpu()) return skipped(e.no_gpu);
  Tally tally;
  for (const Gpu& g : e.gpus) {
    if (g.slowdowns && !g.slowdowns->empty())
      tally.add(Verdict::warn, g.address + ": " + some_of(*g.slowdowns),
                "the GPU is held below its clock by heat or power: latencies stretch",
                "cooling, power cables, power limit; measure when it is gone");
    else if (g.persistence && !*g.persistence)
      tally.add(Verdict::warn, g.address + ": persistence mode is off",
                "the driver unloads between programs: the first call takes seconds, clocks start low",
                "nvidia-smi -pm 1, or nvidia-persistenced");
    else if (!g.persistence && !g.slowdowns) tally.unknown(g.address + ": " + g.persistence.why());
    else
      tally.pass(g.address + ": not held back" +
                 (g.sm_clock && g.most_sm_clock ? ", SM at " + std::to_string(*g.sm_clock) + " of " +
                                                      std::to_string(*g.most_sm_clock) + " MHz now"
                                                : ""));
  }
  return tally.empty() ? unknown("the GPUs' state isn't known") : tally.finding();
}

Finding judge_vm(const Evidence& e) {
  if (!e.platform.hypervisor) return unknown(e.platform.hypervisor.why());
  if (e.platform.hypervisor->empty()) return pass("no hypervisor");
  const std::string seen = *e.platform.hypervisor;
  if (!e.has_gpu() && !e.has_nic()) return pass(seen + "; nothing here depends on what it shows");
  return warn(seen, "bridges, link speeds, ACS and IOMMU shown here are the hypervisor's, not the machine's",
              "ask for the host's view; peer traffic in a virtual machine needs ATS, and ACS with direct translation, "
              "on the host");
}

}  // namespace gicsim::hw::checkup
