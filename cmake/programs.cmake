# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# gicsim-cli, what the launcher hands on to, and gicsim-bench. Both link every room.
file(RENAME "${GICSIM_ROOMS_FILE}.new" "${GICSIM_ROOMS_FILE}")
get_property(gicsim_libraries GLOBAL PROPERTY gicsim_libraries)
list(REVERSE gicsim_libraries)  # users before what they use

# The version names the commit; it is written anew when HEAD moves.
find_package(Git QUIET)
set(version_depends "${PROJECT_SOURCE_DIR}/VERSION" "${PROJECT_SOURCE_DIR}/cmake/version.cmake")
if(Git_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" rev-parse --path-format=absolute
                  --git-path logs/HEAD OUTPUT_VARIABLE head_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(head_log AND EXISTS "${head_log}")
    list(APPEND version_depends "${head_log}")
  endif()
endif()
set(version_cpp "${PROJECT_BINARY_DIR}/generated/version.cpp")
add_custom_command(OUTPUT "${version_cpp}" DEPENDS ${version_depends} VERBATIM
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DOUT=${version_cpp}" "-DGIT=${GIT_EXECUTABLE}"
          -P "${PROJECT_SOURCE_DIR}/cmake/version.cmake"
  COMMENT "Naming the version")

file(GLOB cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.cpp")
if(cli_sources)
  add_executable(gicsim-cli ${cli_sources} "${version_cpp}")
  gicsim_compile(gicsim-cli 20)
  target_link_libraries(gicsim-cli PRIVATE ${gicsim_libraries})
  gicsim_take(gicsim-cli systemc fmt cli11)
endif()

file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
if(bench_sources)
  add_executable(gicsim-bench ${bench_sources})
  gicsim_compile(gicsim-bench 20)
  target_link_libraries(gicsim-bench PRIVATE ${gicsim_libraries})
  gicsim_take(gicsim-bench systemc fmt json)
endif()
