// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// The one table of experiments. Which parts are in is CMake's to say.
#include "hw_backend/core/catalog.h"

#include "hw_backend/connectx/experiments.h"
#include "hw_backend/gpu/probes.h"
#include "hw_backend/posting/experiments.h"
#include "hw_backend/verbs/experiments.h"

namespace gicsim::hw {

std::vector<Entry> catalog() {
  constexpr bool cuda = GICSIM_HW_CUDA != 0, verbs = GICSIM_HW_VERBS != 0, both = cuda && verbs;
  constexpr std::string_view no_cuda = "this program was built without CUDA (no nvcc was found)";
  constexpr std::string_view no_verbs = "this program was built without verbs (libibverbs-dev was not found)";
  constexpr std::string_view not_both = verbs ? no_cuda : no_verbs;
  return {
      entry<gpu::HostLoad, cuda>("gpu", no_cuda),
      entry<gpu::PageChase, cuda>("gpu", no_cuda),
      entry<gpu::HostStore, cuda>("gpu", no_cuda),
      entry<gpu::Fence, cuda>("gpu", no_cuda),
      entry<gpu::HostAtomic, cuda>("gpu", no_cuda),
      entry<gpu::Launch, cuda>("gpu", no_cuda),
      entry<gpu::CopyEngine, cuda>("gpu", no_cuda),
      entry<gpu::DoorbellEcho, cuda>("gpu", no_cuda),
      entry<gpu::DoorbellEchoStream, cuda>("gpu", no_cuda),
      entry<gpu::DoorbellEchoPeer, cuda>("gpu", no_cuda),
      entry<posting::Put, cuda>("posting", no_cuda),
      entry<posting::PingPong, cuda>("posting", no_cuda),
      entry<posting::MessageRate, cuda>("posting", no_cuda),
      entry<posting::Doorbells, cuda>("posting", no_cuda),
      entry<posting::HostStaged, cuda>("posting", no_cuda),
      entry<VerbsPut, verbs>("verbs", no_verbs),
      entry<VerbsGet, verbs>("verbs", no_verbs),
      entry<VerbsAtomic, verbs>("verbs", no_verbs),
      entry<VerbsPutBw, verbs>("verbs", no_verbs),
      entry<VerbsMessageRate, verbs>("verbs", no_verbs),
      entry<VerbsPingPong, verbs>("verbs", no_verbs),
      entry<ConnectxPut, both>("connectx", not_both),
      entry<ConnectxPingPong, both>("connectx", not_both),
      entry<ConnectxMessageRate, both>("connectx", not_both),
  };
}

}  // namespace gicsim::hw
