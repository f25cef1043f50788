// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::nic {

/// What a NIC keeps of its tables in host memory (queue pair contexts, memory keys, translations), and how it gets the rest.
struct ContextParams {
  Count lines = 9216;
  Count ways = 16;
  Count requester = 8;
  Count responder = 1;
  Count ahead = 16;
  Count in_order = 2;
  Count keys = 2048;
  Count translations = 4096;
  Bytes page = 2_MiB;
};

template <class V>
constexpr void describe(V&& v, ContextParams& p) {
  v("lines", p.lines, "lines of 64 B in the cache of queue pair contexts, requesters' and responders'", assumed("A-320"),
    within(1, 16'777'216));
  v("ways", p.ways, "associativity of that cache and of those for keys and translations", assumed("A-320"), within(1, 64));
  v("requester", p.requester,
    "lines that sending on a queue pair takes: its context, its CQ's, the translations of both rings", assumed("A-321"),
    within(1, 15));
  v("responder", p.responder, "lines that receiving on a queue pair takes", assumed("A-321"), within(1, 15));
  v("ahead", p.ahead, "requester contexts in fetch at once: doorbells tell which", assumed("A-322"), within(1, 1024));
  v("in_order", p.in_order,
    "responder contexts in fetch at once: the receive pipeline stands behind the first", assumed("A-322"),
    within(1, 1024));
  v("keys", p.keys, "memory keys cached (MPT entries)", assumed("A-323"), within(1, 16'777'216));
  v("translations", p.translations, "translations cached (MTT lines of eight pages)", assumed("A-323"),
    within(1, 16'777'216));
  v("page", p.page, "memory that one translation covers", assumed("A-323"), powers_of_two(4_KiB, 1_GiB));
}
static_assert(fully_described<ContextParams>());

struct ContextStats {
  Count requester_hits = 0, requester_misses = 0, responder_hits = 0, responder_misses = 0;
  Count translation_hits = 0, translation_misses = 0, reads = 0;
  Bytes read;
  Picoseconds in_order_time{}, ahead_time{}, stalled{};
};
template <class V>
constexpr void describe(V&& v, ContextStats& s) {
  v("requester_hits", s.requester_hits, "doorbells whose queue pair's requester context was cached");
  v("requester_misses", s.requester_misses, "doorbells that had to have it fetched");
  v("responder_hits", s.responder_hits, "packets received whose queue pair's context was cached");
  v("responder_misses", s.responder_misses, "packets received that had it fetched; those behind them wait");
  v("translation_hits", s.translation_hits, "accesses to registered memory whose key and translation were cached");
  v("translation_misses", s.translation_misses, "accesses to registered memory that had to have them fetched");
  v("reads", s.reads, "DMA reads of contexts, keys and translations");
  v("read", s.read, "bytes of these");
  v("in_order_time", s.in_order_time, "time that fetches for the receive pipeline took, summed");
  v("ahead_time", s.ahead_time, "time that fetches for requesters took, summed");
  v("stalled", s.stalled, "time that the receive pipeline stood still for lack of a context or a translation");
}
static_assert(fully_described<ContextStats>());

}  // namespace gicsim::nic
