// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/open/open.h"

#include <string_view>

#include "traces/roce/opened.h"
#include "traces/roce/schedule.h"

namespace gicsim::traces {
namespace {

/// What a file begins with.
std::string beginning(const std::string& file) {
  std::ifstream in = roce::opened(file);
  std::string text(64 * 1024, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

bool looks_like_capture(std::string_view text) {
  const std::string_view magic = text.substr(0, 4);
  for (const std::string_view known : {"\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x4d\x3c\xb2\xa1", "\xa1\xb2\x3c\x4d", "\x0a\x0d\x0d\x0a"})
    if (magic == known) return true;
  return false;
}

Opened open_capture(const std::vector<std::string>& files) {
  if (files.size() > 1)
    throw ConfigError(Location{files[1]}, "a second capture; give one, as the same messages may be in both (mergecap makes one of "
                                          "captures of different hosts)");
  auto capture = std::make_unique<roce::CaptureSchedule>(files.front());
  Opened opened{nullptr, true, {{"pattern", "put"}}};
  if (capture->sends()) opened.suits.emplace_back("operation", "send");
  opened.source = std::move(capture);
  return opened;
}

}  // namespace

Opened open(const std::vector<std::string>& files) {
  const std::string text = beginning(files.front());
  if (text.empty()) throw ConfigError(Location{files.front()}, "an empty file");
  if (looks_like_capture(text)) return open_capture(files);
  throw ConfigError(Location{files.front()}, "no trace of a known format; read are captures of RoCEv2 (pcap, pcapng)");
}

}  // namespace gicsim::traces
