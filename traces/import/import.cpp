// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/import.h"

#include <fmt/format.h>

#include "traces/import/detail/format.h"

namespace gicsim::imports {
namespace {

/// The narrower comes first: a nccl-tests log holds lines of NCCL, an nvshmem log may hold anything above its table.
constexpr std::array formats = {&detail::records,          &detail::perftest_json, &detail::nccl_tests_json,
                                &detail::nvbandwidth_json, &detail::nvshmem,       &detail::nccl_tests,
                                &detail::nvbandwidth,      &detail::gdrcopy,       &detail::perftest};

}  // namespace

Imported read(std::istream& in, const std::string& file, const Said& said, const Sink& sink) {
  detail::Input input(in, file);
  const std::string_view head = input.head();
  if (detail::trimmed(head).empty()) throw ConfigError(Location{file}, "is empty");
  for (const detail::Format* format : formats) {
    if (!format->detect(head)) continue;
    detail::Found found(file, said, sink);
    format->read(input, found);
    return found.finish(format->name);
  }
  std::string known;
  for (const detail::Format* format : formats) known += fmt::format("{}{}", known.empty() ? "" : ", ", format->name);
  throw ConfigError(Location{file},
                    "no format that is known here; give the whole output, with the lines above its "
                    "table. Known are " +
                        known);
}

std::string to_text(const Imported& imported, const std::string& file) {
  std::string text =
      fmt::format("{}: {}, {} record{}", file, imported.format, imported.records, imported.records == 1 ? "" : "s");
  for (const Left& left : imported.left)
    text += fmt::format("\n{}:{}: left out: {}{}", file, left.line, left.why,
                        left.count > 1 ? fmt::format(" ({} times; this is the first)", left.count) : "");
  return text;
}

}  // namespace gicsim::imports
