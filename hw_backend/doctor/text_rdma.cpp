// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// ibstat and ibv_devinfo -v.
#include <cctype>

#include "hw_backend/doctor/saved.h"
#include "hw_backend/doctor/text.h"

namespace gicsim::hw::checkup {
namespace {

Nic& nic_called(Evidence& e, const std::string& name) {
  for (Nic& nic : e.nics)
    if (nic.name == name) return nic;
  e.nics.emplace_back();
  e.nics.back().name = name;
  e.nics.back().mlx5 = begins(name, "mlx5") || begins(name, "ib") || begins(name, "roce");
  return e.nics.back();
}

Port& port_of(Nic& nic, int number, const std::string& file) {
  for (Port& port : nic.ports)
    if (port.number == number) return port;
  Port port;
  port.number = number;
  port.active_mtu = Known<int>::unknown(file + " doesn't tell the MTU; save 'ibv_devinfo -v'");
  port.gids = Known<std::vector<Gid>>::unknown("'ibv_devinfo -v' wasn't saved");
  port.counters = Known<Counts>::unknown("counters aren't in saved outputs: look on the machine");
  port.ecn = Known<bool>::unknown("not in saved outputs");
  nic.ports.push_back(port);
  return nic.ports.back();
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string value_of(const std::string& text) { return behind(text, ":"); }

Gid gid_of(const std::string& text) {
  Gid gid;
  gid.index = std::atoi(behind(text, "[").c_str());
  const std::string value = behind(text, "]:");
  const std::size_t comma = value.find(',');
  gid.value = trimmed(value.substr(0, comma));
  if (comma != value.npos) gid.type = trimmed(value.substr(comma + 1));
  return gid;
}

}  // namespace

std::string read_ibstat(const Lines& lines, Evidence& e) {
  std::string name, wrong;
  Port* port = nullptr;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string text = trimmed(lines[i]);
    if (begins(text, "CA '")) {
      name = text.substr(4, text.find('\'', 4) - 4);
      nic_called(e, name);
      port = nullptr;
    } else if (begins(text, "ibpanic:") || begins(text, "ibwarn:")) {
      if (wrong.empty()) wrong = lines.at(i, "ibstat says: " + text);
    } else if (name.empty()) {
      continue;
    } else if (begins(text, "Port ") && text.back() == ':') {
      port = &port_of(nic_called(e, name), std::atoi(text.c_str() + 5), lines.file());
    } else if (begins(text, "Firmware version:")) {
      nic_called(e, name).firmware = value_of(text);
    } else if (port == nullptr) {
      continue;
    } else if (begins(text, "State:")) {
      port->state = upper(value_of(text));
    } else if (begins(text, "Physical state:")) {
      port->physical = value_of(text);
    } else if (begins(text, "Rate:")) {
      if (const double rate = std::strtod(value_of(text).c_str(), nullptr); rate > 0) port->rate = rate;
    } else if (begins(text, "Link layer:")) {
      port->link_layer = value_of(text);
    }
  }
  if (name.empty()) return lines.at(0, "no adapter in it; save 'ibstat'");
  for (const Nic& nic : e.nics)
    if (nic.name == name && wrong.empty() && (nic.ports.empty() || nic.ports.back().state.empty()))
      wrong = lines.at(lines.size() - 1, "ends inside " + name + ": the file is cut");
  return wrong;
}

std::string read_ibv_devinfo(const Lines& lines, Evidence& e) {
  std::string name;
  Port* port = nullptr;
  std::vector<Gid> gids;
  double lanes = 0;
  const auto finish = [&] {
    if (port != nullptr && !gids.empty()) port->gids = gids;
    else if (port != nullptr) port->gids.fill(Known<std::vector<Gid>>::unknown("'ibv_devinfo' was saved without -v"));
    gids.clear();
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string text = trimmed(lines[i]);
    if (begins(text, "hca_id:")) {
      finish();
      name = value_of(text);
      nic_called(e, name);
      port = nullptr;
    } else if (name.empty()) {
      continue;
    } else if (begins(text, "fw_ver:")) {
      nic_called(e, name).firmware = value_of(text);
    } else if (begins(text, "vendor_id:")) {
      nic_called(e, name).mlx5 = holds(text, "0x02c9");
    } else if (begins(text, "port:")) {
      finish();
      port = &port_of(nic_called(e, name), std::atoi(value_of(text).c_str()), lines.file());
    } else if (port == nullptr) {
      continue;
    } else if (begins(text, "state:")) {
      const std::string state = value_of(text);
      port->state = begins(state, "PORT_") ? state.substr(5, state.find(' ') - 5) : state;
    } else if (begins(text, "max_mtu:")) {
      port->most_mtu = std::atoi(value_of(text).c_str());
    } else if (begins(text, "active_mtu:")) {
      port->active_mtu = std::atoi(value_of(text).c_str());
    } else if (begins(text, "link_layer:")) {
      port->link_layer = value_of(text);
    } else if (begins(text, "active_width:")) {
      lanes = std::atof(value_of(text).c_str());
    } else if (begins(text, "active_speed:")) {
      if (const double speed = std::atof(value_of(text).c_str()); speed > 0 && lanes > 0)
        port->rate.fill(lanes * speed);
    } else if (begins(text, "GID[")) {
      gids.push_back(gid_of(text));
    }
  }
  finish();
  if (name.empty()) return lines.at(0, "no adapter in it; save 'ibv_devinfo -v'");
  if (port == nullptr || port->state.empty())
    return lines.at(lines.size() - 1, "ends inside " + name + ": the file is cut");
  return {};
}

}  // namespace gicsim::hw::checkup
