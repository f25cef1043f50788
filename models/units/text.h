// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/units/bit_rate.h"
#include "models/units/probability.h"

/// Text forms: `15 ns`, `64 KiB`, `400 Gbps`, `32 GT/s`, `1980 MHz`, `375 cycles`; a probability
/// is `0.001`, `1e-4` or `0.1 %`.
/// A blank between number and unit is optional when reading and always written.
/// Reading accepts a decimal fraction (`1.5 us`) when the value is a whole number of the
/// quantity's own unit (ps, B, bit/s, MT/s, Hz, cycle).
namespace gicsim::text {

/// The outcome of reading a quantity: a value, or what to tell the user.
template <class Quantity>
struct Read {
  std::optional<Quantity> value;
  std::string wrong;  ///< e.g. "'64' has no unit; write '64 KiB' or '64 B'"
};

template <class Quantity>
Read<Quantity> read(std::string_view text);  ///< defined for the eight quantities below

template <> Read<Picoseconds> read<Picoseconds>(std::string_view text);
template <> Read<Bytes> read<Bytes>(std::string_view text);
template <> Read<BitRate> read<BitRate>(std::string_view text);
template <> Read<LaneRate> read<LaneRate>(std::string_view text);
template <> Read<Frequency> read<Frequency>(std::string_view text);
template <> Read<Cycles> read<Cycles>(std::string_view text);
template <> Read<Count> read<Count>(std::string_view text);  ///< bare, no unit
template <> Read<Probability> read<Probability>(std::string_view text);  ///< bare, or in per cent

/// Shortest exact form in the largest fitting unit: `1500 ps` is written `1.5 ns`.
std::string write(Picoseconds value);
std::string write(Bytes value);
std::string write(BitRate value);
std::string write(LaneRate value);
std::string write(Frequency value);
std::string write(Cycles value);
std::string write(Count value);
std::string write(Probability value);  ///< `0.05`, below a thousandth `1e-4`

}  // namespace gicsim::text
