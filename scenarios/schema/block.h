// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/source.h"

/// describe() as data: what `params`, the loader, the reference and the JSON Schema read.
namespace gicsim::schema {

enum class Type { time, size, rate, lane_rate, frequency, cycles, probability, count, flag, choice, word };

/// One member of a parameter block.
struct Field {
  std::string_view name, sentence;
  Source source;
  Type type = Type::word;
  std::vector<std::string> choices;       ///< of a choice
  std::string default_text;               ///< empty when by_part
  std::string bounds;                     ///< "1 ns to 10 us"; empty when anything goes
  std::optional<std::int64_t> low, high;  ///< the same, in the quantity's own unit
  std::string example;                    ///< a value that can be read
  /// Reads `text` into the block at `params` unless that is null.
  /// Answers what is wrong, or nothing.
  std::function<std::string(std::string_view text, void* params)> read;
  std::function<std::string(const void* params)> write;
};

/// A kind of parameter block: "gpu", "nic", "scenario".
struct Block {
  std::string_view kind, sentence;
  std::vector<Field> fields;

  /// Its place in `fields`, or -1.
  int find(std::string_view name) const;
  std::vector<std::string> names() const;
};

/// All kinds of instances, in order of the reference.
const std::vector<Block>& blocks();
/// The kind's block; null when there is no such kind.
const Block* block_of(std::string_view kind);
/// The keys of a scenario file; `params` is a Scenario.
const Block& scenario_block();
/// The plain keys of a system file; `params` is a SystemKeys.
const Block& system_block();

}  // namespace gicsim::schema
