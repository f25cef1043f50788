// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/units/time.h"
#include "scenarios/report/finished.h"
#include "traces/result/names.h"

/// How figures look in the text report.
namespace gicsim::report::detail {

inline constexpr std::size_t page_width = 100;

/// Four significant digits in the unit that suits: "700.3 ns", "4.03 us".
std::string time_text(Picoseconds time);

/// Four significant digits, zeros kept so that columns line up: "4030", "23.40", "0.1796".
std::string four_digits(double value);

/// A record's figure as one reads it: a latency in its best unit, else four digits and the unit.
std::string figure_text(double value, std::string_view unit);

/// Nanoseconds to the picosecond: "4,030.125". Tables of stages use it, so that a reader who adds
/// the rows up finds the total.
std::string exact_ns(Picoseconds time);

std::string words(Quantity quantity);             ///< "put+completion"
std::string words(const Finished& run, Quantity quantity);  ///< the same in the words of what ran: "send+completion"
std::string grouped(std::int64_t number);         ///< "1,234,567"
std::string percent(double fraction);             ///< "12.7 %"
std::string bar(double fraction, int full = 20);  ///< '#' a part; at least one where not 0

/// A paragraph broken at blanks to the page, later lines indented by `indent`; ends its line.
std::string wrapped(std::string_view text, std::size_t indent);

/// A heading with a blank line before it.
std::string heading(std::string_view text);

}  // namespace gicsim::report::detail
