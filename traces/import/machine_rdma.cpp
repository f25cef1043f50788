// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/cells.h"
#include "traces/import/detail/machine_format.h"

/// ibstat and ibv_devinfo -v: what RDMA devices and their ports are, by name.
namespace gicsim::imports::detail {
namespace {

/// "name: value" of a line; either may be empty.
std::pair<std::string_view, std::string_view> split(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return {trimmed(line), {}};
  return {trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))};
}

/// Digits at the beginning.
std::optional<double> leading(std::string_view text) { return decimal(text.substr(0, text.find_first_not_of("0123456789."))); }

/// Of a device with several ports the first that is up counts.
class Ports {
 public:
  explicit Ports(MachineFile& found) : found_(found) {}

  void device(std::string_view name, int line) {
    device_ = &found_.facts.rdma[std::string(name)];
    device_->seen = found_.at(line);
    settled_ = false;
  }
  void model(std::string_view number, int line, std::string_view what) {
    const auto id = whole(number);
    if (device_ != nullptr && id && *id < 65536) give(device_->model, static_cast<int>(*id), found_.at(line, what));
  }
  void port() {
    settled_ = settled_ || (device_ != nullptr && device_->active.value_or(false));
    width_ = {};
  }
  void state(bool active) {
    if (usable()) device_->active = active;
  }
  void rate(std::optional<double> gbps, int line, std::string_view what) {
    if (usable() && gbps && *gbps > 0 && *gbps < 10'000) device_->gbps = Fact<double>{*gbps, found_.at(line, what)};
  }
  void layer(std::string_view text, int line, std::string_view what) {
    if (usable()) device_->ethernet = Fact<bool>{text == "Ethernet", found_.at(line, what)};
  }
  void width(std::string_view text) { width_ = leading(text); }
  void speed(std::string_view text, int line) {
    const auto lane = leading(text);
    if (lane && width_) rate(*lane * *width_, line, "active_speed");
  }

 private:
  bool usable() const { return device_ != nullptr && !settled_; }

  MachineFile& found_;
  RdmaDevice* device_ = nullptr;
  std::optional<double> width_;
  bool settled_ = false;
};

bool is_ca(std::string_view line) { return begins(line, "CA '"); }
bool is_hca(std::string_view line) { return begins(line, "hca_id:"); }

void read_ibstat(Input& in, MachineFile& found) {
  Ports ports(found);
  while (in.next()) {
    const std::string_view line = in.line();
    const auto [key, value] = split(line);
    if (is_ca(line)) {
      ports.device(line.substr(4, line.find('\'', 4) - 4), in.number());
    } else if (key == "CA type" && begins(value, "MT")) {
      ports.model(value.substr(2), in.number(), key);
    } else if (begins(key, "Port ") && value.empty()) {
      ports.port();
    } else if (key == "State") {
      ports.state(value == "Active");
    } else if (key == "Rate") {
      ports.rate(leading(value), in.number(), key);
    } else if (key == "Link layer") {
      ports.layer(value, in.number(), key);
    }
  }
}

void read_devinfo(Input& in, MachineFile& found) {
  Ports ports(found);
  while (in.next()) {
    const auto [key, value] = split(in.line());
    if (key == "hca_id") {
      ports.device(value, in.number());
    } else if (key == "vendor_part_id") {
      ports.model(value, in.number(), key);
    } else if (key == "port") {
      ports.port();
    } else if (key == "state") {
      ports.state(begins(value, "PORT_ACTIVE"));
    } else if (key == "active_width") {
      ports.width(value);
    } else if (key == "active_speed") {
      ports.speed(value, in.number());
    } else if (key == "link_layer") {
      ports.layer(value, in.number(), key);
    }
  }
}

}  // namespace

const MachineFormat ibstat{"ibstat", [](std::string_view head) { return any_line(head, is_ca); }, read_ibstat};
const MachineFormat ibv_devinfo{"ibv_devinfo", [](std::string_view head) { return any_line(head, is_hca); },
                                read_devinfo};

}  // namespace gicsim::imports::detail
