// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <unistd.h>

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <variant>

#include "cli/arguments.h"
#include "cli/print.h"
#include "cli/root.h"
#include "models/base/errors.h"
#include "traces/result/read.h"

// The SystemC library brings a main of its own, which asks for this.
int sc_main(int, char**) { return 0; }

namespace gicsim::cli {
namespace {

/// Ctrl-C ends the program on the spot: whoever writes files holds the signal back until they are
/// whole, so there is nothing to clean up. Left alone where the parent ignores it (nohup).
void end_on_interrupt() {
  struct sigaction before = {};
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler != SIG_IGN) signal(SIGINT, [](int) { _exit(130); });
  signal(SIGPIPE, SIG_IGN);  // print() sees it
}

int carry_out(int argc, char** argv) {
  const Command command = parse(argc, argv);
  if (const Say* say = std::get_if<Say>(&command)) {
    print(say->text);
    return 0;
  }
  const std::string root = project_root();
  return std::visit(
      [&root](const auto& asked) {
        if constexpr (std::is_same_v<decltype(asked), const Say&>)
          return 0;
        else
          return perform(asked, root);
      },
      command);
}

int fail(int code, const std::string& lines) {
  complain(lines);
  return code;
}

}  // namespace
}  // namespace gicsim::cli

/// The one place that catches, and turns what went wrong into an exit code.
int main(int argc, char** argv) {
  using namespace gicsim;
  using cli::fail;
  cli::end_on_interrupt();
  try {
    return cli::carry_out(argc, argv);
  } catch (const ConfigError& error) {
    return fail(2, error.what());
  } catch (const MalformedRecord& error) {
    return fail(2, error.what());
  } catch (const HardwareError& error) {
    return fail(4, std::string("gicsim: ") + error.what());
  } catch (const std::system_error& error) {  // files and streams
    return fail(4, std::string("gicsim: ") + error.what());
  } catch (const std::bad_alloc&) {
    return fail(4, "gicsim: out of memory");
  } catch (const std::exception& error) {  // ModelError, and whatever nobody thought of
    return fail(3, std::string("gicsim: bug: ") + error.what());
  }
}
