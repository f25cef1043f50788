// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traces/text/node.h"

namespace gicsim::text {

/// XML, as the same tree. An element is a map: `value` holds its tag, `members` its attributes, `items` the elements in
/// it, all at the place of its '<'. Text between elements is passed over. A document type is refused, and with it every
/// entity that could unfold.
std::optional<Node> parse_xml(std::string_view text, const std::string& filename, std::vector<Mistake>& mistakes);

}  // namespace gicsim::text
