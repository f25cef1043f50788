// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/text/node.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace gicsim::text {
namespace {

std::string wrong(std::string_view yaml) {
  try {
    parse(yaml, "f.yaml");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("text: keys and values know their places") {
  const Node root = parse("a: 1\nlist:\n  - x\n  - {k: v}\nempty:\nquoted: 'null'\n", "f.yaml");
  REQUIRE(root.kind == Node::Kind::map);
  CHECK(to_text(root.find("a")->at) == "f.yaml:1:1");
  CHECK(to_text(root.find("a")->value.at) == "f.yaml:1:4");
  const Node& list = root.find("list")->value;
  REQUIRE(list.items.size() == 2);
  CHECK(to_text(list.items[1].find("k")->value.at) == "f.yaml:4:9");
  CHECK(root.find("empty")->value.kind == Node::Kind::null);
  CHECK(to_text(root.find("empty")->value.at) == "f.yaml:5:1");
  CHECK(root.find("quoted")->value.value == "null");
  CHECK(root.find("absent") == nullptr);
}

TEST_CASE("text: a key given twice is a mistake, and the first one stays") {
  std::vector<Mistake> mistakes;
  const auto root = parse("rate: 1\nb: 2\nrate: 3\nrate: 4\nm: {x: 1, x: 2}\n", "f.yaml", mistakes);
  REQUIRE(root);
  CHECK(root->find("rate")->value.value == "1");
  REQUIRE(mistakes.size() == 3);
  std::string all = ConfigError(mistakes).what();
  CHECK(all.find("f.yaml:3:1: rate: given twice (first on line 1)") != all.npos);
  CHECK(all.find("f.yaml:4:1: rate: given twice (first on line 1)") != all.npos);
  CHECK(all.find("f.yaml:5:11: x: given twice (first on line 5)") != all.npos);
}

TEST_CASE("text: what can't be read says where and what to do") {
  CHECK(wrong("") == "f.yaml: is empty");
  CHECK(wrong("# only this\n") == "f.yaml: is empty");
  CHECK(wrong("a: 1\n\tb: 2\n") == "f.yaml:2:1: a tab; indent with blanks");
  CHECK(wrong("a: b: c\n").find("f.yaml:1:5: a ': ' that doesn't belong") == 0);
  CHECK(wrong("a: [1, 2\n").find("f.yaml:2:1: a '[' without its ']'") == 0);
  CHECK(wrong("a: 'x\nb: 1\n") == "f.yaml:1:4: a quote that is never closed");
  CHECK(wrong("a: \"x\nb: 1\n").find("a quote that is never closed") != std::string::npos);
  CHECK(wrong("a: 'it''s'\nb: ''\nc: \"x\\\"y\"\n") == "");
  CHECK(wrong("a: 1\n---\nb: 2\n").find("a second document") != std::string::npos);
  CHECK(wrong(std::string_view("a\0b", 3)) == "f.yaml: not a text file");
  CHECK(wrong("? [a]\n: 1\n").find("as a key") != std::string::npos);
}

TEST_CASE("text: aliases and deep nesting end quickly") {
  CHECK(wrong("a: &x [1]\nb: *x\n") == "f.yaml:2:4: an alias ('*name'); write the value out");
  std::string bomb = "l0: &l0 [x, x]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "*l" + std::to_string(i - 1);
    const std::string name = "l" + std::to_string(i);
    bomb += name + ": &" + name + " [" + before + ", " + before + "]\n";
  }
  CHECK(wrong(bomb).find("an alias") != std::string::npos);
  CHECK(wrong(std::string(100'000, '[')).find("f.yaml:1:") == 0);
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  CHECK(wrong(deep).find("nested deeper than 64 levels") != std::string::npos);
}

TEST_CASE("text: files that aren't there, or aren't files") {
  const auto says = [](const std::string& path) {
    std::vector<Mistake> mistakes;
    CHECK_FALSE(load(path, mistakes, "shown.yaml"));
    return std::string(ConfigError(mistakes).what());
  };
  const auto folder = std::filesystem::temp_directory_path() / "gicsim_text_test";
  std::filesystem::create_directories(folder);
  CHECK(says((folder / "absent.yaml").string()) == "shown.yaml: no such file");
  CHECK(says(folder.string()) == "shown.yaml: a directory; give a file");
  std::ofstream(folder / "dos.yaml", std::ios::binary) << "a: 1\r\nb: x y\r\n";
  const Node dos = load((folder / "dos.yaml").string());
  CHECK(dos.find("b")->value.value == "x y");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gicsim::text
