// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/base/context.h"
#include "models/base/kernel.h"

namespace gicsim {

/// A test's own simulation: a context, a kernel, then the modules under test.
class Bench {
  ContextScope scope_;

 public:
  Kernel kernel;

  explicit Bench(Kernel::Steps steps = Kernel::Steps::run_ahead) : kernel("kernel", steps) {}
  ~Bench() {
    kernel.abandon();
    while (!modules_.empty()) modules_.pop_back();
  }

  /// Module(name, kernel, params…), or Module(name, params…) if that is what it takes.
  template <class Module, class... Params>
  Module& add_named(const std::string& name, Params&&... params) {
    Module* module = nullptr;
    if constexpr (std::is_constructible_v<Module, const char*, Kernel&, Params...>)
      module = new Module(name.c_str(), kernel, std::forward<Params>(params)...);
    else
      module = new Module(name.c_str(), std::forward<Params>(params)...);
    modules_.emplace_back(module);
    return *module;
  }
  template <class Module, class... Params>
  Module& add(Params&&... params) {
    return add_named<Module>("m" + std::to_string(modules_.size()),
                             std::forward<Params>(params)...);
  }

  Picoseconds now() const { return kernel.now(); }
  Kernel::Ended run() { return kernel.run(); }
  Kernel::Ended run_through(Picoseconds t) { return kernel.run_through(t); }

 private:
  std::vector<std::unique_ptr<sc_core::sc_module>> modules_;
};

}  // namespace gicsim
