// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace gicsim {

/// A stage of the path; each cost has one owner, so each instant of a message is in one stage.
enum class Stage : std::uint8_t {
  launch, lazy_init, call, sync, api, proxy_pickup, proxy_work,                              // L1
  compute, copy, translate, build_wqe, fence, doorbell_issue, poll,                          // L2
  doorbell_flight, wqe_read, payload_read, remote_write, remote_read, response_write, cqe_write,  // L3
  nic_doorbell, wqe_decode, nic_tx, nic_rx, nic_execute, nic_ack, nic_wait, dma_engine,      // L4
  serialise, propagate, switching, retransmit                                                // L5
};

inline constexpr std::string_view stage_names[] = {
    "launch",          "lazy_init",  "call",         "sync",         "api",
    "proxy_pickup",    "proxy_work", "compute",      "copy",         "translate",
    "build_wqe",       "fence",      "doorbell_issue", "poll",       "doorbell_flight",
    "wqe_read",        "payload_read", "remote_write", "remote_read", "response_write",
    "cqe_write",       "nic_doorbell", "wqe_decode", "nic_tx",       "nic_rx",
    "nic_execute",     "nic_ack",    "nic_wait",     "dma_engine",   "serialise",
    "propagate",       "switch",     "retransmit"};

constexpr std::string_view name_of(Stage s) { return stage_names[static_cast<int>(s)]; }

constexpr std::string_view layer_of(Stage s) {
  if (s <= Stage::proxy_work) return "L1";
  if (s <= Stage::poll) return "L2";
  if (s <= Stage::cqe_write) return "L3";
  if (s <= Stage::dma_engine) return "L4";
  return "L5";
}

}  // namespace gicsim
