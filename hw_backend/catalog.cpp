// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// The one table of experiments. Which parts are in is CMake's to say.
#include "hw_backend/core/catalog.h"

#include "hw_backend/connectx/experiments.h"
#include "hw_backend/verbs/experiments.h"

namespace gicsim::hw {

std::vector<Entry> catalog() {
  constexpr std::string_view no_verbs = "this program was built without verbs (libibverbs-dev was not found)";
  std::vector<Entry> all;
  all.push_back(entry<VerbsPut, GICSIM_HW_VERBS>("verbs", no_verbs));
  all.push_back(entry<VerbsGet, GICSIM_HW_VERBS>("verbs", no_verbs));
  all.push_back(entry<VerbsAtomic, GICSIM_HW_VERBS>("verbs", no_verbs));
  all.push_back(entry<VerbsPutBw, GICSIM_HW_VERBS>("verbs", no_verbs));
  all.push_back(entry<VerbsMessageRate, GICSIM_HW_VERBS>("verbs", no_verbs));
  all.push_back(entry<VerbsPingPong, GICSIM_HW_VERBS>("verbs", no_verbs));
  constexpr bool both = GICSIM_HW_CUDA && GICSIM_HW_VERBS;
  constexpr std::string_view not_both = GICSIM_HW_VERBS ? "this program was built without CUDA (no nvcc was found)" : no_verbs;
  all.push_back(entry<ConnectxPut, both>("connectx", not_both));
  all.push_back(entry<ConnectxPingPong, both>("connectx", not_both));
  all.push_back(entry<ConnectxMessageRate, both>("connectx", not_both));
  return all;
}

}  // namespace gicsim::hw
