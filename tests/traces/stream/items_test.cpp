// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/stream/items.h"

#include <doctest/doctest.h>

#include "tests/support/files.h"
#include "tests/support/shell.h"

using namespace gicsim;
using namespace gicsim::stream;

namespace {

std::string all_of(const std::string& file, Items::Of of) {
  Input in(file);
  Items items(in, of);
  std::string told;
  for (Item item; items.next(item);)
    told += item.key + (item.element ? "[]" : "") + "=" + item.text + "@" + std::to_string(item.at) + " ";
  return told;
}

}  // namespace

TEST_CASE("items: an object's members, of lists each element") {
  const Folder folder;
  const std::string file = folder.write("a.json", R"({"n": 1, "e": [{"a": "]}"}, 2 ,"\"x"], "z": [], "o": {"p": [1]}})"
                                                  "\n");
  CHECK(all_of(file, Items::Of::members) == R"(n=1@6 e[]={"a": "]}"}@15 e[]=2@28 e[]="\"x"@31 o={"p": [1]}@53 )");
  CHECK(all_of(folder.write("b.json", "[1, {\"a\": 2}, {}]"), Items::Of::members) ==
        R"([]=1@1 []={"a": 2}@4 []={}@14 )");
  CHECK(all_of(folder.write("c.json", "{\"a\": 1}\n{\"b\": [2]}{}"), Items::Of::values) ==
        R"(={"a": 1}@0 ={"b": [2]}@9 ={}@19 )");
  CHECK(all_of(folder.write("d.json", "[{\"a\":1},\n]"), Items::Of::members) == R"([]={"a":1}@1 )");
}

TEST_CASE("items: what is cut off or stands where it can't is told with its octet") {
  const Folder folder;
  const auto said = [&](const std::string& text, Items::Of of = Items::Of::members) {
    const std::string file = folder.write("x.json", text);
    return folder.relative(mistakes_of([&] { all_of(file, of); }));
  };
  CHECK(said("") == "x.json: byte 0: the file ends inside JSON; it was cut off");
  CHECK(said("{\"a\": [1, {\"b\"") ==
        "x.json: byte 14: the file ends inside a value that begins at byte 10; it was cut off");
  CHECK(said("{\"a\": [1, 2") == "x.json: byte 11: the file ends inside JSON; it was cut off");
  CHECK(said("{\"abc") == "x.json: byte 5: the file ends inside a string that begins at byte 1; it was cut off");
  CHECK(said("{\"a\" 1}") == "x.json: byte 5: '1' where ':' is expected");
  CHECK(said("[1 2]") == "x.json: byte 3: '2' where ',' or ']' is expected");
  CHECK(said("{} x") == "x.json: byte 3: 'x' where the end of the file is expected");
  CHECK(said("\x01") == "x.json: byte 0: 0x01 where '{' or '[' is expected");
  CHECK(holds(said("{\"a\": ]", Items::Of::members), "']' where a value"));
}

TEST_CASE("items: gzip is unpacked, and told where it ends too early or doesn't fit its checksum") {
  const Folder folder;
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919 % 100'003) + ",";
  const std::string file = folder.write("a.json", text + "0]"), packed = folder.path() + "/a.json.gz";
  REQUIRE(std::system(("gzip -k " + file).c_str()) == 0);
  CHECK(all_of(packed, Items::Of::members) == all_of(file, Items::Of::members));
  const std::string octets = contents(packed);
  const auto said = [&](const std::string& broken) {
    const std::string name = folder.write("b.gz", broken);
    return folder.relative(mistakes_of([&] { all_of(name, Items::Of::members); }));
  };
  CHECK(holds(said(octets.substr(0, octets.size() / 2)), "the file ends inside what is gzipped; it was cut off"));
  std::string flipped = octets;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x10);
  CHECK(holds(said(flipped), "b.gz: byte "));
}

TEST_CASE("items: what can't be opened, and memory by what is there") {
  CHECK(holds(mistakes_of([] { Input in("/nowhere/x.json"); }), "can't be opened"));
  const Folder folder;
  CHECK(holds(mistakes_of([&] { Input in(folder.path()); }), "is a folder"));
  Input in(folder.write("c", "abc"));
  CHECK(in.head(10) == "abc");
  CHECK(in.get() == 'a');
  CHECK(in.position() == 1);
  in.rewind();
  CHECK(in.get() == 'a');
}
