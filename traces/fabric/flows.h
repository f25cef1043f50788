// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "traces/schedule/source.h"

/// What network simulators are fed with: flows with their begins, and topologies.
namespace gicsim::fabric {

inline constexpr std::size_t flows_ahead = 1 << 19;  ///< that wait for a rank that isn't asked yet

/// htsim's connection matrix: a flow is a put, or, where its arrival triggers another, a send with a receive.
/// Source: Broadcom/csg-htsim, sim/datacenter/connection_matrix.cpp
bool looks_like_htsim(std::string_view begin);
std::unique_ptr<schedule::Source> read_htsim(const std::string& file, std::size_t look_ahead = flows_ahead);

/// Flows of ns-3 as HPCC, SimAI and their descendants read them: a flow is a put.
/// Source: alibaba-edu/High-Precision-Congestion-Control, simulation/scratch/third.cc
bool looks_like_ns3_flows(std::string_view begin);
std::unique_ptr<schedule::Source> read_ns3_flows(const std::string& file, std::size_t look_ahead = flows_ahead);

}  // namespace gicsim::fabric
