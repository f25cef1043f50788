# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# One test program a folder under tests/: tests/models/base/*.cpp is test_models_base. They link every room, not cli.
enable_testing()

file(GLOB support CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.cpp")
file(GLOB test_sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
     "${PROJECT_SOURCE_DIR}/tests/*/*.cpp" "${PROJECT_SOURCE_DIR}/tests/*/*/*.cpp")
list(FILTER test_sources EXCLUDE REGEX "^tests/support/")

function(gicsim_test_target target)
  gicsim_compile(${target} 20)
  target_compile_options(${target} PRIVATE -O1)  # a test's own code is soon run; what it tests is built as users have it
  target_link_libraries(${target} PRIVATE ${gicsim_libraries})
  gicsim_take(${target} systemc fmt json yaml-cpp sqlite zlib doctest)
endfunction()

if(support)
  add_library(gicsim_test_support OBJECT ${support})  # objects: a main in an archive would lose to the one in libsystemc
  gicsim_test_target(gicsim_test_support)
endif()

set(folders "")
foreach(source IN LISTS test_sources)
  cmake_path(GET source PARENT_PATH folder)
  list(APPEND folders "${folder}")
  list(APPEND sources_${folder} "${PROJECT_SOURCE_DIR}/${source}")
endforeach()
list(REMOVE_DUPLICATES folders)

foreach(folder IN LISTS folders)
  string(REGEX REPLACE "^tests/" "" room "${folder}")
  string(REPLACE "/" "_" target "test_${room}")
  add_executable(${target} ${sources_${folder}})
  gicsim_test_target(${target})
  if(support)
    target_link_libraries(${target} PRIVATE gicsim_test_support)
  endif()

  if(room MATCHES "^hw_backend(/|$)")
    target_link_libraries(${target} PRIVATE gicsim_hw_plain)
  endif()

  set(label unit)
  if(room MATCHES "^(scenarios|cli)(/|$)")
    set(label scenario)
  elseif(room MATCHES "^validate(/|$)")
    set(label reference)
  elseif(room MATCHES "^laws(/|$)")
    set(label law)
  endif()
  add_test(NAME ${room} COMMAND ${target})
  set_tests_properties(${room} PROPERTIES LABELS ${label}
    ENVIRONMENT "GICSIM_ROOT=${PROJECT_SOURCE_DIR};GICSIM_ROOMS=${GICSIM_ROOMS_FILE}")
endforeach()

# Programs that show how the models are used, run like tests so that they can't rot.
file(GLOB examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
foreach(source IN LISTS examples)
  cmake_path(GET source STEM name)
  add_executable(example_${name} ${source})
  gicsim_compile(example_${name} 20)
  target_link_libraries(example_${name} PRIVATE models_attach models_pcie models_host)
  gicsim_take(example_${name} systemc fmt)
  add_test(NAME examples/${name} COMMAND example_${name})
  set_tests_properties(examples/${name} PROPERTIES LABELS scenario)
endforeach()

if(TARGET test_cli)  # runs the program, links nothing of it
  add_dependencies(test_cli gicsim-cli)
endif()
