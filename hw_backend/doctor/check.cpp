// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/doctor/check.h"

#include <algorithm>

namespace gicsim::hw::checkup {

std::string_view to_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::skipped: return "skipped";
    case Verdict::pass: return "pass";
    case Verdict::unknown: return "can't tell";
    case Verdict::warn: return "warn";
    case Verdict::fail: return "fail";
  }
  return "";
}

void Tally::add(Verdict verdict, std::string seen, std::string cause, std::string fix) {
  all_.push_back({verdict, std::move(seen), std::move(cause), std::move(fix)});
}

Finding Tally::finding() const {
  const auto milder = [](const Finding& a, const Finding& b) { return a.verdict < b.verdict; };
  Finding worst = *std::max_element(all_.begin(), all_.end(), milder);  // the first of them
  std::vector<std::string> seen;
  for (const Finding& f : all_)
    if (f.verdict == worst.verdict) seen.push_back(f.seen);
  worst.seen = some_of(seen);
  return worst;
}

std::string some_of(const std::vector<std::string>& items, std::size_t most) {
  std::vector<std::string> once;
  for (const std::string& item : items)
    if (std::find(once.begin(), once.end(), item) == once.end()) once.push_back(item);
  std::string text;
  for (std::size_t i = 0; i < once.size() && i < most; ++i) text += (i == 0 ? "" : "; ") + once[i];
  if (once.size() > most) text += "; and " + std::to_string(once.size() - most) + " more";
  return text;
}

std::string in_bytes(std::uint64_t bytes) {
  static constexpr const char* units[] = {" B", " KiB", " MiB", " GiB", " TiB"};
  std::size_t unit = 0;
  while (unit + 1 < 5 && bytes >= 1024 && (bytes % 1024 == 0 || bytes >= 1024 * 1024)) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + units[unit];
}

}  // namespace gicsim::hw::checkup
