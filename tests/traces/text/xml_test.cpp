// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/text/xml.h"

#include <doctest/doctest.h>

#include "tests/support/files.h"

namespace gicsim::text {
namespace {

struct Result {
  std::optional<Node> root;
  std::string wrong;
};

Result parse(const std::string& text) {
  Result result;
  std::vector<Mistake> mistakes;
  result.root = parse_xml(text, "f.xml", mistakes);
  if (!mistakes.empty()) result.wrong = ConfigError(mistakes).what();
  return result;
}

TEST_CASE("xml: tags, attributes and children, each with its place") {
  const auto root = parse("<?xml version=\"1.0\"?>\n<a x='1'>\n  <b y=\"&lt;2\"/><!-- c --> text\n  <b/>\n</a>\n").root;
  REQUIRE(root);
  CHECK(root->value == "a");
  CHECK(root->at.line == 2);
  REQUIRE(root->find("x") != nullptr);
  CHECK(root->find("x")->value.value == "1");
  REQUIRE(root->items.size() == 2);
  CHECK(root->items[0].find("y")->value.value == "<2");
  CHECK(root->items[0].at.line == 3);
  CHECK(root->items[0].at.column == 3);
  CHECK(root->items[1].at.line == 4);
}

TEST_CASE("xml: what is cut off or crossed says where it began") {
  CHECK(holds(parse("<a>\n  <b>\n").wrong, "ends inside <b> of line 2; give the whole file"));
  CHECK(holds(parse("<a>\n  <b x=").wrong, "f.xml:2:3: ends inside <a> of line 1"));
  CHECK(holds(parse("<a>\n<b></a>").wrong, "f.xml:2:6: closes another element than <b> of line 2"));
  CHECK(holds(parse("<a/><b/>").wrong, "f.xml:1:5: goes on behind its last '>'"));
  CHECK(holds(parse("").wrong, "ends before its first element"));
  CHECK(holds(parse("<a x='1' x='2'/>").wrong, "an attribute that is given twice"));
  CHECK(holds(parse("<a>\x01</a>").wrong, "no XML: "));
}

TEST_CASE("xml: entities don't unfold, depth and number are bounded") {
  CHECK(holds(parse("<!DOCTYPE a [<!ENTITY b 'b'>]><a>&b;</a>").wrong, ": a document type"));
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  CHECK(holds(parse(deep).wrong, "nested deeper than 64 levels"));
  std::string many = "<a>";
  for (int i = 0; i < 70'000; ++i) many += "<b/>";
  CHECK(holds(parse(many + "</a>").wrong, "more than 65536 elements"));
}

}  // namespace
}  // namespace gicsim::text
