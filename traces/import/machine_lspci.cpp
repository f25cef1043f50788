// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "traces/import/detail/cells.h"
#include "traces/import/detail/machine_format.h"

/// lspci -vvv, also with -D, -nn, -k, -PP: a line a function, its capabilities indented below.
namespace gicsim::imports::detail {
namespace {

struct Class {
  std::string_view printed;
  int code;
};
constexpr std::array classes = {
    Class{"3D controller", 0x0302},         Class{"VGA compatible controller", 0x0300},
    Class{"Display controller", 0x0380},    Class{"Processing accelerators", 0x1200},
    Class{"Infiniband controller", 0x0207}, Class{"Ethernet controller", 0x0200},
    Class{"PCI bridge", 0x0604},            Class{"Host bridge", 0x0600},
    Class{"Non-Volatile memory controller", 0x0108}};

struct Header {
  PciAddress address;
  std::string_view rest;  ///< class and name
};

std::optional<Header> header(std::string_view line) {
  std::string_view word = line.substr(0, line.find(' '));
  const std::size_t after = word.size();
  if (const std::size_t path = word.rfind('/'); path != word.npos) {  // -PP: the ports on the way to it
    const auto root = pci_address(word.substr(0, word.find('/')));
    auto last = pci_address(word.substr(path + 1));
    if (!root || !last) return std::nullopt;
    last->domain = root->domain;
    return Header{*last, line.substr(std::min(after + 1, line.size()))};
  }
  const auto address = pci_address(word);
  if (!address || after >= line.size()) return std::nullopt;
  return Header{*address, line.substr(after + 1)};
}

/// The four digits of "[0302]" or those of "[10de:2335]".
std::optional<std::int64_t> bracketed(std::string_view text, std::size_t open, std::size_t skip) {
  return hexadecimal(text.substr(open + 1 + skip, 4));
}

void describe(PciDevice& device, std::string_view rest, const Origin& at) {
  const std::size_t colon = rest.find(": ");
  std::string_view title = rest.substr(0, colon);
  std::string_view name = colon == rest.npos ? std::string_view{} : rest.substr(colon + 2);
  if (const std::size_t open = title.find(" ["); open != title.npos) {
    if (const auto code = bracketed(title, open + 1, 0)) give(device.cls, static_cast<int>(*code), at);
    title = title.substr(0, open);
  }
  for (const Class& known : classes)
    if (title == known.printed) give(device.cls, known.code, at);
  name = name.substr(0, std::min(name.find(" (rev"), name.find(" (prog-if")));
  for (std::size_t open = name.find('['); open != name.npos; open = name.find('[', open + 1)) {
    if (name.size() < open + 11 || name[open + 5] != ':' || name[open + 10] != ']') continue;
    if (const auto id = bracketed(name, open, 0)) give(device.vendor, static_cast<int>(*id), at);
    if (const auto id = bracketed(name, open, 5)) give(device.model, static_cast<int>(*id), at);
    name = trimmed(name.substr(0, open));
    break;
  }
  give(device.name, name, at);
}

std::optional<bool> flag(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == text.npos || at + name.size() >= text.size()) return std::nullopt;
  const char sign = text[at + name.size()];
  return sign == '+' ? std::optional(true) : sign == '-' ? std::optional(false) : std::nullopt;
}

/// The whole number that begins at `words`' end: "Width x16", "MaxPayload 256 bytes".
std::optional<int> number(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + words.size());
  const auto found = whole(text.substr(0, text.find_first_not_of("0123456789")));
  if (!found || *found > 1'000'000) return std::nullopt;
  return static_cast<int>(*found);
}

void link(LinkFacts& facts, std::string_view text, const Origin& at) {
  if (const std::size_t speed = text.find("Speed "); speed != text.npos) {
    const std::string_view word = text.substr(speed + 6);
    give(facts.speed, decimal(word.substr(0, word.find("GT/s"))).value_or(0), at);
  }
  if (const auto width = number(text, "Width x")) give(facts.width, *width, at);
}

/// "[size=64G]" in MiB; smaller ones are of no interest.
std::optional<std::int64_t> mebibytes(std::string_view text) {
  const std::size_t at = text.find("[size=");
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + 6);
  const std::size_t end = text.find_first_not_of("0123456789");
  const auto count = whole(text.substr(0, end));
  if (!count || *count > (1 << 20) || end == text.npos) return std::nullopt;
  const std::size_t unit = std::string_view("MGT").find(text[end]);
  if (unit == std::string_view::npos) return std::nullopt;
  return *count << (10 * unit);
}

