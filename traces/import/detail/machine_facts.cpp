// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_facts.h"

#include <fmt/format.h>

#include <charconv>

#include "traces/import/detail/cells.h"

namespace gicsim::imports::detail {
namespace {

constexpr std::size_t most_mistakes = 20;
constexpr std::size_t most_devices = 4096;

std::optional<std::int64_t> digits(std::string_view text, std::size_t least, std::size_t most) {
  if (text.size() < least || text.size() > most) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::int64_t> hexadecimal(std::string_view text) {
  if (begins(text, "0x") || begins(text, "0X")) text.remove_prefix(2);
  return digits(text, 1, 15);
}

std::optional<PciAddress> pci_address(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  if (dot == text.npos) return std::nullopt;
  const std::size_t second = text.substr(0, dot).rfind(':');
  if (second == text.npos) return std::nullopt;
  const std::size_t first = second == 0 ? text.npos : text.substr(0, second).rfind(':');
  const auto function = digits(text.substr(dot + 1), 1, 1);
  const auto device = digits(text.substr(second + 1, dot - second - 1), 1, 2);
  const std::size_t bus_at = first == text.npos ? 0 : first + 1;
  const auto bus = digits(text.substr(bus_at, second - bus_at), 1, 2);
  const auto domain = first == text.npos ? std::optional<std::int64_t>(0) : digits(text.substr(0, first), 1, 8);
  if (!function || !device || !bus || !domain || *function > 7 || *device > 31) return std::nullopt;
  return PciAddress{static_cast<std::uint32_t>(*domain), static_cast<int>(*bus), static_cast<int>(*device),
                    static_cast<int>(*function)};
}

std::string to_text(const PciAddress& a) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{}", a.domain, a.bus, a.device, a.function);
}

std::string to_text(const Origin& origin) {
  std::string text = origin.file;
  if (origin.line > 0) text += fmt::format(":{}", origin.line);
  return origin.what.empty() ? text : text + ", " + origin.what;
}

PciDevice& MachineFacts::device(const PciAddress& at, const Origin& seen) {
  const auto [place, is_new] = devices.try_emplace(at);
  if (is_new) {
    place->second.at = at;
    place->second.seen = seen;
  }
  return place->second;
}

void MachineFacts::warn(const Origin& at, const std::string& what) {
  warnings.push_back(at.file.empty() ? what : to_text(Origin{at.file, at.line, {}}) + ": " + what);
}

PciDevice* MachineFile::device(const PciAddress& address, int line, int column) {
  const auto [first, is_new] = seen_.try_emplace(address, line);
  if (!is_new) {
    mistake(line, column, fmt::format("{}: a second time (first on line {}); give what the tool printed once, of one machine",
                                      to_text(address), first->second));
    return nullptr;
  }
  if (seen_.size() > most_devices)
    throw ConfigError(Location{file_, line, column}, fmt::format("more than {} devices; not one machine", most_devices));
  return &facts.device(address, at(line));
}

void MachineFile::mistake(int line, int column, std::string what) {
  mistakes_.push_back({{file_, line, column}, std::move(what)});
  if (mistakes_.size() >= most_mistakes) finish();
}

void MachineFile::finish() const {
  if (!mistakes_.empty()) throw ConfigError(mistakes_);
}

}  // namespace gicsim::imports::detail
