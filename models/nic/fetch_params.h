// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::nic {

/// What an 8 B doorbell holds. `pointer` is a claim (descriptor_pointer_doorbell): the address of a descriptor, to be read.
enum class DoorbellValue { index, pointer };
constexpr auto names_of(DoorbellValue) { return std::array<std::string_view, 2>{"index", "pointer"}; }

/// The descriptor-fetch engine between doorbells and WQEs, and the units that process packets.
struct FetchParams {
  Count fifo = 1024;
  Count prefetch = 32'768;
  Count units = 64;
  Picoseconds unit_time{};
  DoorbellValue doorbell = DoorbellValue::index;
  Picoseconds scan_period = 100ns;
  Count scan_take = 64;
};

template <class V>
constexpr void describe(V&& v, FetchParams& p) {
  v("fifo", p.fifo, "doorbells that may wait to be taken; more keep their PCIe credits", assumed("A-324"), within(1, 65'536));
  v("prefetch", p.prefetch, "WQEs of a queue pair that may be fetched and not yet sent", assumed("A-325"),
    within(1, 32'768));
  v("units", p.units, "processing units, which packets sent and received share",
    assumed("A-326"), within(1, 256));
  v("unit_time", p.unit_time, "that one of them works on a packet; 0: they never bind", assumed("A-326"), within(0ns, 10us));
  v("doorbell", p.doorbell, "what a doorbell holds: queue and index, or (a claim) the address of a descriptor",
    spec("rdma-core, providers/mlx5/qp.c: queue number and index"));
  v("scan_period", p.scan_period, "between two scans of the rings (a claim, with nic.fetch: periodic_scan)",
    assumed("A-327"), within(1ns, 1ms));
  v("scan_take", p.scan_take, "64 B units that one scan can take; what is new beyond that is dropped (likewise)",
    assumed("A-327"), within(1, 65'536));
}
static_assert(fully_described<FetchParams>());

struct FetchStats {
  Count fifo_full = 0, fifo_peak = 0, pointers = 0, scans = 0, dropped = 0;
  Picoseconds fifo_wait{}, unit_busy{}, unit_wait{};
};
template <class V>
constexpr void describe(V&& v, FetchStats& s) {
  v("fifo_full", s.fifo_full, "doorbells that found the FIFO full and kept their credits");
  v("fifo_peak", s.fifo_peak, "most doorbells in the FIFO");
  v("pointers", s.pointers, "descriptors read that a doorbell pointed to (fetch.doorbell: pointer)");
  v("scans", s.scans, "scans of the rings (nic.fetch: periodic_scan)");
  v("dropped", s.dropped, "64 B units of WQEs dropped by a scan, of which nobody is told (likewise)");
  v("fifo_wait", s.fifo_wait, "time that such doorbells kept their credits, summed");
  v("unit_busy", s.unit_busy, "time that processing units worked, summed");
  v("unit_wait", s.unit_wait, "time that packets waited for one, summed");
}
static_assert(fully_described<FetchStats>());

}  // namespace gicsim::nic
