# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# How everything is compiled. Our checks stay on: no build type defines NDEBUG.
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

add_library(gicsim_flags INTERFACE)
target_include_directories(gicsim_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(gicsim_flags INTERFACE -Wall -Wextra -Wpedantic
                       $<$<BOOL:${GICSIM_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # g++ 12 sees overruns in the library's own std::string at -O2
  target_compile_options(gicsim_flags INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
endif()

# Through `env`, as ccache 4.7 takes no settings on its command line; without them it refuses precompiled headers.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_CXX_CLANG_TIDY)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
  set(gicsim_pch_flags $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
mark_as_advanced(CCACHE)
