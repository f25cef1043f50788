// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "models/protocol/message.h"

namespace gicsim::workloads {

/// Values of one quantity over the measured messages.
class Samples {
 public:
  void add(Picoseconds value) { values_.push_back(value.count()); }
  Count size() const { return static_cast<Count>(values_.size()); }
  Picoseconds min() const;
  Picoseconds max() const;
  /// The value at rank ceil(q n), 0 < q <= 1: a measured one, never between two.
  Picoseconds quantile(double q) const;

 private:
  mutable std::vector<std::int64_t> values_;
  mutable bool sorted_ = false;
};

/// Ledgers of the earliest message with each headline value, so that the representative one (the
/// median's) is there in the end. At most `limit` values are kept, the outermost go; if the
/// median's has gone, the run is repeated with only that one wanted: runs are deterministic.
class Ledgers {
 public:
  struct Kept {
    std::uint64_t number;
    Ledger headline, delivery, completion;
  };

  void add(Picoseconds value, const Ledger& headline, const Message& message);
  void want_only(Picoseconds value) { wanted_ = value; }
  /// Null when the value was never added or had to go.
  const Kept* of(Picoseconds value) const;

 private:
  static constexpr std::size_t limit = 1024;
  std::optional<Picoseconds> wanted_;
  std::map<Picoseconds, Kept> kept_;
  Count below_ = 0, above_ = 0;  ///< dropped at either end
};

}  // namespace gicsim::workloads
