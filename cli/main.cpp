// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "cli/version.h"

// The SystemC library brings a main of its own, which asks for this.
// runs.
extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  CLI::App app{
      "Where the time goes between two GPUs, from a thread's store to the far side's memory",
      "gicsim"};
  app.set_version_flag("--version", "gicsim " + std::string(gicsim::cli::version()));
  app.set_help_flag("-h,--help", "print this");
  app.require_subcommand(0, 1);
  const CLI::App* help = app.add_subcommand("help", "print this");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  if (help->parsed() || argc == 1) {
    app.clear();  // a parsed subcommand would print its own help
    std::fputs(app.help().c_str(), stdout);
  }
  return 0;
}
