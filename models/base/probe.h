// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <utility>
#include <vector>

namespace gicsim {

/// Where a model announces facts (plain structs): capture, timeline and checks listen, the model
/// doesn't know them. With no listener it costs one comparison; a fact that is dear to make is
/// given as a callable, which then isn't called.
template <class Fact>
class Probe {
 public:
  using Listener = std::function<void(const Fact&)>;

  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }
  bool heard() const { return !listeners_.empty(); }

  void announce(const Fact& fact) const {
    for (const Listener& listener : listeners_) listener(fact);
  }
  template <std::invocable Make>
  void announce(Make&& make) const {
    if (heard()) [[unlikely]]
      announce(static_cast<const Fact&>(std::forward<Make>(make)()));
  }

 private:
  std::vector<Listener> listeners_;
};

}  // namespace gicsim
