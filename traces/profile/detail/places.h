// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/base/errors.h"
#include "traces/schedule/source.h"

namespace gicsim::profile::detail {

/// Who ran where, of what tells no more: no steps.
class Places final : public schedule::Source {
 public:
  Places(std::string file, std::string format, std::vector<std::string> hosts, std::vector<schedule::Unused> unused,
         std::vector<std::string> notes)
      : file_(std::move(file)),
        format_(std::move(format)),
        hosts_(std::move(hosts)),
        unused_(std::move(unused)),
        notes_(std::move(notes)) {}

  std::string format() const override { return format_; }
  std::size_t ranks() const override { return hosts_.size(); }
  bool next(std::size_t, schedule::Step&) override { return false; }
  void rewind() override {}
  std::vector<std::string> hosts() const override { return hosts_; }
  std::vector<schedule::Unused> unused() const override { return unused_; }
  std::vector<std::string> notes() const override { return notes_; }
  double progress() const override { return 1; }
  Location location(std::size_t, const schedule::Step&) const override { return {file_}; }

 private:
  std::string file_, format_;
  std::vector<std::string> hosts_;
  std::vector<schedule::Unused> unused_;
  std::vector<std::string> notes_;
};

}  // namespace gicsim::profile::detail
