// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/source.h"

/// gicsim.schedule/1: all that a Step holds, as JSON Lines. A header, the steps of all ranks mixed, each rank's in
/// order, and at the end how many there were. Fields that are left out are 0, needs are of steps that ended, unless
/// they say otherwise:
///   {"schema":"gicsim.schedule/1","ranks":2,"hosts":["a","b"],"notes":["..."],"keys":{"ordering":"gpu_fence"}}
///   {"rank":0,"step":0,"action":"calc","time_ps":5000,"lane":1,"name":"gemm"}
///   {"rank":0,"step":1,"action":"send","peer":1,"tag":7,"bytes":64,"gap_ps":9,"needs":[0,[2,"issued"]],"began_ps":1,"ended_ps":3}
///   {"rank":1,"step":0,"action":"recv","tag":-1,"bytes":64}
///   {"end":"gicsim.schedule/1","steps":3}
/// A recv without a peer takes any, -1 is any tag.
namespace gicsim::schedule {

bool looks_like_schedule(std::string_view begin);

/// @param look_ahead  steps that are kept for ranks that aren't asked yet
/// @throws ConfigError, also when ranks are further apart than that
std::unique_ptr<Source> read_schedule(const std::string& file, std::size_t look_ahead = 1 << 19);

class ScheduleWriter {
 public:
  ScheduleWriter(std::ostream& out, std::size_t ranks, const std::vector<std::string>& hosts = {},
                 const std::vector<std::string>& notes = {}, const Keys& keys = {});
  void add(std::size_t rank, const Step& step);
  /// Without it a reader takes the file for cut off.
  void end();

 private:
  std::ostream& out_;
  std::uint64_t steps_ = 0;
};

/// All that is left of a source, a step of each rank in turn.
void write_schedule(Source& source, std::ostream& out);
void write_schedule(Source& source, std::ostream& out, const std::vector<std::string>& hosts,
                    const std::vector<std::string>& notes, const Keys& keys);

}  // namespace gicsim::schedule
