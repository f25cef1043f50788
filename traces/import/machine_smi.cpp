// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>

#include "traces/import/detail/cells.h"
#include "traces/import/detail/machine_format.h"

/// nvidia-smi -q, a block a GPU, in which indentation says what belongs to what.
namespace gicsim::imports::detail {
namespace {

std::optional<std::int64_t> leading(std::string_view text) {
  return whole(text.substr(0, text.find_first_not_of("0123456789")));
}

class Reader {
 public:
  explicit Reader(MachineFile& found) : found_(found) {}

  void line(std::string_view text, int line) {
    const std::size_t indent = text.find_first_not_of(" \t");
    if (indent == text.npos) return;
    const std::size_t colon = text.find(" : ");
    const std::string_view key = trimmed(text.substr(indent, colon == text.npos ? text.npos : colon - indent));
    if (indent == 0 && begins(key, "GPU ")) return start(key.substr(4), line);
    while (!path_.empty() && path_.back().first >= indent) path_.pop_back();
    if (colon == text.npos) {
      if (path_.size() < 16) path_.emplace_back(indent, key);
      return;
    }
    if (gpu_ != nullptr) value(key, trimmed(text.substr(colon + 3)), line);
  }

 private:
  void start(std::string_view address, int line) {
    path_.clear();
    gpu_ = nullptr;
    const auto at = pci_address(trimmed(address));
    if (!at) return found_.mistake(line, 5, fmt::format("'{}' is no PCI address; give nvidia-smi -q whole", address));
    gpu_ = found_.device(*at, line, 5);
    if (gpu_ != nullptr) gpu_->is_gpu = true;
  }

  bool inside(std::string_view parent) const { return !path_.empty() && path_.back().second == parent; }

  void value(std::string_view key, std::string_view text, int line) {
    const auto number = leading(text);
    const auto from = [&](std::string_view what) { return found_.at(line, what); };
    if (key == "Product Name") {
      gpu_->name = Fact<std::string>{std::string(text), from(key)};  // lspci may know no more than a number
    } else if (key == "GPU C2C Mode") {
      give(gpu_->coherent, text == "Enabled", from(key));
    } else if (key == "Virtualization Mode" && text == "Pass-Through") {
      found_.facts.virtual_signs.push_back({"a GPU that is passed through", from(key)});
    } else if (key == "Total" && number && *number < (1 << 30)) {
      if (inside("FB Memory Usage")) give(gpu_->memory, *number, from("FB Memory Usage"));
      if (inside("BAR1 Memory Usage")) give(gpu_->bar1, *number, from("BAR1 Memory Usage"));
    } else if (key == "Max" || key == "Current") {
      link(key == "Max" ? gpu_->ability : gpu_->link, number, line);
    } else if (key == "Device Id" && begins(text, "0x") && text.size() >= 10) {
      if (const auto id = hexadecimal(text.substr(0, 6))) give(gpu_->model, static_cast<int>(*id), from(key));
      if (const auto id = hexadecimal(text.substr(6, 4))) give(gpu_->vendor, static_cast<int>(*id), from(key));
    }
  }

  void link(LinkFacts& facts, const std::optional<std::int64_t>& number, int line) const {
    static constexpr std::array speeds = {0.0, 2.5, 5.0, 8.0, 16.0, 32.0, 64.0};
    if (inside("PCIe Generation"))
      give(facts.speed, number && *number < std::ssize(speeds) ? speeds[static_cast<std::size_t>(*number)] : 0,
           found_.at(line, "PCIe Generation"));
    if (inside("Link Width"))
      give(facts.width, number && *number < 256 ? static_cast<int>(*number) : 0, found_.at(line, "Link Width"));
  }

  MachineFile& found_;
  PciDevice* gpu_ = nullptr;
  std::vector<std::pair<std::size_t, std::string>> path_;  // indentation and title of what is open
};

bool detect(std::string_view head) {
  return has(head, "NVSMI LOG") ||
         any_line(head, [](std::string_view line) { return begins(line, "GPU 0000") && pci_address(line.substr(4)); });
}

void read(Input& in, MachineFile& found) {
  Reader reader(found);
  while (in.next()) reader.line(in.line(), in.number());
}

}  // namespace

const MachineFormat smi_query{"nvidia-smi -q", detect, read};

}  // namespace gicsim::imports::detail
