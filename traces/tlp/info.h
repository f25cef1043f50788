// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/base/quantiles.h"
#include "traces/tlp/record.h"

namespace gicsim::tlp {

/// A trace of TLPs by its content: our own log, or a capture of NetTLP; beside that, FILE.hosts instead of FILE.pcap
/// may name its links. Null when it is neither.
std::unique_ptr<Source> open(const std::string& file);

/// What went over one link.
struct LinkInfo {
  struct Sum {
    std::uint64_t n = 0;
    Bytes bytes{};
  };
  std::map<std::pair<Direction, std::string>, Sum> sums;  ///< by type
  Quantiles reads;           ///< from a read's request to the last of its data, both at this link
  std::uint64_t unanswered = 0;    ///< requests, when the trace ends
};

/// A trace, read to its end.
struct Info {
  std::string file, format, note;
  std::uint64_t tlps = 0;
  Picoseconds begin{}, end{};
  std::map<std::string, LinkInfo> links;
};

/// @param source  is read to its end
Info survey(std::string file, Source& source);
std::string to_text(const Info& info);
/// gicsim.tlp_info/1
std::string to_json(const std::vector<Info>& all);

}  // namespace gicsim::tlp
