// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>

#include "models/base/source.h"
#include "scenarios/schema/block.h"
#include "tests/support/files.h"
#include "traces/text/node.h"

/// Where parameters say that they come from, in C++ and in configs/.
namespace gicsim {
namespace {

struct Claim {
  std::string kind, text, at;
};

void collect(const text::Node& node, std::vector<Claim>& claims) {
  for (const text::Member& member : node.members) {
    const auto* end = std::end(provenance_names);
    if (std::find(std::begin(provenance_names), end, member.key) != end)
      claims.push_back({member.key, member.value.value, to_text(member.at)});
    collect(member.value, claims);
  }
  for (const text::Node& item : node.items) collect(item, claims);
}

std::vector<Claim> all_claims() {
  std::vector<Claim> claims;
  for (const schema::Block& block : schema::blocks())
    for (const schema::Field& field : block.fields)
      if (!field.source.by_part)
        claims.push_back({std::string(name_of(field.source.kind)), std::string(field.source.text),
                          std::string(block.kind) + "." + std::string(field.name)});
  for (const auto& file : std::filesystem::recursive_directory_iterator(source_root() + "/configs"))
    if (file.path().extension() == ".yaml") collect(text::load(file.path().string()), claims);
  return claims;
}

TEST_CASE("sources: each assumption has its entry, each entry its parameter") {
  std::set<std::string> used, written;
  for (const Claim& claim : all_claims()) {
    if (claim.kind != "assumed") continue;
    INFO(claim.at << " assumes '" << claim.text << "'");
    CHECK(std::regex_match(claim.text, std::regex("A-[0-9]{3}")));
    used.insert(claim.text);
  }
  const std::string page = contents(source_root() + "/docs/assumptions.md");
  const std::regex heading("(^|\n)## (A-[0-9]{3}) ");
  for (std::sregex_iterator at(page.begin(), page.end(), heading), end; at != end; ++at)
    CHECK(written.insert((*at)[2]).second);
  for (const std::string& one : used) CHECK_MESSAGE(written.count(one) == 1, one, " has no entry");
  for (const std::string& one : written) CHECK_MESSAGE(used.count(one) == 1, one, " is no parameter's");
}

/// What a data set may be used for, by the rule in the reference's own head.
struct DataSet {
  std::string use;
  std::set<std::string>
      open;  ///< rows and keys that parameters may be fitted on, or that are notes
};

/// Why a source text must not stand; nothing when it may.
std::string forbidden(const std::string& text, const std::map<std::string, DataSet>& sets) {
  for (const auto& [id, set] : sets) {
    for (std::size_t at = 0; (at = text.find(id, at)) != text.npos; at += id.size()) {
      const char after = at + id.size() < text.size() ? text[at + id.size()] : ' ';
      if (std::isalnum(static_cast<unsigned char>(after)) || after == '_') continue;  // a longer id
      if (set.use == "check") return id + " is there to check against";
      if (set.use != "mixed") continue;
      std::smatch row;
      const std::string rest = text.substr(at + id.size());
      if (!std::regex_search(rest, row, std::regex("^#(row ?)?([A-Za-z0-9_]+)")))
        return id + " is mixed: name the row, as in " + id + "#3";
      if (set.open.count(row[2]) == 0)
        return id + "#" + row[2].str() + " is there to check against";
    }
  }
  return {};
}

TEST_CASE("sources: the rule itself") {
  const std::map<std::string, DataSet> sets{
      {"t9", {"check", {}}}, {"t5", {"mixed", {"0", "peak"}}}, {"t4", {"fit", {}}}};
  CHECK(forbidden("t4, P-IB", sets) == "");
  CHECK(forbidden("t9: row 1", sets) != "");
  CHECK(forbidden("t99", sets) == "");
  CHECK(forbidden("t5", sets) != "");
  CHECK(forbidden("t5#0", sets) == "");
  CHECK(forbidden("t5#row 0", sets) == "");
  CHECK(forbidden("t5#peak", sets) == "");
  CHECK(forbidden("t5#1", sets) != "");
}

TEST_CASE("sources: no parameter comes from what it is checked against") {
  const std::string file = source_root() + "/validate/reference/measurements.yaml";
  if (!std::filesystem::exists(file)) return;
  std::map<std::string, DataSet> sets;
  const text::Node root = text::load(file);
  REQUIRE(root.find("datasets"));
  for (const text::Node& item : root.find("datasets")->value.items) {
    REQUIRE(item.find("id"));
    REQUIRE(item.find("use"));
    DataSet& set = sets[item.find("id")->value.value];
    set.use = item.find("use")->value.value;
    for (const char* list : {"fit_rows", "fit_keys", "note_rows"})
      if (const text::Member* rows = item.find(list))
        for (const text::Node& row : rows->value.items) set.open.insert(row.value);
  }
  CHECK(sets.size() > 10);
  for (const Claim& claim : all_claims()) {
    INFO(claim.at << ": " << claim.text);
    CHECK(forbidden(claim.text, sets) == "");
  }
}

}  // namespace
}  // namespace gicsim
