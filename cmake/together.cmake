# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# With GICSIM_UNITY several files of a room or of a test program are compiled as one, which halves a build from nothing. Files put
# together share their anonymous namespaces, so these stay by themselves: each has a helper of the same name as a neighbour's.
set(apart
  cli/replay.cpp
  scenarios/report/text.cpp scenarios/sweep/sweep.cpp scenarios/whatif/replay.cpp
  traces/export/schedule.cpp traces/fabric/ns3_flows.cpp traces/fabric/ns3_topology.cpp traces/fabric/triggers.cpp
  traces/profile/detail/nccl_inspector.cpp traces/profile/detail/nccl_profiler.cpp
  traces/roce/infiniband.cpp traces/schedule/jsonl.cpp
  traces/text/xml.cpp traces/tlp/nettlp.cpp
  tests/laws/fabric_test.cpp tests/models/link/wire_test.cpp tests/models/pcie/completer_test.cpp
  tests/models/pcie/data_link_test.cpp tests/models/pcie/endpoint_test.cpp tests/models/pcie/link_order_test.cpp
  tests/models/pcie/link_test.cpp tests/scenarios/schema/tree_test.cpp
  tests/scenarios/schema/windows_test.cpp tests/scenarios/whatif/ordering_test.cpp tests/scenarios/whatif/patterns_test.cpp
  tests/scenarios/whatif/queues_test.cpp tests/scenarios/whatif/sharing_test.cpp
  tests/scenarios/whatif/topology_test.cpp tests/scenarios/whatif/traffic_test.cpp
  tests/scenarios/whatif/transport_test.cpp tests/traces/export/pcap_tshark_test.cpp
  tests/traces/fabric/topology_test.cpp tests/traces/roce/places_test.cpp tests/traces/roce/samples_test.cpp tests/traces/schedule/goal_test.cpp
  tests/traces/schedule/jsonl_test.cpp
  validate/reference/measured.cpp)
list(TRANSFORM apart PREPEND "${PROJECT_SOURCE_DIR}/")
foreach(file IN LISTS apart)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "cmake/together.cmake: there is no ${file}")
  endif()
endforeach()
set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Where most files would have to be named, the whole target.
set(gicsim_apart traces_import test_models_gpu test_models_host)

function(gicsim_together target)
  if(NOT GICSIM_UNITY OR target IN_LIST gicsim_apart)
    return()
  endif()
  set(batch 6)
  if(target MATCHES "^test_")
    set(batch 4)  # each file of theirs is long
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # coroutines' frames
endfunction()
