# SPDX-FileCopyrightText: 2026 The gicsim authors
# SPDX-License-Identifier: Apache-2.0

# Writes generated/version.cpp: VERSION, and the commit where git can tell.
file(STRINGS "${SOURCE}/VERSION" version LIMIT_COUNT 1)
if(GIT)
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" describe --always --abbrev=10 --match "v[0-9]*"
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(commit AND NOT commit STREQUAL "v${version}")
    string(APPEND version "+${commit}")
  endif()
endif()
file(WRITE "${OUT}" "#include \"cli/version.h\"\n\n\
namespace gicsim::cli {\nstd::string_view version() { return \"${version}\"; }\n}  // namespace gicsim::cli\n")
