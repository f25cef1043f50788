# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# The one table of rooms: folder, standard, the folders it may include (and so links), the third-party libraries it takes.
# CMake builds by it and tests/rooms/includes_test.cpp holds every #include to it. A row may use only rows above it.
# The finer rules (one file for CLI11, one for spdlog, json in no header, of paths only Channel) stand in that test.

gicsim_room(models/units      CXX 17 CONVERSION)
set(units models/units)
gicsim_room(traces/result     CXX 17 CONVERSION USES ${units})
gicsim_arrows(hw_backend      USES ${units} traces/result TAKES hardware posix)  # a program of its own, with its own CMake

gicsim_room(models/base       CXX 20 USES ${units} TAKES systemc fmt)
gicsim_room(models/mechanisms CXX 20 USES ${units} models/base TAKES systemc fmt)
gicsim_room(models/protocol   CXX 20 CONVERSION USES ${units} models/base models/mechanisms TAKES systemc fmt)
set(common ${units} models/base models/mechanisms models/protocol)

foreach(device IN ITEMS gpu pcie nic link host dma)  # they never include each other
  gicsim_room(models/${device} CXX 20 USES ${common} TAKES systemc fmt)
endforeach()
set(devices models/gpu models/pcie models/nic models/link models/host models/dma)
gicsim_room(models/attach     CXX 20 USES ${common} TAKES systemc fmt)  # where foreign models plug in: examples and tests

gicsim_room(traces/text     CXX 20 USES ${units} models/base TAKES fmt yaml-cpp expat)
gicsim_room(traces/schedule CXX 20 USES ${units} models/base traces/result TAKES fmt json)
gicsim_room(traces/stream   CXX 20 USES ${units} models/base TAKES fmt json zlib)
gicsim_room(traces/chakra   CXX 20 USES ${units} models/base traces/result traces/schedule traces/stream TAKES fmt)
gicsim_room(traces/profile  CXX 20 USES ${units} models/base traces/result traces/schedule traces/stream TAKES fmt sqlite)
gicsim_room(traces/fabric   CXX 20 USES ${units} models/base traces/result traces/text traces/schedule TAKES fmt json)
gicsim_room(traces/hops     CXX 20 USES ${common} TAKES fmt sqlite)
gicsim_room(traces/roce     CXX 20 USES ${units} models/base traces/schedule traces/stream TAKES fmt json)
gicsim_room(traces/tlp      CXX 20 USES ${common} traces/stream traces/roce TAKES fmt json)
gicsim_room(traces/export   CXX 20 USES ${common} traces/result traces/hops traces/schedule traces/tlp TAKES systemc fmt json posix)
gicsim_room(traces/import   CXX 20 USES ${units} models/base traces/result traces/text traces/schedule traces/fabric
                            traces/hops TAKES fmt json posix)
gicsim_room(traces/open     CXX 20 USES ${units} models/base traces/schedule traces/stream traces/chakra traces/profile
                            traces/fabric traces/roce TAKES fmt)
set(traces traces/result traces/text traces/schedule traces/stream traces/chakra traces/profile traces/fabric traces/hops
           traces/export traces/import traces/roce traces/tlp traces/open)

set(s scenarios)
gicsim_room(${s}/schema     CXX 20 USES ${common} ${devices} traces/result traces/text TAKES fmt json)
gicsim_room(${s}/system     CXX 20 USES ${common} ${devices} traces/result traces/text traces/fabric ${s}/schema
                            TAKES systemc fmt json)
gicsim_room(${s}/paths      CXX 20 USES ${common} ${devices} traces/result ${s}/schema ${s}/system TAKES fmt)
gicsim_room(${s}/workloads  CXX 20 USES ${common} traces/result traces/schedule ${s}/schema ${s}/paths TAKES fmt json)
gicsim_room(${s}/report     CXX 20 USES ${common} traces/result traces/schedule traces/hops ${s}/schema ${s}/workloads
                            TAKES fmt json posix)
gicsim_room(${s}/sweep      CXX 20 USES ${common} ${devices} ${traces} ${s}/schema ${s}/system ${s}/paths ${s}/workloads
                            ${s}/report TAKES fmt json posix)
gicsim_room(${s}/whatif     CXX 20 USES ${common} ${devices} ${traces} ${s}/schema ${s}/system ${s}/paths ${s}/workloads
                            ${s}/report ${s}/sweep TAKES fmt json)
gicsim_room(${s}/catalog    CXX 20 USES ${common} ${devices} ${traces} ${s}/schema ${s}/system ${s}/paths ${s}/workloads
                            TAKES fmt json posix)
set(scenarios ${s}/schema ${s}/system ${s}/paths ${s}/workloads ${s}/report ${s}/sweep ${s}/whatif ${s}/catalog)

set(below ${common} ${devices} ${traces} ${scenarios})
gicsim_room(validate/formulas    CXX 20 USES ${common} ${devices} traces/result TAKES fmt)
gicsim_room(validate/reference   CXX 20 USES ${units} models/base traces/result traces/text)
gicsim_room(validate/compare     CXX 20 USES ${below} validate/formulas validate/reference TAKES fmt json posix)
gicsim_room(validate/evidence    CXX 20 USES ${below} validate/compare TAKES fmt json)
gicsim_room(validate/kit         CXX 20 USES ${below} validate/reference validate/compare TAKES fmt)
gicsim_room(validate/fit         CXX 20 USES ${below} validate/formulas validate/compare TAKES fmt json)
gicsim_room(validate/sensitivity CXX 20 USES ${below} validate/compare TAKES fmt json)
gicsim_room(validate/claims      CXX 20 USES ${below} validate/compare TAKES fmt json)
gicsim_room(validate/diagnose    CXX 20 USES ${below} validate/formulas validate/compare TAKES fmt json)
gicsim_room(validate/captures    CXX 20 USES ${common} models/nic traces/stream traces/roce TAKES fmt)
set(validate validate/captures validate/formulas validate/reference validate/compare validate/evidence validate/fit
             validate/sensitivity validate/claims validate/diagnose validate/kit)

# Programs. `everything` is all rooms; nothing includes cli, bench or tests.
set(everything ${below} ${validate} models/attach)
gicsim_arrows(cli   USES ${everything} TAKES systemc fmt cli11 posix)
gicsim_arrows(examples USES ${common} ${devices} models/attach TAKES systemc)
gicsim_arrows(bench USES ${everything} TAKES systemc fmt json benchmark posix)
gicsim_arrows(tests USES ${everything} bench hw_backend TAKES systemc fmt json yaml-cpp doctest posix sqlite zlib)
