// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/cells.h"
#include "traces/import/detail/machine_format.h"

/// lspci -t, -tv, -tvnn: a drawing, in which a branch belongs to the line above that opened it in the same column.
namespace gicsim::imports::detail {
namespace {

/// A bus, and the bridge that leads to it; none: a root bus.
struct Bus {
  std::uint32_t domain = 0;
  int number = 0;
  std::optional<PciAddress> bridge;
};

bool is_drawn(std::string_view line) { return begins(line, "-[") || begins(line, "-+-["); }

class Line {
 public:
  Line(std::string_view text, int number, std::map<std::size_t, Bus>& open, MachineFile& found)
      : text_(text), line_(number), open_(open), found_(found) {}

  void read() {
    skip(" |");
    if (at_ >= text_.size()) return;
    std::optional<Bus> bus;
    if (text_[at_] == '\\' || (text_[at_] == '+' && at_ > 1)) {
      const auto branch = open_.find(at_);
      if (branch == open_.end()) return wrong("a branch without a line above it; give the whole drawing");
      bus = branch->second;
      ++at_;
    }
    while (at_ < text_.size()) {
      const bool blank = text_[at_] == ' ';
      skip("-");
      if (at_ >= text_.size()) return;
      if (text_[at_] == ' ' || blank) return describe();
      if (text_[at_] == '+' || text_[at_] == '\\') {
        open_[at_++] = bus.value_or(Bus{});
      } else if (text_[at_] == '[') {
        bus = range(bus);
        if (!bus) return;
      } else if (!function(bus)) {
        return;
      }
    }
  }

 private:
  void skip(std::string_view what) { at_ = std::min(text_.find_first_not_of(what, at_), text_.size()); }
  void wrong(const std::string& what) { found_.mistake(line_, static_cast<int>(at_) + 1, what); }

  /// "[0000:c8]" is a root bus, "[ca-cc]" what lies behind the bridge just read.
  std::optional<Bus> range(const std::optional<Bus>& bus) {
    const std::size_t close = text_.find(']', at_);
    const std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
    const std::size_t colon = inside.find(':');
    const std::string_view digits = inside.substr(colon == inside.npos ? 0 : colon + 1);
    const auto number = hexadecimal(digits.substr(0, digits.find('-')));
    const auto domain = colon == inside.npos ? std::optional<std::int64_t>(0) : hexadecimal(inside.substr(0, colon));
    if (close == text_.npos || !number || *number > 255 || !domain || *domain > 0xffff'ffff) {
      wrong("no bus; write it as lspci does, '[0000:c8]' or '[ca-cc]'");
      return std::nullopt;
    }
    at_ = close + 1;
    Bus next{static_cast<std::uint32_t>(*domain), static_cast<int>(*number), {}};
    if (device_ == nullptr || !bus) return next;
    next.domain = bus->domain;
    next.bridge = device_->at;
    give(device_->secondary, next.number, found_.at(line_, "bus"));
    give(device_->cls, 0x0604, found_.at(line_));
    device_ = nullptr;
    return next;
  }

  /// "01.4" on the bus that was read last.
  bool function(const std::optional<Bus>& bus) {
    const std::string_view word = text_.substr(at_, 4);
    const auto address = pci_address("00:" + std::string(word));
    if (!address || !bus) {
      wrong(fmt::format("'{}' is no device; write it as lspci does, '01.4'", word));
      return false;
    }
    device_ = found_.device({bus->domain, bus->number, address->device, address->function}, line_,
                            static_cast<int>(at_) + 1);
    at_ += word.size();
    if (device_ == nullptr) return false;
    const Origin at = found_.at(line_, "tree");
    if (bus->bridge)
      give(device_->parent, *bus->bridge, at);
    else
      device_->on_root_bus = true;
    return true;
  }

  void describe() {
    if (device_ == nullptr) return;
    const std::string_view name = trimmed(text_.substr(at_));
    const Origin at = found_.at(line_);
    if (!name.empty()) give(device_->name, name, at);
    const std::size_t open = name.rfind('[');
    if (open == name.npos || name.size() < open + 11 || name[open + 5] != ':') return;
    if (const auto id = hexadecimal(name.substr(open + 1, 4))) give(device_->vendor, static_cast<int>(*id), at);
    if (const auto id = hexadecimal(name.substr(open + 6, 4))) give(device_->model, static_cast<int>(*id), at);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_;
  std::map<std::size_t, Bus>& open_;
  MachineFile& found_;
  PciDevice* device_ = nullptr;
};

bool detect(std::string_view head) { return any_line(head, is_drawn); }

void read(Input& in, MachineFile& found) {
  std::map<std::size_t, Bus> open;
  bool drawing = false;
  while (in.next()) {
    const std::string_view text = in.line();
    if (is_drawn(text)) drawing = true;
    if (!drawing || text.empty() || std::string_view("-+\\| ").find(text.front()) == text.npos) continue;
    Line(text, in.number(), open, found).read();
  }
}

}  // namespace

const MachineFormat lspci_tree{"lspci -tv", detect, read};

}  // namespace gicsim::imports::detail
