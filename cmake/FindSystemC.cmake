# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# SystemC::systemc, from SystemC's own CMake files (a source build) or from pkg-config (Debian).
#
# The library refuses, at link time, a program of another C++ standard than its own. SC_CPLUSPLUS is the header's hook to
# name the standard that the library was built for; with it our C++20 links against Debian's C++17.
find_package(SystemCLanguage CONFIG QUIET)
if(TARGET SystemC::systemc)
  set(SystemC_VERSION "${SystemCLanguage_VERSION}")
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET GLOBAL systemc>=2.3.4)
  endif()
  if(TARGET PkgConfig::SYSTEMC)
    set(SystemC_VERSION "${SYSTEMC_VERSION}")
    add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
    target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC)
  endif()
endif()

if(TARGET SystemC::systemc)
  set(systemc_built_for 201703L)
  if(SystemC_CXX_STANDARD EQUAL 20)
    set(systemc_built_for 202002L)
  elseif(SystemC_CXX_STANDARD EQUAL 14)
    set(systemc_built_for 201402L)
  endif()
  set_property(TARGET SystemC::systemc APPEND PROPERTY
               INTERFACE_COMPILE_DEFINITIONS SC_CPLUSPLUS=${systemc_built_for})
  get_target_property(systemc_includes SystemC::systemc INTERFACE_INCLUDE_DIRECTORIES)
  if(systemc_includes)
    set_property(TARGET SystemC::systemc APPEND PROPERTY
                 INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${systemc_includes}")
  endif()
  set(systemc_target SystemC::systemc)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS systemc_target VERSION_VAR SystemC_VERSION)
