// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/dma/stream.h"

#include <algorithm>

namespace gicsim::dma {

Addresses::Addresses(Address base, Bytes window, Bytes length, Order order, std::uint64_t seed, std::string_view name)
    : base_(base),
      step_(static_cast<Address>((pieces(length, 64_B) * 64_B).count())),
      places_(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(window.count()) / step_)),
      order_(order),
      random_(seed, name) {}

Address Addresses::next() {
  const std::uint64_t place = order_ == Order::random ? random_.below(places_) : at_++ % places_;
  return base_ + place * step_;
}

void Stream::start() {
  running_ = true;
  while (under_way_ < depth_) next();
}

void Stream::next() {
  ++under_way_;
  engine_.submit({.kind = kind_, .visible = true, .address = addresses_.next(), .length = length_, .client = this});
}

void Stream::on_done(Job&) {
  --under_way_;
  ++done_;
  if (running_) next();
}

}  // namespace gicsim::dma
