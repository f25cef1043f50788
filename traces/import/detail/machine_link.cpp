// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_link.h"

#include <fmt/format.h>

#include <array>

namespace gicsim::imports::detail {
namespace {

constexpr std::array speeds = {2.5, 5.0, 8.0, 16.0, 32.0, 64.0};
constexpr double idle_speed = 2.5;

bool usable(const Maybe<double>& speed) { return speed && generation_of(speed->value) > 0; }
bool usable(const Maybe<int>& width) {
  if (!width) return false;
  for (const int lanes : {1, 2, 4, 8, 12, 16, 32})
    if (width->value == lanes) return true;
  return false;
}

std::string said(const LinkFacts& link) {
  std::string text;
  if (link.speed) text = link.speed->value > 0 ? fmt::format("{} GT/s", link.speed->value) : "an unknown speed";
  if (link.width) text += fmt::format("{}x{}", text.empty() ? "" : ", ", link.width->value);
  return text;
}

Origin place(const LinkFacts& link) { return link.speed ? link.speed->at : link.width ? link.width->at : Origin{}; }

/// The first that can be right: of the device, of the port above it (the same link), what the device is able to.
template <class T, class Of>
Maybe<T> first_usable(const PciDevice& device, const PciDevice* slot, Of of) {
  if (usable(of(device.link))) return of(device.link);
  if (slot != nullptr && usable(of(slot->link))) return of(slot->link);
  if (usable(of(device.ability))) return of(device.ability);
  return std::nullopt;
}

std::string degraded(const PciDevice& device, const PciDevice* slot) {
  std::string text;
  const LinkFacts &now = device.link, &able = device.ability;
  if (usable(now.speed) && usable(able.speed) && now.speed->value < able.speed->value)
    text = fmt::format("{} of {} GT/s", now.speed->value, able.speed->value);
  if (usable(now.width) && usable(able.width) && now.width->value < able.width->value)
    text += fmt::format("{}x{} of x{}", text.empty() ? "" : ", ", now.width->value, able.width->value);
  const bool short_slot = slot != nullptr && usable(slot->ability.width) && usable(now.width) &&
                          slot->ability.width->value == now.width->value;
  return text.empty() || !short_slot ? text : text + ", all that its slot has";
}

}  // namespace

int generation_of(double speed) {
  for (std::size_t i = 0; i < speeds.size(); ++i)
    if (speed == speeds[i]) return static_cast<int>(i) + 1;
  return 0;
}

LinkReading read_link(const PciDevice& device, const PciDevice* slot, bool is_gpu, int least, double child) {
  LinkReading reading;
  reading.at = place(device.link);
  const auto speed = first_usable<double>(device, slot, [](const LinkFacts& l) { return l.speed; });
  const auto width = first_usable<int>(device, slot, [](const LinkFacts& l) { return l.width; });
  if (speed) reading.generation = Fact<int>{generation_of(speed->value), speed->at};
  if (width) reading.lanes = Fact<int>{width->value, width->at};
  if ((device.link.speed && !usable(device.link.speed)) || (device.link.width && !usable(device.link.width)))
    reading.impossible = said(device.link);
  const bool slow = speed && speed->value <= 5 && width && child >= 8 * speed->value * width->value;
  const bool below = speed && speed->value <= 5 && device.ability_only && generation_of(speed->value) < least;
  if (slow || below) {
    reading.impossible = said(device.link);
    reading.generation.reset();
    reading.lanes.reset();
  }
  if (!reading.impossible.empty()) return reading;
  reading.degraded = degraded(device, slot);
  const bool full_width = !usable(device.ability.width) || !usable(device.link.width) ||
                          device.link.width->value == device.ability.width->value;
  if (is_gpu && full_width && usable(device.ability.speed) && usable(device.link.speed) &&
      device.link.speed->value <= idle_speed && device.ability.speed->value > idle_speed) {
    reading.idle = true;
    reading.generation = Fact<int>{generation_of(device.ability.speed->value), device.ability.speed->at};
  }
  return reading;
}

}  // namespace gicsim::imports::detail
