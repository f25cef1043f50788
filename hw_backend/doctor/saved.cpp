// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/doctor/saved.h"

#include <algorithm>

#include "hw_backend/core/error.h"
#include "hw_backend/doctor/files.h"
#include "hw_backend/doctor/text.h"

namespace gicsim::hw::checkup {
namespace {

/// A kind of output: how it is told apart, and what it is good for. In the order in which they are read.
struct Kind {
  const char *name, *usual, *feeds;
  bool (*is)(const Lines&);
  std::string (*read)(const Lines&, Evidence&);
};

bool any_line(const Lines& lines, bool (*fits)(const std::string&)) {
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (fits(lines[i])) return true;
  return false;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += lines[i] + "\n";
  return text;
}

std::string placed(const Lines& lines, const std::string& wrong) { return wrong.empty() ? "" : lines.at(0, wrong); }

const Kind kinds[] = {
    {"lspci -vvv", "lspci.txt", "acs, bar1, distance, pcie-link, aer, ordering, mps-mrrs",
     [](const Lines& l) {
       return any_line(l, [](const std::string& s) {
         const auto w = words_of(s);
         return w.size() > 2 && indent_of(s) == 0 && !address_of(w[0]).empty();
       });
     },
     read_lspci},
    {"lspci -tv", "lspci-tv.txt", "distance, acs",
     [](const Lines& l) {
       return any_line(l, [](const std::string& s) { return begins(trimmed(s), "-[0") || begins(trimmed(s), "-+-["); });
     },
     read_lspci_tree},
    {"nvidia-smi -q", "nvidia-smi.txt", "driver, bar1, pcie-link, gpu-clocks, vm",
     [](const Lines& l) {
       return any_line(
           l, [](const std::string& s) { return holds(s, "NVSMI LOG") || begins(s, "NVIDIA-SMI has failed"); });
     },
     read_nvidia_smi},
    {"nvidia-smi topo -m", "topo.txt", "distance",
     [](const Lines& l) {
       return any_line(l, [](const std::string& s) {
         const auto w = words_of(s);
         return w.size() > 1 && w[0] == "GPU0" && w[1] == "X";
       });
     },
     read_topo},
    {"ibstat", "ibstat.txt", "port",
     [](const Lines& l) { return any_line(l, [](const std::string& s) { return begins(trimmed(s), "CA '"); }); },
     read_ibstat},
    {"ibv_devinfo -v", "ibv_devinfo.txt", "port, gid, mtu",
     [](const Lines& l) { return any_line(l, [](const std::string& s) { return begins(trimmed(s), "hca_id:"); }); },
     read_ibv_devinfo},
    {"lsmod", "lsmod.txt", "driver, peermem",
     [](const Lines& l) {
       return any_line(l, [](const std::string& s) {
         return (begins(s, "Module ") && holds(s, "Used by")) || holds(s, " Live 0x");
       });
     },
     read_lsmod},
    {"/proc/driver/nvidia/version", "nvidia-version.txt", "driver, peermem, dma-buf",
     [](const Lines& l) { return any_line(l, [](const std::string& s) { return begins(s, "NVRM version:"); }); },
     [](const Lines& l, Evidence& e) { return placed(l, read_driver_version(text_of(l), e)); }},
    {"/proc/driver/nvidia/params", "nvidia-params.txt", "uar",
     [](const Lines& l) { return any_line(l, [](const std::string& s) { return begins(s, "RegistryDwords:"); }); },
     [](const Lines& l, Evidence& e) { return placed(l, read_driver_params(text_of(l), e)); }},
    {"/proc/cmdline", "cmdline.txt", "iommu",
     [](const Lines& l) { return any_line(l, [](const std::string& s) { return begins(s, "BOOT_IMAGE="); }); },
     [](const Lines& l, Evidence& e) {
       e.platform.command_line = l[0];
       return std::string();
     }},
};

/// Why a text is none at all; empty: it is one.
std::string no_text(const std::string& bytes) {
  if (bytes.find_first_not_of(" \t\r\n") == bytes.npos) return "empty";
  if (begins(bytes, "\xff\xfe") || begins(bytes, "\xfe\xff")) return "UTF-16; save it as UTF-8";
  if (begins(bytes, "version https://git-lfs")) return "a pointer to a large file, not the file: 'git lfs pull'";
  if (bytes.find('\0') != bytes.npos) return "holds bytes that are no text";
  return {};
}

void say_what_is_missing(Evidence& e) {
  const std::string machine = "only the machine itself can say: run doctor there";
  for (Known<Trial>* trial : {&e.uar, &e.devx, &e.peermem, &e.dma_buf}) *trial = Known<Trial>::unknown(machine);
  e.driver.open.fill(Known<bool>::unknown("/proc/driver/nvidia/version wasn't saved"));
  e.driver.modules.fill(Known<std::vector<std::string>>::unknown("lsmod wasn't saved"));
  e.platform.iommu.fill(Known<bool>::unknown("no saved output tells; " + machine));
  e.platform.hypervisor.fill(Known<std::string>::unknown("no saved output tells"));
  e.process.memlock = Known<std::uint64_t>::unknown(machine);
  e.process.scatter_to_cqe = Known<std::string>::unknown(machine);
  e.process.root = Known<bool>::unknown(machine);
  e.process.container = Known<std::string>::unknown(machine);
  e.no_gpu = "no GPU in the saved outputs";
  e.no_nic = e.of(PciFunction::Kind::nic).empty() ? "no RDMA NIC in the saved outputs"
                                                  : "ibstat and ibv_devinfo weren't saved";
}

}  // namespace

Lines::Lines(std::string file, const std::string& text)
    : file_(std::move(file)), cut_(!text.empty() && text.back() != '\n') {
  std::string line;
  for (const char c : text) {
    if (c == '\r') continue;
    if (c == '\n') {
      lines_.push_back(line);
      line.clear();
    } else {
      line += c;
    }
  }
  if (!line.empty()) lines_.push_back(line);
}

std::string Lines::at(std::size_t i, const std::string& what) const {
  return file_ + ":" + std::to_string(i + 1) + ": " + what;
}

Evidence read_saved(const std::string& folder, std::vector<SavedFile>& files) {
  std::error_code missing;
  if (!std::filesystem::is_directory(folder, missing)) throw UsageError("--from: " + folder + " is no folder");
  std::vector<std::pair<Lines, const Kind*>> texts;
  for (const std::string& name : names_in(folder)) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    if (!std::filesystem::is_regular_file(path, missing)) continue;
    const std::string bytes = whole(path), why = no_text(bytes);
    const Lines lines(name, bytes);
    const Kind* found = nullptr;
    if (why.empty())
      for (const Kind& kind : kinds)
        if (found == nullptr && kind.is(lines)) found = &kind;
    SavedFile file{name, "", "", ""};
    if (found != nullptr) {
      file.kind = found->name;
      file.feeds = found->feeds;
      texts.emplace_back(lines, found);
    } else {
      file.wrong = name + ":1: " + (why.empty() ? "none of the outputs that doctor reads" : why);
      for (const Kind& kind : kinds)
        if (name == kind.usual) file.wrong += "; expected '" + std::string(kind.name) + "'";
    }
    files.push_back(file);
  }
  if (texts.empty()) {
    std::string wanted;
    for (const Kind& kind : kinds)
      wanted += std::string(wanted.empty() ? "" : ", ") + kind.usual + " (" + kind.name + ")";
    throw UsageError("--from: " + folder + " holds none of " + wanted +
                     (files.empty() ? "" : "; " + files.front().wrong));
  }
  Evidence e;
  for (const Kind& kind : kinds)
    for (const auto& [lines, of] : texts)
      if (of == &kind) {
        const std::string wrong = kind.read(lines, e);
        for (SavedFile& file : files)
          if (file.name == lines.file()) file.wrong = wrong;
      }
  say_what_is_missing(e);
  std::sort(e.functions.begin(), e.functions.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  return e;
}

}  // namespace gicsim::hw::checkup
