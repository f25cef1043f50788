// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "traces/schedule/collectives.h"
#include "traces/schedule/make.h"

namespace gicsim::schedule {

/// One rank's steps, while they are asked for.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;
  virtual bool next(Step& step) = 0;
};

struct Compute {
  Picoseconds time{};
  std::string_view name;
};

/// Calculations and collectives, each behind the one before.
class Phases : public Program {
 public:
  Phases(std::shared_ptr<const Communicator> all, std::size_t rank) : all_(std::move(all)), rank_(rank) {}
  bool next(Step& step) override;

 protected:
  using Phase = std::variant<Compute, Collective>;
  virtual std::optional<Phase> phase(std::uint64_t index) = 0;
  std::size_t rank() const { return rank_; }

 private:
  std::shared_ptr<const Communicator> all_;
  std::size_t rank_;
  std::uint64_t index_ = 0, number_ = 0;
  std::optional<Expansion> expansion_;
  bool begins_ = false;  ///< the next step is the collective's first
};

std::unique_ptr<Program> collectives_program(const Making&, std::shared_ptr<const Communicator>, std::size_t rank);
std::unique_ptr<Program> moe_program(const Making&, std::shared_ptr<const Communicator>, std::size_t rank);
std::unique_ptr<Program> pipeline_program(const Making&, std::size_t rank);

}  // namespace gicsim::schedule
