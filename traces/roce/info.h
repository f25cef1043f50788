// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "traces/roce/lost.h"
#include "traces/roce/survey.h"

/// RoCEv2 captures: what is in them.
namespace gicsim::roce {

/// One capture, read to its end.
struct Info {
  std::string file, format;
  std::uint32_t snaplen = 0;
  Survey survey;
  std::string delivered_file;
  std::optional<Lost> lost;
};

/// @param delivered  the same run behind the place of loss; empty: none
/// @throws ConfigError for what isn't a capture, or is damaged
Info read_info(const std::string& file, const std::string& delivered = {});

std::string to_text(const Info& info);
/// gicsim.trace/1
std::string to_json(const std::vector<Info>& all);

}  // namespace gicsim::roce
