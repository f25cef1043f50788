// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/traces/chakra/support.h"

using namespace gicsim;
using namespace gicsim::chakra;

namespace {

std::string said(const Folder& folder, const std::string& text, const std::string& name = "x.0.et") {
  const std::string file = folder.write(name, text);
  return folder.relative(mistakes_of([&] { all_steps(*open({file})); }));
}

}  // namespace

TEST_CASE("chakra: a file that was cut off says at which byte, wherever the cut is") {
  const Folder folder;
  const std::string whole = contents(sample("train.0.et"));
  std::size_t silent = 0;
  for (std::size_t n = 1; n < whole.size(); ++n) {
    const std::string what = said(folder, whole.substr(0, n));
    if (what.empty())
      ++silent;  // between two messages
    else
      CHECK(holds(what, "byte " + std::to_string(n) + ": the file ends inside a message"));
  }
  CHECK(silent == 12);
  CHECK(said(folder, "") == "x.0.et: is empty");
}

TEST_CASE("chakra: no octet that is changed makes it crash") {
  const Folder folder;
  const std::string whole = contents(sample("train.0.et"));
  for (std::size_t i = 0; i < whole.size(); i += 3) {
    std::string text = whole;
    text[i] = static_cast<char>(text[i] ^ (1 << i % 8));
    said(folder, text);
  }
}

TEST_CASE("chakra: lengths are believed as far as the file goes") {
  const Folder folder;
  CHECK(said(folder, metadata + "\xff\xff\xff\x1f"
                                "abc") ==
        "x.0.et: byte 15: the file ends inside a message of 67108863 B that begins at byte 12; it was cut off");
  CHECK(holds(said(folder, metadata + "\xff\xff\xff\xff\x0f"), "a message of 4294967295 B; 67108864 B are the most"));
  CHECK(holds(said(folder, metadata + std::string(6, '\xff') + "\x01"), "a message's length of more than five bytes"));
  CHECK(holds(said(folder, metadata + message(number(1, 1) + "\x12\xff\xff\x03")),
              "a field of 65535 B in a message with 0 B left"));
  CHECK(holds(said(folder, metadata + message("\x08\xff")), "a number that goes on behind its message"));
  CHECK(holds(said(folder, metadata + message(std::string("\x08") + std::string(11, '\xff'))),
              "a number of more than ten bytes"));
  CHECK(holds(said(folder, metadata + message(number(1, 1) + "\x0b")), "11 begins no field"));
  CHECK(holds(said(folder, metadata + message(number(1, 1) + octets(5, "\xff"))), "a dependency that isn't whole"));
}

TEST_CASE("chakra: values that can't be") {
  const Folder folder;
  const auto collective = [](std::uint64_t bytes) {
    return Made{.id = 1, .type = 7, .attributes = attribute("comm_size", 9, bytes) + attribute("comm_type", 9, 0)}
        .text();
  };
  folder.write("x.1.et", metadata + Made{.id = 1}.text());
  const auto both = [&](const std::string& text) {
    folder.write("x.0.et", metadata + text);
    return folder.relative(mistakes_of([&] { all_steps(*open({folder.path() + "/x"})); }));
  };
  CHECK(holds(both(collective(~0ull)), "node 1 'n': comm_size: -1 B can't be"));
  CHECK(holds(both(collective(1ull << 60)), "comm_size: 1152921504606846976 B can't be"));
  CHECK(holds(both(Made{.id = 1, .us = ~0ull}.text()), "it begins at 0 us and takes -1 us"));
  CHECK(holds(both(Made{.id = 1}.text() + Made{.id = 1}.text()), "node 1 'n': there is one of that id already"));
  CHECK(holds(both(Made{.id = 1, .type = 5, .attributes = attribute("comm_dst", 7, 1)}.text()),
              "a send without comm_size"));
  CHECK(holds(
      both(Made{.id = 1,
                .type = 7,
                .attributes = attribute("comm_size", 9, 8) + attribute("comm_type", 9, 5) + attribute("root", 9, 9)}
               .text()),
      "its root, rank 9, isn't in its group"));
}

TEST_CASE("chakra: whose file it is") {
  const Folder folder;
  const std::string one = metadata + Made{}.text();
  const std::string a = folder.write("a.0.et", one), b = folder.write("b.0.et", one), c = folder.write("c.et", one),
                    d = folder.write("d.99999999.et", one);
  const auto of = [&](const std::vector<std::string>& files) {
    return folder.relative(mistakes_of([&] { open(files); }));
  };
  CHECK(of({a, b}) == "b.0.et: is of rank 0, as a.0.et is");
  CHECK(of({a, c}) == "c.et: whose trace is it? Call it PREFIX.RANK.et");
  CHECK(of({c}).empty());
  CHECK(of({d}) == "d.99999999.et: rank 99999999; 1048576 are the most");
  CHECK(of({folder.path() + "/none"}) == "none: no such file, and no none.0.et beside it");
  CHECK(holds(said(folder, R"({"schema": "1.0.2-chakra.0.0.4", "nodes": []})", "h.0.json"),
              "convert it (chakra_converter)"));
}

TEST_CASE("chakra: told by its first octets, and nothing else is") {
  CHECK(looks_like_chakra(contents(sample("train.0.et"))));
  CHECK(looks_like_chakra(contents(sample("train.0.et")).substr(0, 100)));
  CHECK(looks_like_chakra(contents(sample("jsonizer.0.json"))));
  CHECK(looks_like_chakra(contents(sample("feeder.0.json"))));
  CHECK(looks_like_chakra(std::string(1, '\0') + Made{.id = 1}.text()));
  for (const char* other : {"num_ranks 2\nrank 0 {\n}\n", "Nodes 4\nConnections 3\n", "{\"traceEvents\": []}",
                            "SQLite format 3", "#bytes #iterations", "\xd4\xc3\xb2\xa1\x02", "\x0a\x0d\x0d\x0a\x1c",
                            "\x1f\x8b\x08", "", "[\n{\"name\": \"Group\"}"})
    CHECK_FALSE(looks_like_chakra(other));
}
