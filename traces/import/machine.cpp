// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "traces/import/detail/cells.h"
#include "traces/import/detail/machine_format.h"
#include "traces/import/detail/machine_yaml.h"

namespace gicsim::imports {
namespace {

/// Who knows more of a thing comes first, whatever the order of the files: lspci has what a link trained to.
constexpr std::array formats = {&detail::lspci,  &detail::lspci_tree,  &detail::smi_query,    &detail::smi_topo,
                                &detail::ibstat, &detail::ibv_devinfo, &detail::nccl_topology};
/// How they are told apart: an XML by its first character, the matrix before what names GPUs otherwise.
constexpr std::array told = {&detail::nccl_topology, &detail::lspci_tree, &detail::smi_query,  &detail::lspci,
                             &detail::ibstat,        &detail::ibv_devinfo, &detail::smi_topo};

}  // namespace

struct MachineReader::State {
  struct File {
    std::string name, text;
    const detail::MachineFormat* format = nullptr;
  };
  std::vector<File> files;
};

MachineReader::MachineReader() : state_(std::make_unique<State>()) {}
MachineReader::~MachineReader() = default;

void MachineReader::read(std::istream& in, const std::string& file) {
  detail::Input input(in, file);
  const std::string_view head = input.head();
  if (detail::trimmed(head).find_first_not_of("\r\n") == head.npos) throw ConfigError(Location{file}, "is empty");
  const auto format = std::find_if(told.begin(), told.end(), [&](const auto* one) { return one->detect(head); });
  if (format == told.end())
    throw ConfigError(Location{file},
                      "nothing that is known here of a machine; give the whole output of lspci -vvv or -tv, nvidia-smi -q or topo -m, "
                      "ibstat, ibv_devinfo -v, or the file that NCCL writes for NCCL_TOPO_DUMP_FILE");
  state_->files.push_back({file, input.rest(), *format});
  detail::MachineFacts alone;  // what is wrong with this file is said now, whatever the others hold
  detail::MachineFile found(file, alone);
  std::istringstream text(state_->files.back().text);
  detail::Input again(text, file);
  (*format)->read(again, found);
  found.finish();
}

MachineText MachineReader::finish(const MachineSaid& said) {
  detail::MachineFacts facts;
  MachineText result;
  std::vector<std::string> names;
  for (const detail::MachineFormat* format : formats) {
    for (const State::File& file : state_->files) {
      if (file.format != format) continue;
      const std::size_t before = facts.devices.size();
      detail::MachineFile found(file.name, facts);
      std::istringstream text(file.text);
      detail::Input input(text, file.name);
      format->read(input, found);
      found.finish();
      names.push_back(file.name);
      result.read.push_back(found.devices() == 0 ? fmt::format("{}: {}", file.name, format->name)
                                                 : fmt::format("{}: {}, {} devices, {} of them new", file.name, format->name,
                                                               found.devices(), facts.devices.size() - before));
    }
  }
  const detail::MachineTree tree = detail::build_tree(facts, said.sockets);
  detail::check_machine(tree, facts);
  const detail::MachineValues values(tree, facts, said);
  result.yaml = detail::machine_yaml(tree, values, facts, said, names);
  result.warnings = facts.warnings;
  return result;
}

}  // namespace gicsim::imports

namespace gicsim::imports::detail {

bool any_line(std::string_view text, bool (*is)(std::string_view line)) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (is(line)) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace gicsim::imports::detail
