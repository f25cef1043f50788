// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/context.h"

#include <doctest/doctest.h>

#include <iostream>
#include <sstream>
#include <stdexcept>

#include "models/base/kernel.h"
#include "tests/support/bench.h"

namespace gicsim {
namespace {

struct Plain : sc_core::sc_module {
  explicit Plain(sc_core::sc_module_name name) : sc_module(name) {}
};

struct Event {
  Kernel& kernel;
  int left;
  void go() {
    if (--left > 0) kernel.at<&Event::go>(kernel.now() + 1ns, this);
  }
};

struct Redirect {
  std::ostream& stream;
  std::streambuf* const before;
  std::ostringstream text;
  explicit Redirect(std::ostream& s) : stream(s), before(s.rdbuf()) { s.rdbuf(text.rdbuf()); }
  ~Redirect() { stream.rdbuf(before); }
};

}  // namespace

TEST_CASE("context: a thousand simulations in one process, some of which fail") {
  for (int i = 0; i < 1'000; ++i) {
    Bench bench(i % 2 == 0 ? Kernel::Steps::run_ahead : Kernel::Steps::exact);
    REQUIRE(bench.now() == 0ns);
    REQUIRE(std::string(bench.kernel.name()) == "kernel");
    bench.add_named<Plain>("plain");
    Event event{bench.kernel, 10};
    bench.kernel.at<&Event::go>(1ns, &event);
    if (i % 5 == 0) {
      REQUIRE(bench.run_through(3ns) == Kernel::Ended::at_limit);
      continue;
    }
    REQUIRE(bench.run() == Kernel::Ended::idle);
    REQUIRE(bench.now() == 10ns);
  }
}

TEST_CASE("context: what was current before is current again") {
  sc_core::sc_simcontext* const before = sc_core::sc_get_curr_simcontext();
  {
    const ContextScope outer;
    const Plain module("same");
    {
      const ContextScope inner;
      const Plain other("same");
      CHECK(std::string(other.name()) == "same");
    }
    CHECK(sc_core::sc_find_object("same") == &module);
  }
  CHECK(sc_core::sc_get_curr_simcontext() == before);
}

TEST_CASE("context: a name given twice is an error") {
  const ContextScope scope;
  const Plain first("twice");
  CHECK_THROWS_WITH_AS(Plain("twice"), doctest::Contains("W505"), sc_core::sc_report);
}

TEST_CASE("context: errors are thrown, information is dropped, warnings go to standard error") {
  const ContextScope scope;
  CHECK_THROWS_AS(SC_REPORT_ERROR("test", "error"), sc_core::sc_report);
  CHECK_THROWS_AS(SC_REPORT_FATAL("test", "fatal"), sc_core::sc_report);
  const Redirect out(std::cout), err(std::cerr);
  SC_REPORT_INFO("test", "information");
  SC_REPORT_WARNING("test", "careful");
  CHECK(out.text.str().empty());
  CHECK(err.text.str().find("careful") != std::string::npos);
  CHECK(err.text.str().find("information") == std::string::npos);
}

}  // namespace gicsim
