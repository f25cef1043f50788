// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/first_use.h"

namespace gicsim::paths {

/// Both ends register at the same time, so one region's time counts: the sender's source, the
/// receiver's buffer.
Task FirstUse::post(Operation operation, Message& message, bool ring) {
  if (!ready_) {
    ready_ = true;
    const std::int64_t mib = pieces(operation.bytes, 1_MiB);
    co_await kernel().sleep(setup_.connect + setup_.registration + setup_.registration_per_mib * mib);
    message.completion.close(Stage::lazy_init, who().c_str(), kernel().now());
  }
  co_await channel_->post(operation, message, ring);
}

}  // namespace gicsim::paths
