// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/qp_stats.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gicsim::nic {
namespace {

using Values = std::vector<std::optional<std::int64_t>>;

struct Read {
  Values& all;
  void operator()(std::string_view, Count value, std::string_view) { all.push_back(value); }
  void operator()(std::string_view, Bytes value, std::string_view) { all.push_back(value.count()); }
  void operator()(std::string_view, std::optional<Count> value, std::string_view) { all.push_back(value); }
};

struct Add {
  const Values& all;
  std::size_t next = 0;
  void operator()(std::string_view, Count& value, std::string_view) { value += *all[next++]; }
  void operator()(std::string_view, Bytes& value, std::string_view) { value += Bytes(*all[next++]); }
  void operator()(std::string_view, std::optional<Count>& value, std::string_view) {
    if (const auto& more = all[next++]) value = value.value_or(0) + *more;
  }
};

}  // namespace

QpStats& operator+=(QpStats& sum, const QpStats& one) {
  Values values;
  QpStats copy = one;
  describe(Read{values}, copy);
  describe(Add{values}, sum);
  return sum;
}

}  // namespace gicsim::nic
