// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/errors.h"
#include "models/base/source.h"
#include "traces/text/node.h"

namespace gicsim::schema::detail {

/// Who gave a value; a later one wins.
enum class Layer { part, system, scenario, command_line };

/// A value as somebody wrote it.
struct Given {
  std::string key;  ///< parameter, path or scenario key
  std::string value;
  Provenance provenance = Provenance::user;
  std::string source;
  Location key_at, at;
  Layer layer = Layer::scenario;
  bool good = true;  ///< false: reported already, so it must not be read
};

struct Origin {
  Provenance provenance = Provenance::user;
  std::string text;
};

using Mistakes = std::vector<Mistake>;

/// A scalar's text; nothing, and a mistake, when it is something else.
std::optional<std::string> scalar(const text::Member& member, Mistakes& mistakes);

/// `source: {datasheet: where}`.
std::optional<Origin> origin(const text::Member& member, Mistakes& mistakes);

/// `name: value` or `name: {is: value, paper: where}`. A bare value takes `otherwise`; with
/// neither it is a mistake.
std::optional<Given> given(const text::Member& member, Layer layer,
                           const std::optional<Origin>& otherwise, Mistakes& mistakes);

/// All of a map; a member that is no map is a mistake.
std::vector<Given> all_given(const text::Member& map, Layer layer,
                             const std::optional<Origin>& otherwise, Mistakes& mistakes);

}  // namespace gicsim::schema::detail
