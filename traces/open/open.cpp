// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/open/open.h"

#include <array>
#include <filesystem>
#include <string_view>

#include "traces/chakra/source.h"
#include "traces/fabric/flows.h"
#include "traces/profile/kineto.h"
#include "traces/profile/nccl.h"
#include "traces/profile/nsight.h"
#include "traces/roce/schedule.h"
#include "traces/schedule/goal.h"
#include "traces/schedule/jsonl.h"
#include "traces/stream/input.h"

namespace gicsim::traces {
namespace {

bool looks_like_capture(std::string_view head) {
  constexpr std::array<std::string_view, 5> known{"\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x4d\x3c\xb2\xa1",
                                                  "\xa1\xb2\x3c\x4d", "\x0a\x0d\x0d\x0a"};
  for (const std::string_view magic : known)
    if (head.starts_with(magic)) return true;
  return false;
}

Opened open_capture(const std::vector<std::string>& files) {
  if (files.size() > 1)
    throw ConfigError(Location{files[1]},
                      "a second capture; give one, as the same messages may be in both (mergecap makes one of "
                      "captures of different hosts)");
  auto capture = std::make_unique<roce::CaptureSchedule>(files.front());
  Opened opened{nullptr, true, {{"pattern", "put"}}};
  if (capture->sends()) opened.suits.emplace_back("operation", "send");
  opened.source = std::move(capture);
  return opened;
}

template <auto Read>
Opened as_it_is(const std::vector<std::string>& files) {
  return {Read(files), false, {}};
}

/// All ranks are in it.
template <auto Read>
Opened one_file(const std::vector<std::string>& files) {
  if (files.size() > 1) throw ConfigError(Location{files[1]}, "a second file, but the first one holds all ranks");
  std::unique_ptr<schedule::Source> source = Read(files.front());
  const schedule::Keys keys = source->keys();
  return {std::move(source), false, keys};
}
std::unique_ptr<schedule::Source> htsim(const std::string& file) { return fabric::read_htsim(file); }
std::unique_ptr<schedule::Source> ns3(const std::string& file) { return fabric::read_ns3_flows(file); }
std::unique_ptr<schedule::Source> jsonl(const std::string& file) { return schedule::read_schedule(file); }

/// Of execution traces, a file a rank.
bool is_prefix(const std::string& name) {
  std::error_code ignored;
  const auto is_file = [&](const std::string& file) { return std::filesystem::is_regular_file(file, ignored); };
  return !std::filesystem::exists(name, ignored) && (is_file(name + ".0.et") || is_file(name + ".0.json"));
}

constexpr std::size_t beginning = 64 * 1024;  ///< octets, by which a format is known

struct Format {
  std::string_view name;
  bool (*fits)(std::string_view head);
  Opened (*open)(const std::vector<std::string>& files);
  Shape shape = Shape::file_a_rank;
};

/// The first one that fits is taken.
constexpr std::array formats{
    Format{"captures of RoCEv2 (pcap, pcapng)", looks_like_capture, open_capture, Shape::capture},
    Format{"gicsim.schedule/1", schedule::looks_like_schedule, one_file<jsonl>, Shape::one_file},
    Format{"GOAL", schedule::looks_like_goal, one_file<schedule::read_goal>, Shape::one_file},
    Format{"GOAL's binary form", schedule::looks_like_goal_binary, one_file<schedule::read_goal>, Shape::one_file},
    Format{"htsim's connection matrices", fabric::looks_like_htsim, one_file<htsim>, Shape::one_file},
    Format{"ns-3's flows", fabric::looks_like_ns3_flows, one_file<ns3>, Shape::one_file},
    Format{"Chakra's execution traces", chakra::looks_like_chakra, as_it_is<chakra::open>},
    Format{"PyTorch's profiler (Kineto)", profile::looks_like_kineto, as_it_is<profile::open_kineto>},
    Format{"Nsight Systems' SQLite exports", profile::looks_like_sqlite, as_it_is<profile::open_nsight>},
    Format{"NCCL's profiler plugin", profile::looks_like_nccl_profiler, as_it_is<profile::open_nccl_profiler>},
    Format{"NCCL's inspector plugin", profile::looks_like_nccl_inspector, as_it_is<profile::open_nccl_inspector>},
    Format{"NCCL's log", profile::looks_like_nccl_log, as_it_is<profile::open_nccl_log>},
    Format{"NCCL's RAS report", profile::looks_like_nccl_ras, as_it_is<profile::open_nccl_ras>},
};

}  // namespace

std::optional<Shape> shape_of(const std::string& file) {
  std::error_code ignored;
  if (is_prefix(file)) return Shape::file_a_rank;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  const std::string head = stream::Input(file).head(beginning);
  for (const Format& format : formats)
    if (format.fits(head)) return format.shape;
  return std::nullopt;
}

Opened open(const std::vector<std::string>& files) {
  if (is_prefix(files.front())) return as_it_is<chakra::open>(files);
  const std::string head = stream::Input(files.front()).head(beginning);
  if (head.empty()) throw ConfigError(Location{files.front()}, "an empty file");
  for (const Format& format : formats)
    if (format.fits(head)) return format.open(files);
  std::string known;
  for (const Format& format : formats) known += (known.empty() ? "" : ", ") + std::string(format.name);
  throw ConfigError(Location{files.front()}, "no trace of a known format; read are " + known);
}

}  // namespace gicsim::traces
