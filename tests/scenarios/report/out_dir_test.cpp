// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/out_dir.h"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "models/base/errors.h"
#include "scenarios/report/detail/pending_file.h"
#include "scenarios/report/json.h"
#include "tests/scenarios/report/example.h"

namespace gicsim::report {
namespace {

namespace fs = std::filesystem;

struct Scratch {
  fs::path path;
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "gicsim_out_XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Scratch() { fs::remove_all(path); }
};

std::string content(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST_CASE("out dir: three files in a folder that didn't exist, nothing else") {
  const Scratch scratch;
  const fs::path folder = scratch.path / "a" / "b";
  OutDir(folder).write(example(), "bytes: 8 B\n");
  CHECK(names_in(folder) == std::set<std::string>{"config.yaml", "report.json", "run.json"});
  CHECK(content(folder / "report.json") == json(example()));
  CHECK(content(folder / "config.yaml") == "bytes: 8 B\n");
  CHECK(content(folder / "run.json").find("\"events_per_second\": 200000.0") != std::string::npos);
}

TEST_CASE("out dir: one file that cannot be replaced, and the others still hold what they held") {
  const Scratch scratch;
  OutDir(scratch.path).write(example(), "old\n");
  fs::remove(scratch.path / "report.json");
  fs::create_directories(scratch.path / "report.json" / "in_the_way");
  CHECK_THROWS_AS(OutDir(scratch.path).write(example(), "new\n"), HardwareError);
  CHECK(content(scratch.path / "config.yaml") == "old\n");
  CHECK(names_in(scratch.path) == std::set<std::string>{"config.yaml", "report.json", "run.json"});
}

TEST_CASE("out dir: a file that wasn't published leaves no trace") {
  const Scratch scratch;
  {
    const detail::PendingFile file(scratch.path / "report.json", "half");
    CHECK(names_in(scratch.path).size() == 1);
    CHECK_FALSE(fs::exists(scratch.path / "report.json"));
  }
  CHECK(names_in(scratch.path).empty());
}

TEST_CASE("out dir: a folder that cannot be is said at once") {
  const Scratch scratch;
  std::ofstream(scratch.path / "file") << "x";
  CHECK_THROWS_AS(OutDir(scratch.path / "file" / "sub"), HardwareError);
  CHECK_THROWS_AS(OutDir(scratch.path / "file"), HardwareError);
}

volatile std::sig_atomic_t interrupted = 0;

TEST_CASE("out dir: Ctrl-C waits until the files are whole") {
  const auto before = std::signal(SIGINT, [](int) { interrupted = 1; });
  {
    const detail::SignalsHeld held;
    std::raise(SIGINT);
    CHECK(interrupted == 0);
  }
  CHECK(interrupted == 1);
  std::signal(SIGINT, before);
}

}  // namespace
}  // namespace gicsim::report
