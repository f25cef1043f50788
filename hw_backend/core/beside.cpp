// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/beside.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <ostream>

#include "hw_backend/core/error.h"
#include "traces/result/read.h"

namespace gicsim::hw {
namespace {

const Record::Plain* find(const Record& record, const std::string& key) {
  for (const auto& [name, value] : record.where)
    if (name == key) return &value;
  return nullptr;
}

bool meets(const Record& predicted, const Record& measured) {
  if (predicted.pattern != measured.pattern || predicted.path != measured.path || predicted.quantity != measured.quantity)
    return false;
  return std::all_of(measured.where.begin(), measured.where.end(), [&](const auto& pair) {
    const Record::Plain* other = find(predicted, pair.first);
    return other == nullptr || *other == pair.second;
  });
}

std::string name_of(const Record& r) {
  std::string name = std::string(to_name(r.pattern)) + ' ' + std::string(to_name(r.path));
  for (const auto& [key, value] : r.where) {
    const auto* number = std::get_if<std::int64_t>(&value);
    name += ' ' + key + '=' + (number != nullptr ? std::to_string(*number) : std::get<std::string>(value));
  }
  return name;
}

}  // namespace

std::vector<Record> predictions(const std::string& file) {
  if (file.empty()) return {};
  std::ifstream in(file);
  if (!in) throw UsageError("--kit: " + file + " can't be read; 'gicsim hw kit --system S -o DIR' writes one");
  try {
    return read_records(in, file);
  } catch (const MalformedRecord& e) {
    throw UsageError(e.what());
  }
}

void beside(const std::vector<Record>& predicted, const std::vector<Record>& measured, std::ostream& out) {
  char line[512];
  std::snprintf(line, sizeof line, "%12s %12s %-7s %8s  %-14s %s\n", "predicted", "measured", "unit", "error", "quantity", "of");
  out << line;
  for (const Record& p : predicted) {
    const auto found = std::find_if(measured.begin(), measured.end(), [&](const Record& m) { return meets(p, m); });
    const std::string unit(unit_of(p.quantity)), quantity(to_name(p.quantity)), name = name_of(p);
    if (found == measured.end())
      std::snprintf(line, sizeof line, "%12.6g %12s %-7s %8s  %-14s %s\n", p.value, "-", unit.c_str(), "-", quantity.c_str(), name.c_str());
    else
      std::snprintf(line, sizeof line, "%12.6g %12.6g %-7s %+7.1f%%  %-14s %s\n", p.value, found->value, unit.c_str(),
                    100 * (p.value / found->value - 1), quantity.c_str(), name.c_str());
    out << line;
  }
}

}  // namespace gicsim::hw
