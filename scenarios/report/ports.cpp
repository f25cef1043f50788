// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/ports.h"

#include <fmt/format.h>

#include <set>

#include "scenarios/report/detail/format.h"

namespace gicsim::report {
namespace {

using detail::grouped;
using detail::heading;
using detail::wrapped;

bool is_queue_pair(const Counter& counter) { return counter.module.find(".qp") != std::string::npos; }

std::string value(const Counter& counter) {
  return grouped(counter.value) + (counter.unit.empty() ? "" : " " + counter.unit);
}

}  // namespace

std::string port_counters_text(const Finished& run) {
  if (run.ports.empty()) return heading("Counters of ports and queue pairs") + "  no NIC took part\n";
  std::set<std::string> busy;
  for (const Counter& counter : run.ports)
    if (counter.value != 0) busy.insert(counter.module);
  std::string out = heading("Counters of ports and queue pairs"), module, line;
  const auto end_line = [&] {
    if (!line.empty()) out += wrapped(line, 6);
    line.clear();
  };
  for (const Counter& counter : run.ports) {
    if (counter.module != module) {
      end_line();
      module = counter.module;
      if (is_queue_pair(counter)) line = "  " + module + ": ";
      else out += "  " + module + (busy.contains(module) ? "\n" : ": nothing came or went\n");
    }
    if (!busy.contains(module)) continue;
    if (!is_queue_pair(counter)) {
      out += wrapped(fmt::format("    {:<31}{:>16}  {}", counter.name, value(counter), counter.sentence), 53);
    } else if (counter.value != 0) {
      line += (line.ends_with(": ") ? "" : ", ") + counter.name + " " + value(counter);
    }
  }
  end_line();
  return out;
}

SentAgain sent_again(const Finished& run) {
  SentAgain all;
  for (const Counter& counter : run.counters) {
    if (counter.name == "replays") all.pcie += counter.value;
    if (counter.name == "link_retries") all.link += counter.value;
    if (counter.name == "resent") all.transport += counter.value;
  }
  for (const Row& row : run.ledger) {
    if (row.stage == "pcie_replay") all.pcie_time += row.time;
    if (row.stage == "link_retry") all.link_time += row.time;
    if (row.stage == "retransmit") all.transport_time += row.time;
  }
  return all;
}

std::string sent_again_text(const Finished& run) {
  const SentAgain all = sent_again(run);
  if (!all.any()) return "";
  const auto part = [&](Count n, const char* what, Picoseconds time) {
    return fmt::format("{} {} ({} of this message)", grouped(n), what, detail::time_text(time));
  };
  return heading("What was sent again") +
         wrapped("  " + part(all.pcie, "TLPs by PCIe links", all.pcie_time) + ", " +
                     part(all.link, "packets by cables", all.link_time) + ", " +
                     part(all.transport, "packets by the transport", all.transport_time),
                 2);
}

}  // namespace gicsim::report
