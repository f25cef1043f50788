# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# What a row of rooms.cmake does.
set(GICSIM_ROOMS_FILE "${PROJECT_BINARY_DIR}/rooms.txt")  # the table, spelled out, for the include test
file(WRITE "${GICSIM_ROOMS_FILE}.new" "")
set(gicsim_known "")

# The precompiled header: written once, used by every room that sees models/base.
if(GICSIM_PCH)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/pch.cpp" CONTENT "")
  add_library(gicsim_pch OBJECT "${PROJECT_BINARY_DIR}/generated/pch.cpp")
  gicsim_take(gicsim_pch systemc fmt)
  target_link_libraries(gicsim_pch PRIVATE gicsim_flags)
  target_compile_features(gicsim_pch PRIVATE cxx_std_20)
  target_compile_options(gicsim_pch PRIVATE ${gicsim_pch_flags})
  target_precompile_headers(gicsim_pch PRIVATE
    <algorithm> <array> <chrono> <cstdint> <deque> <functional> <map> <memory> <optional> <span> <string>
    <string_view> <utility> <variant> <vector> <systemc> <fmt/format.h>)
endif()

# Flags of one target: the standard, the warnings, the precompiled header, how many files are compiled at once.
include(together)
function(gicsim_compile target cxx)
  target_link_libraries(${target} PRIVATE gicsim_flags)
  target_compile_features(${target} PRIVATE cxx_std_${cxx})
  if(GICSIM_PCH AND cxx EQUAL 20)
    target_compile_options(${target} PRIVATE ${gicsim_pch_flags})
    target_precompile_headers(${target} REUSE_FROM gicsim_pch)
  endif()
  gicsim_together(${target})
endfunction()

# Notes one row: its folder, the folders that it may include, the libraries that it takes. A row may only use rows above it,
# so there are no cycles, and static libraries link in one pass.
function(gicsim_arrows folder)
  cmake_parse_arguments(PARSE_ARGV 1 row "" "" "USES;TAKES")
  foreach(used IN LISTS row_USES)
    if(NOT used IN_LIST gicsim_known)
      message(FATAL_ERROR "cmake/rooms.cmake: ${folder} uses ${used}, which has no row above it")
    endif()
  endforeach()
  list(APPEND gicsim_known ${folder})
  set(gicsim_known "${gicsim_known}" PARENT_SCOPE)
  list(JOIN row_USES " " uses)
  list(JOIN row_TAKES " " takes)
  file(APPEND "${GICSIM_ROOMS_FILE}.new" "${folder} : ${uses} : ${takes}\n")
endfunction()

# gicsim_room(FOLDER CXX 17|20 [CONVERSION] USES folder... TAKES library...): one static library, models/base being
# models_base. A folder with headers alone becomes an interface, one without either (or not there) is passed over.
function(gicsim_room folder)
  cmake_parse_arguments(PARSE_ARGV 1 row "CONVERSION" "CXX" "USES;TAKES")
  gicsim_arrows(${folder} USES ${row_USES} TAKES ${row_TAKES})
  set(gicsim_known "${gicsim_known}" PARENT_SCOPE)

  set(here "${PROJECT_SOURCE_DIR}/${folder}")
  file(GLOB sources CONFIGURE_DEPENDS "${here}/*.cpp" "${here}/detail/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${here}/*.h")
  string(REPLACE "/" "_" target "${folder}")
  if(sources)
    add_library(${target} STATIC ${sources})
    gicsim_compile(${target} ${row_CXX})
    if(row_CONVERSION)
      target_compile_options(${target} PRIVATE -Wconversion)
    endif()
    set(how PUBLIC)
  elseif(headers)
    add_library(${target} INTERFACE)
    set(how INTERFACE)
  else()
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY gicsim_libraries ${target})

  gicsim_take(${target} ${row_TAKES})
  foreach(used IN LISTS row_USES)
    string(REPLACE "/" "_" library "${used}")
    if(TARGET ${library})
      target_link_libraries(${target} ${how} ${library})
    endif()
  endforeach()
endfunction()
