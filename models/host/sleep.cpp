// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/host/core.h"

namespace gicsim::host {

void Core::Sleep::await_suspend(Task::Handle program) {
  program_ = program;
  if (program.promise().program) program.promise().program->obstacle = this;
  core_.use();
  look(core_.host_.kernel_.now());
}

void Core::Sleep::on_written(Picoseconds visible) { look(visible); }

/// The handler takes the core from whatever runs there; the thread comes when the scheduler lets it.
void Core::Sleep::look(Picoseconds from) {
  Cells<Content>& cells = core_.host_.cells_;
  const auto seen = cells.read(vector_, from);
  if (!seen.content || !wanted_(*seen.content)) return cells.watch(vector_, this);
  const Picoseconds handled = core_.occupy(std::max(from, seen.visible) + params_.entry, params_.handler / core_.clock(), nullptr).end;
  core_.host_.kernel_.resume(core_.awake(handled + params_.wakeup), program_);
}

void Core::Sleep::await_resume() {
  if (program_.promise().program) program_.promise().program->obstacle = nullptr;
}

}  // namespace gicsim::host
