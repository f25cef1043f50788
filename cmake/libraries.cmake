# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# The names that a row of rooms.cmake may give after TAKES, and what they are. Looked for when a room that exists takes it.
set(library_systemc   SystemC::systemc             SystemC)
set(library_fmt       fmt::fmt                     fmt)
set(library_yaml-cpp  yaml-cpp                     yaml-cpp)
set(library_expat    EXPAT::EXPAT                EXPAT)
set(library_cli11     CLI11::CLI11                 CLI11)
set(library_json      nlohmann_json::nlohmann_json nlohmann_json)
set(library_sqlite    SQLite::SQLite3              SQLite3)
set(library_doctest   doctest::doctest             doctest)
set(library_benchmark benchmark::benchmark         benchmark)
set(library_posix "")  # nothing to link: the row says that the room talks to the operating system

# Those that may show in a room's headers, so that whoever links the room gets them too.
set(libraries_in_headers systemc fmt)

# gicsim_take(TARGET NAME...): link third-party libraries by these names.
function(gicsim_take target)
  get_target_property(type ${target} TYPE)
  foreach(name IN LISTS ARGN)
    if(NOT DEFINED library_${name})
      message(FATAL_ERROR "${target} takes '${name}', which cmake/libraries.cmake doesn't know")
    endif()
    if(library_${name})
      list(GET library_${name} 0 imported)
      list(GET library_${name} 1 package)
      if(NOT TARGET ${imported})
        find_package(${package} REQUIRED)
      endif()
      set(how PRIVATE)
      if(type STREQUAL "INTERFACE_LIBRARY")
        set(how INTERFACE)
      elseif(name IN_LIST libraries_in_headers)
        set(how PUBLIC)
      endif()
      target_link_libraries(${target} ${how} ${imported})
    endif()
  endforeach()
endfunction()
