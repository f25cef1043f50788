// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/context.h"

#include <iostream>

namespace gicsim {
namespace {

void report_to_standard_error(const sc_core::sc_report& report,
                              const sc_core::sc_actions& actions) {
  if ((actions & sc_core::SC_DISPLAY) != 0)
    std::cerr << sc_core::sc_report_compose_message(report) << '\n';
  sc_core::sc_report_handler::default_handler(report, actions & ~sc_core::SC_DISPLAY);
}

void set_manners() {
  using sc_core::sc_report_handler;
  sc_report_handler::set_handler(report_to_standard_error);
  sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  sc_report_handler::set_actions(sc_core::SC_ID_INSTANCE_EXISTS_, sc_core::SC_WARNING,
                                 sc_core::SC_THROW);
}

}  // namespace

/// The context found here is never deleted: the first one of a process is where statics of the
/// SystemC library register.
ContextScope::ContextScope() : before_(sc_core::sc_get_curr_simcontext()) {
  set_manners();
  sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
}

ContextScope::~ContextScope() {
  delete sc_core::sc_curr_simcontext;
  sc_core::sc_curr_simcontext = before_;
}

}  // namespace gicsim