/// "Region 2: Memory at 20f000000000 (64-bit, prefetchable) [size=128G]"; without an address: <unassigned>, <ignored>.
std::optional<Window> window(std::string_view text, const Origin& at) {
  const std::size_t place = text.find("Memory at "), sized = text.find("[size=");
  if (place == text.npos || sized == text.npos) return std::nullopt;
  const std::string_view size = text.substr(sized + 6), digits = size.substr(0, size.find_first_not_of("0123456789"));
  const auto count = whole(digits);
  const std::size_t unit = digits.size() < size.size() ? std::string_view("]KMGT").find(size[digits.size()]) : text.npos;
  if (!count || *count > (1 << 20) || unit == text.npos) return std::nullopt;
  const std::string_view base = text.substr(place + 10);
  Window found{number(text, "Region ").value_or(0), std::nullopt, static_cast<std::uint64_t>(*count) << (10 * unit), at};
  if (const auto address = hexadecimal(base.substr(0, base.find(' '))); address && *address >= 0)
    found.base = static_cast<std::uint64_t>(*address);
  return found;
}

Port port_in(std::string_view text) {
  if (has(text, "Root Port")) return Port::root;
  if (has(text, "Upstream Port")) return Port::upstream;
  if (has(text, "Downstream Port")) return Port::downstream;
  return has(text, "Integrated") || !has(text, "Endpoint") ? Port::unknown : Port::endpoint;
}

class Reader {
 public:
  explicit Reader(MachineFile& found) : found_(found) {}

  void line(std::string_view text, int number) {
    if (text.empty()) {
      device_ = nullptr;
    } else if (text.front() != ' ' && text.front() != '\t') {
      start(text, number);
    } else if (device_ != nullptr) {
      detail(trimmed(text), number);
    }
  }

 private:
  void start(std::string_view text, int number) {
    device_ = nullptr;
    const auto head = header(text);
    if (!head) return;  // "lspci: Unable to load libkmod", a hex dump
    device_ = found_.device(head->address, number, 1);
    if (device_ != nullptr) describe(*device_, head->rest, found_.at(number));
    section_ = {};
  }

  void detail(std::string_view text, int line) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    if (ends(word, ":")) section_ = word.substr(0, word.size() - 1);
    const Origin at = found_.at(line, section_);
    PciDevice& device = *device_;
    if (section_ == "Capabilities") {
      if (has(text, "<access denied>")) device.denied = true;
      if (has(text, "Express (v")) give(device.port, port_in(text), at);
    } else if (begins(text, "Region ")) {
      const Origin region = found_.at(line, "Region");
      if (const auto mapped = window(text, region)) device.windows.push_back(*mapped);
      if (const auto size = mebibytes(text); size && has(text, ", prefetchable"))
        device.bars.try_emplace(number(text, "Region ").value_or(0), Fact<std::int64_t>{*size, region});
    } else if (section_ == "Bus") {
      if (const std::size_t to = text.find("secondary="); to != text.npos)
        if (const auto bus = hexadecimal(text.substr(to + 10, 2)); bus && *bus > 0)
          give(device.secondary, static_cast<int>(*bus), at);
    } else {
      control(device, text, at);
    }
    if (begins(text, "NUMA node: ")) {
      const auto node = whole(text.substr(11));
      give(device.numa, node && *node < 256 ? static_cast<int>(*node) : -1, found_.at(line, "NUMA node"));
    }
    if (begins(text, "IOMMU group: "))
      if (const auto group = number(text, "IOMMU group: ")) give(device.iommu, *group, found_.at(line, "IOMMU group"));
  }

  void control(PciDevice& device, std::string_view text, const Origin& at) const {
    if (section_ == "DevCtl") {
      if (const auto set = flag(text, "RlxdOrd")) give(device.relaxed, *set, at);
      if (const auto set = flag(text, "ExtTag")) give(device.ext_tag, *set, at);
      if (const auto bytes = number(text, "MaxPayload ")) give(device.mps, *bytes, at);
      if (const auto bytes = number(text, "MaxReadReq ")) give(device.mrrs, *bytes, at);
    } else if (section_ == "LnkCap") {
      link(device.ability, text, at);
    } else if (section_ == "LnkSta") {
      link(device.link, text, at);
    } else if (section_ == "DevCap2") {
      if (flag(text, "10BitTagReq").value_or(false)) device.ten_bit_able = true;
    } else if (section_ == "DevCtl2") {
      if (const auto set = flag(text, "10BitTagReq")) give(device.ten_bit_tag, *set, at);
    } else if (section_ == "ATSCtl") {
      if (const auto set = flag(text, "Enable")) give(device.ats, *set, at);
    } else if (section_ == "ACSCtl") {
      const auto bit = [text](std::string_view name) { return flag(text, name).value_or(false); };
      give(device.acs,
           Acs{bit("TransBlk"), bit("ReqRedir"), bit("CmpltRedir"), bit("UpstreamFwd"), bit("DirectTrans")}, at);
    }
  }

  MachineFile& found_;
  PciDevice* device_ = nullptr;
  std::string section_;
};

bool detect(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    const auto found = header(line);
    return found && has(found->rest, ": ");
  });
}

void read(Input& in, MachineFile& found) {
  Reader reader(found);
  while (in.next()) reader.line(in.line(), in.number());
}

}  // namespace

const MachineFormat lspci{"lspci", detect, read};

}  // namespace gicsim::imports::detail
