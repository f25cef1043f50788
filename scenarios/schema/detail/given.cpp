// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/given.h"

#include "scenarios/schema/hint.h"

namespace gicsim::schema::detail {
namespace {

using Kind = text::Node::Kind;

std::vector<std::string> source_words() {
  return {std::begin(provenance_names), std::end(provenance_names)};
}

std::optional<Provenance> provenance(std::string_view word) {
  for (std::size_t i = 0; i < std::size(provenance_names); ++i)
    if (provenance_names[i] == word) return static_cast<Provenance>(i);
  return std::nullopt;
}

/// The one provenance among a map's members; `value` takes what stands under `is`.
std::optional<Origin> origin_in(const text::Member& map, const text::Member** value,
                                Mistakes& mistakes) {
  std::optional<Origin> found;
  bool good = true;
  const auto wrong = [&](const Location& at, std::string what) {
    mistakes.push_back({at, map.key + ": " + std::move(what)});
    good = false;
  };
  for (const text::Member& member : map.value.members) {
    if (value && member.key == "is") {
      *value = &member;
      continue;
    }
    const std::optional<Provenance> kind = provenance(member.key);
    if (!kind) {
      std::vector<std::string> words = source_words();
      if (value) words.insert(words.begin(), "is");
      wrong(member.at,
            "'" + member.key + "' is none of " + listed(words) + did_you_mean(member.key, words));
    } else if (found) {
      wrong(member.at, "a second source; give one");
    } else if (const auto where = scalar(member, mistakes); !where) {
      good = false;
    } else {
      found = Origin{*kind, *where};
    }
  }
  if (!good) return std::nullopt;
  return found;
}

}  // namespace

std::optional<std::string> scalar(const text::Member& member, Mistakes& mistakes) {
  if (member.value.kind == Kind::scalar) return member.value.value;
  mistakes.push_back({member.value.at, member.key + ": holds " +
                                           std::string(text::word_for(member.value.kind)) +
                                           "; write one value"});
  return std::nullopt;
}

std::optional<Origin> origin(const text::Member& member, Mistakes& mistakes) {
  const std::size_t before = mistakes.size();
  std::optional<Origin> found;
  if (member.value.kind == Kind::map) found = origin_in(member, nullptr, mistakes);
  if (!found && mistakes.size() == before)
    mistakes.push_back({member.value.at, member.key +
                                             ": names no source; write it like {datasheet: "
                                             "'its title'}, one of " +
                                             listed(source_words())});
  return found;
}

std::optional<Given> given(const text::Member& member, Layer layer,
                           const std::optional<Origin>& otherwise, Mistakes& mistakes) {
  Given result;
  result.key = member.key;
  result.key_at = member.at;
  result.layer = layer;
  const text::Member* value = &member;
  std::optional<Origin> source = otherwise;
  if (member.value.kind == Kind::map) {
    value = nullptr;
    const std::size_t before = mistakes.size();
    if (auto own = origin_in(member, &value, mistakes)) source = std::move(own);
    if (!value && mistakes.size() == before)
      mistakes.push_back({member.value.at, member.key + ": lacks its value; write it like "
                                                        "{is: 15 ns, datasheet: 'where'}"});
    if (mistakes.size() != before) return std::nullopt;
  }
  const std::optional<std::string> text =
      value == &member ? scalar(member, mistakes)
                       : scalar({member.key, value->at, value->value}, mistakes);
  if (!text) return std::nullopt;
  result.value = *text;
  result.at = value->value.at;
  if (!source) {
    mistakes.push_back({result.at, member.key + ": has no source; write {is: " + *text +
                                       ", datasheet: 'where'}, or a 'source:' for the whole file"});
    return std::nullopt;
  }
  result.provenance = source->provenance;
  result.source = source->text;
  return result;
}

std::vector<Given> all_given(const text::Member& map, Layer layer,
                             const std::optional<Origin>& otherwise, Mistakes& mistakes) {
  std::vector<Given> all;
  if (map.value.kind == Kind::null) return all;
  if (map.value.kind != Kind::map) {
    mistakes.push_back({map.value.at, map.key + ": holds " +
                                          std::string(text::word_for(map.value.kind)) +
                                          "; write one 'name: value' a line"});
    return all;
  }
  for (const text::Member& member : map.value.members)
    if (auto one = given(member, layer, otherwise, mistakes)) all.push_back(*std::move(one));
  return all;
}

}  // namespace gicsim::schema::detail
