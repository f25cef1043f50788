// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "traces/import/detail/format.h"
#include "traces/result/read.h"

/// Our own gicsim.result/1, as runs, sweeps, the hardware back-end and imports write it.
namespace gicsim::imports::detail {
namespace {

bool detect(std::string_view head) { return begins(trimmed(head), "{") && has(head, "\"schema\":\"gicsim."); }

void read(Input& in, Found& found) {
  while (in.next()) {
    std::istringstream line{std::string(in.line())};
    try {
      if (std::optional<Record> record = RecordReader(line, "").next())
        found.hand_on(*std::move(record));
      else if (!trimmed(in.line()).empty())
        found.leave(in.number(), "lines that are no figures: what was skipped, samples, machines");
    } catch (const MalformedRecord& error) {
      found.mistake(in.number(), 1, std::string(error.what()).substr(4));  // ":1: "
    }
  }
}

}  // namespace

const Format records{"gicsim records", detect, read};

}  // namespace gicsim::imports::detail
