// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "hw_backend/core/beside.h"
#include "hw_backend/core/error.h"
#include "hw_backend/core/options.h"
#include "hw_backend/core/session.h"

namespace gicsim::hw {
namespace {

Options given(std::vector<const char*> words) {
  words.insert(words.begin(), "gicsim-hw");
  return parse(static_cast<int>(words.size()), words.data());
}

std::string wrong(std::vector<const char*> words) {
  try {
    given(std::move(words));
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("options: keys and options in any order") {
  const Options o = given({"run", "fence", "--repeats", "3", "-o", "x.jsonl", "put", "--connect", "node2:4000"});
  CHECK(o.command == Options::Command::run);
  CHECK(o.keys == std::vector<std::string>{"fence", "put"});
  CHECK(o.repeats == 3);
  CHECK(o.out == "x.jsonl");
  CHECK(o.meet == Options::Meet::connect);
  CHECK(o.address == "node2");
  CHECK(o.port == 4000);
  CHECK(given({"run", "--listen", "4001"}).port == 4001);
  CHECK(given({}).command == Options::Command::help);
}

TEST_CASE("options: each mistake says what to write") {
  CHECK(wrong({"rnu"}) == "'rnu' is no command; write list, run, doctor or kit");
  CHECK(wrong({"run", "--repeats", "x"}) == "--repeats: 'x' is no whole number from 1 to 1000");
  CHECK(wrong({"run", "-o"}) == "-o: nothing follows; write '-o FILE.jsonl'");
  CHECK(wrong({"run", "--connect", "node2"}) == "--connect: 'node2' is no HOST:PORT; write '--connect node2:18515'");
  CHECK(wrong({"run", "--listen", "1", "--connect", "a:1"}) == "--listen and --connect: one end listens, the other connects");
  CHECK(wrong({"list", "fence"}) == "list: takes no 'fence'");
}

TEST_CASE("samples: a quantile between ranks") {
  CHECK(quantile({4, 1, 3, 2}, 0.5) == 2.5);
  CHECK(quantile({7}, 0.99) == 7);
  CHECK(quantile({1, 2, 3}, 1) == 3);
}

TEST_CASE("kit: a measurement meets the prediction that agrees in every key that both have") {
  Record predicted;
  predicted.where = {{"bytes", std::int64_t{8}}, {"ordering", std::string("gpu_fence")}, {"library", std::string("minimal")}};
  predicted.value = 4000;
  Record measured = predicted;
  measured.where = {{"bytes", std::int64_t{8}}, {"ordering", std::string("gpu_fence")}};
  measured.value = 3200;
  std::ostringstream table;
  beside({predicted}, {measured}, table);
  CHECK(table.str().find("4000         3200 ns        +25.0%") != std::string::npos);
  measured.where[0].second = std::int64_t{16};
  std::ostringstream none;
  beside({predicted}, {measured}, none);
  CHECK(none.str().find("4000            - ns             -") != std::string::npos);
}

}  // namespace
}  // namespace gicsim::hw
