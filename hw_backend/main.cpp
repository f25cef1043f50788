// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// gicsim-hw: the only file that catches, and the only one that decides on an exit code.
#include <cstdio>
#include <exception>
#include <iostream>

#include "hw_backend/core/commands.h"
#include "hw_backend/core/error.h"

int main(int argc, char** argv) {
  using namespace gicsim::hw;
  try {
    const Options options = parse(argc, argv);
    switch (options.command) {
      case Options::Command::help: std::cout << usage(); return 0;
      case Options::Command::list: return list(std::cout);
      case Options::Command::run: return run(options, std::cerr);
      case Options::Command::doctor: return doctor(options, std::cout);
    }
  } catch (const UsageError& e) {
    std::cerr << "gicsim hw: " << e.what() << '\n';
    return 2;
  } catch (const HardwareError& e) {
    std::cerr << "gicsim hw: " << e.what() << '\n';
    return 4;
  } catch (const std::exception& e) {
    std::cerr << "gicsim hw: a bug of ours: " << e.what() << '\n';
    return 3;
  }
  return 0;
}
