// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace gicsim {

/// A SystemC simulation of its own: elaboration, time and names start afresh while it lives, and
/// what was current before is current again afterwards. Each sweep point and each test has one;
/// all modules die before it. One simulation at a time per process: SystemC knows no threads.
///
/// It also sets the manners of SystemC's reports: errors, fatal errors and a name given twice
/// (W505, which would rename the module in silence) are thrown as sc_report; information is
/// dropped, and warnings go to standard error, as standard output belongs to results.
class ContextScope {
 public:
  ContextScope();
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  sc_core::sc_simcontext* const before_;
};

}  // namespace gicsim
