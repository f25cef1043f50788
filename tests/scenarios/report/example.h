// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/report/finished.h"

namespace gicsim::report {

/// A made-up put with every part that a report can have; its books balance.
inline Finished example() {
  using namespace gicsim::literals;
  Finished run;
  run.version = "0.1.0";
  run.scenario = "put_8B";
  run.about = "one 8-byte put";
  run.system = "two_nodes";
  run.system_about = "made up";
  run.system_notes = {"the GPU leg is a prediction"};
  run.keys = {{"pattern", "put"},        {"path", "gpu_direct"}, {"bytes", "8 B"},
              {"ordering", "gpu_fence"}, {"payload", "inline"},  {"threads", "1"}};
  run.ledger = {{"L2", "build_wqe", 180_ps * 1000, 0_ps, {}},
                {"L2", "fence", 520_ps * 1000, 100_ps * 1000, {}},
                {"L3",
                 "doorbell_flight",
                 300'125_ps,
                 0_ps,
                 {{"node0.gpu0.pcie", 100'000_ps}, {"node0.switch0", 200'125_ps}}},
                {"L4", "nic_tx", 1'000'000_ps, 0_ps, {}},
                {"L3", "cqe_write", 2'029'875_ps, 0_ps, {}}};
  run.completion_path = run.ledger;
  run.delivery_path = {run.ledger[0],
                       run.ledger[1],
                       run.ledger[2],
                       run.ledger[3],
                       {"L3", "remote_write", 710'000_ps, 0_ps, {}}};
  run.bound_by = Bound{false, "L3.cqe_write", 0.5037, 0.2519, "node0.nic0.pcie x16 -> x32"};
  Record record;
  record.system = run.system;
  record.where = {{"bytes", std::int64_t{8}}, {"ordering", std::string("gpu_fence")}};
  record.n = 1000;
  for (const auto& [quantity, value] :
       {std::pair{Quantity::issue, 700.0}, std::pair{Quantity::one_way, 2710.125},
        std::pair{Quantity::put_completion, 4030.0}}) {
    record.quantity = quantity;
    record.value = value;
    record.p50 = record.min = record.max = value;
    run.results.push_back(record);
  }
  run.counters = {{"node0.gpu0", "stores", "stores issued", "", 3030},
                  {"node0.nic0", "doorbells", "doorbells that arrived", "", 1010},
                  {"node0.nic0", "retries", "packets sent again", "", 0},
                  {"node0.nic0", "sent", "bytes handed to the link", "B", 80'800}};
  run.provenance.count[static_cast<int>(Provenance::spec)] = 41;
  run.provenance.count[static_cast<int>(Provenance::fitted)] = 12;
  run.evidence = {"put+completion, 8 B: within 3 % of the published figures of this system"};
  run.wall_seconds = 0.5;
  run.events = 100'000;
  return run;
}

}  // namespace gicsim::report
