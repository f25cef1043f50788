// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/nvshmem_job.h"

#include <array>

#include "traces/import/detail/cells.h"

namespace gicsim::imports::detail {
namespace {

struct Collective {
  std::string_view part;
  Pattern pattern;
  std::string_view name;  ///< as the test on a device prints it
};
// reducescatter before what it could be taken for.
constexpr std::array<Collective, 8> collectives{{{"reducescatter", Pattern::reduce_scatter, "device_reducescatter"},
                                                 {"reduction", Pattern::all_reduce, "device_reduction"},
                                                 {"fcollect", Pattern::all_gather, "fcollect_device"},
                                                 {"alltoall", Pattern::all_to_all, "alltoall_device"},
                                                 {"broadcast", Pattern::broadcast, "bcast_device"},
                                                 {"bcast", Pattern::broadcast, "bcast_device"},
                                                 {"barrier", Pattern::barrier, "barrier_device"},
                                                 {"sync", Pattern::barrier, "sync_device"}}};

constexpr std::array<std::string_view, 13> atomics{"compare_swap", "fetch_inc", "fetch_add", "fetch_and", "fetch_or",
                                                   "fetch_xor",    "inc",       "set",       "add",       "and",
                                                   "or",           "xor",       "swap"};

std::string_view atomic_in(std::string_view name) {
  for (const std::string_view atomic : atomics)
    if (has(name, atomic)) return atomic;
  return {};
}

}  // namespace

std::optional<NvshmemJob> nvshmem_job(std::string_view name) {
  NvshmemJob job;
  if (!begins(name, "shmem_")) {
    job.by_host = has(name, "_on_stream");
    for (const Collective& collective : collectives)
      if (has(name, collective.part)) {
        job.pattern = collective.pattern;
        return job;
      }
    return std::nullopt;
  }
  const std::string_view test = name.substr(6);
  const bool atomic = begins(test, "at_") || begins(test, "atomic_");
  if (has(test, "ping")) {
    job.latency = Quantity::rtt;
    const bool data = begins(test, "put");
    job.pattern = data && has(test, "signal") ? Pattern::put_signal : atomic ? Pattern::atomic : Pattern::ping_pong;
    if (atomic) job.atomic = atomic_in(test);
  } else if (has(test, "_bw")) {
    job.pattern = Pattern::put_bw;
    job.verb = atomic ? atomic_in(test) : begins(test, "g") ? "get" : "put";
  } else if (has(test, "lat")) {
    job.pattern = atomic ? Pattern::atomic : begins(test, "g") ? Pattern::get : Pattern::put;
    job.latency = job.pattern == Pattern::put ? Quantity::put_completion : Quantity::completion;
    if (atomic) job.atomic = atomic_in(test);
  } else {
    return std::nullopt;
  }
  if (!atomic && test.find_first_of("pgs") != 0) return std::nullopt;  // put, p, get, g, st, sig
  return job;
}

std::string_view nvshmem_name(Pattern pattern, Quantity quantity, std::string_view verb, std::string_view atomic) {
  if (pattern == Pattern::put && quantity == Quantity::put_completion) return "shmem_put_latency";
  if (pattern == Pattern::get && quantity == Quantity::completion) return "shmem_get_latency";
  if (pattern == Pattern::ping_pong && quantity == Quantity::rtt) return "shmem_put_ping_lat";
  if (pattern == Pattern::put_signal && quantity == Quantity::rtt) return "shmem_put_signal_ping_lat";
  if (pattern == Pattern::atomic && quantity == Quantity::completion)
    return atomic == "compare_swap" ? "shmem_at_compare_swap_lat" : "shmem_at_fetch_add_lat";
  if (pattern == Pattern::put_bw || pattern == Pattern::message_rate) {
    if (verb == "get") return "shmem_get_bw";
    if (verb.empty() || verb == "put") return "shmem_put_bw_uni";
    return verb == "compare_swap" ? "shmem_atomic_compare_swap_bw" : "shmem_atomic_fetch_add_bw";
  }
  for (const Collective& collective : collectives)
    if (collective.pattern == pattern) return collective.name;
  return {};
}

}  // namespace gicsim::imports::detail
