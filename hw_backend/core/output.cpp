// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/output.h"

#include <charconv>
#include <cstdio>
#include <ctime>
#include <iostream>

#include "hw_backend/core/error.h"
#include "hw_backend/core/json_line.h"

#ifndef GICSIM_VERSION
#define GICSIM_VERSION "0"
#endif

namespace gicsim::hw {
namespace {

std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string pcie_of(const PcieDevice& d) {
  const auto known = [](const std::string& text) { return text.empty() ? "not shown" : text; };
  return d.address + ", " + known(d.current_speed) + " x" + known(d.current_width) + " now, " + known(d.max_speed) + " x" +
         known(d.max_width) + " at most, NUMA node " + known(d.numa_node);
}

std::string environment(const Machine& m, const Options& o, const std::string& system) {
  JsonLine line("gicsim.environment/1");
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  line.text("system", system).text("version", GICSIM_VERSION).text("at", date);
  line.number("repeats", o.repeats).text("sampling", o.quick ? "quick" : "full");
  for (std::size_t i = 0; i < m.gpus.size(); ++i) {
    const GpuInfo& g = m.gpus[i];
    const std::string n = "gpu" + std::to_string(i);
    line.text(n, g.name).text(n + "_driver", g.driver).text(n + "_runtime", g.runtime).number(n + "_sms", g.sms);
    line.number(n + "_sm_clock_khz", g.sm_clock_khz).number(n + "_memory_clock_khz", g.memory_clock_khz);
    line.text(n + "_pcie", pcie_of(g.pcie));
  }
  for (const PeerLink& l : m.links)
    line.text("gpu" + std::to_string(l.from) + "_to_gpu" + std::to_string(l.to), l.name);
  for (std::size_t i = 0; i < m.nics.size(); ++i) {
    const NicInfo& nic = m.nics[i];
    const std::string n = "nic" + std::to_string(i);
    line.text(n, nic.name).text(n + "_driver", nic.driver).text(n + "_firmware", nic.firmware);
    line.text(n + "_link", nic.link_layer + " " + nic.rate).text(n + "_pcie", pcie_of(nic.pcie));
  }
  if (m.gpus.empty()) line.text("no_gpu", m.no_gpu);
  if (m.nics.empty()) line.text("no_nic", m.no_nic);
  line.text("cpu", m.cpu).number("cores", m.cores).text("hypervisor", m.hypervisor);
  return line.text("kernel", m.kernel).text("distribution", m.distribution).str();
}

}  // namespace

std::string system_name(const Machine& machine) {
  std::string name;
  for (const char c : machine.gpus.empty() ? "cpu" : machine.gpus[0].name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte)) name += static_cast<char>(std::tolower(byte));
    else if (!name.empty() && name.back() != '_') name += '_';
  }
  if (name.compare(0, 7, "nvidia_") == 0) name.erase(0, 7);
  if (machine.gpus.size() > 1) name += "_x" + std::to_string(machine.gpus.size());
  return name + (machine.nics.empty() ? "_host" : "_" + machine.nics[0].name);
}

Output::Output(const Machine& machine, const Options& options)
    : system_(options.system.empty() ? system_name(machine) : options.system),
      source_("gicsim-hw " GICSIM_VERSION),
      out_(options.out),
      samples_(options.samples),
      to_(out_.empty() ? std::cout : file_) {
  const auto open = [](std::ofstream& file, const std::string& name) {
    if (name.empty()) return;
    file.open(name + ".part");
    if (!file) throw UsageError(name + ": can't be written");
  };
  open(file_, out_);
  open(raw_, samples_);
  line(environment(machine, options, system_));
}

Output::~Output() = default;  // what wasn't finished keeps its .part name: whoever looks sees that it isn't whole

void Output::line(const std::string& text) { to_ << text << '\n' << std::flush; }

void Output::record(Record record, const std::vector<std::vector<double>>& repeats) {
  record.system = system_;
  record.source = source_;
  const std::string text = to_json_line(record);
  line(text);
  if (raw_.is_open()) {
    std::string values = "[";
    for (const std::vector<double>& repeat : repeats) {
      values += values.size() > 1 ? ",[" : "[";
      for (std::size_t i = 0; i < repeat.size(); ++i) (values += i == 0 ? "" : ",") += shortest(repeat[i]);
      values += ']';
    }
    raw_ << JsonLine("gicsim.samples/1").raw("of", text).raw("repeats", values + "]").str() << '\n';
  }
  records_.push_back(std::move(record));
}

void Output::skipped(const std::string& key, const std::string& point, const std::string& reason) {
  line(JsonLine("gicsim.skipped/1").text("key", key).text("point", point).text("reason", reason).str());
}

void Output::note(const std::string& key, const std::string& point, const std::string& text) {
  line(JsonLine("gicsim.note/1").text("key", key).text("point", point).text("text", text).str());
}

void Output::counters(const std::string& key, const std::map<std::string, long>& grown, bool readable) {
  JsonLine text("gicsim.counters/1");
  text.text("key", key).text("aer", readable ? (grown.empty() ? "no error" : "errors") : "not readable");
  for (const auto& [name, by] : grown) text.number(name, by);
  line(text.str());
}

void Output::finish() {
  const auto close = [](std::ofstream& file, const std::string& name) {
    if (name.empty()) return;
    file.close();
    if (!file || std::rename((name + ".part").c_str(), name.c_str()) != 0)
      throw HardwareError(name + ": could not be written to its end; what there is stands in " + name + ".part");
  };
  close(file_, out_);
  close(raw_, samples_);
}

}  // namespace gicsim::hw
