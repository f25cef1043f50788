// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "hw_backend/core/error.h"
#include "hw_backend/doctor/check.h"
#include "hw_backend/doctor/saved.h"
#include "hw_backend/doctor/text.h"
#include "hw_backend/doctor/topology.h"

namespace gicsim::hw::checkup {
namespace {

namespace fs = std::filesystem;

std::string samples(const std::string& name) {
  return std::string(std::getenv("GICSIM_ROOT")) + "/tests/hw_backend/doctor/samples/" + name;
}

std::string verdict(const char* key, const Evidence& e) {
  for (const Check& check : checks())
    if (check.key == key) return std::string(to_name(check.judge(e).verdict));
  return "no such check";
}

std::string wrong_in(const std::vector<SavedFile>& files, const std::string& name) {
  for (const SavedFile& file : files)
    if (file.name == name) return file.wrong;
  return "no such file";
}

TEST_CASE("--from: a sound machine") {
  std::vector<SavedFile> files;
  const Evidence e = read_saved(samples("sound"), files);
  REQUIRE(files.size() == 10);
  for (const SavedFile& file : files) {
    CAPTURE(file.name);
    CHECK(!file.kind.empty());
    CHECK(file.wrong == "");
  }
  for (const char* key : {"driver", "uar", "peermem", "acs", "iommu", "bar1", "distance", "pcie-link", "aer", "port",
                          "gid", "mtu", "ordering", "mps-mrrs", "gpu-clocks", "vm"}) {
    CAPTURE(key);
    CHECK(verdict(key, e) == "pass");
  }
  for (const char* key : {"devx", "dma-buf", "memlock", "container", "scatter-to-cqe", "port-errors", "pfc-ecn"})
    CHECK(verdict(key, e) == "can't tell");
  const PciFunction* gpu = e.at("0000:18:00.0");
  REQUIRE(gpu != nullptr);
  CHECK(gpu->parent == "0000:17:00.0");
  CHECK(gpu->root_bus == "0000:15");
  CHECK(gpu->control->payload == 256);
  CHECK(e.at("0000:07:00.0") == nullptr);  // an Ethernet card without RDMA
  CHECK(*e.gpus[0].bar1 == 131072ULL << 20U);
  CHECK(*e.nics[0].ports[0].rate == 400);
}

TEST_CASE("--from: a machine in trouble, files by any name, blanks for tabs, older layouts") {
  std::vector<SavedFile> files;
  const Evidence e = read_saved(samples("troubled"), files);
  for (const char* key : {"peermem", "acs", "bar1", "distance", "pcie-link"}) CHECK(verdict(key, e) == "fail");
  for (const char* key : {"driver", "port", "gid", "mtu", "ordering", "mps-mrrs", "gpu-clocks"})
    CHECK(verdict(key, e) == "warn");
  CHECK(*e.at("0000:17:01.0")->acs ==
        (source_validation | request_redirect | completion_redirect | upstream_forwarding));
  CHECK(wrong_in(files, "ibstat.txt") ==
        "ibstat.txt:23: ibstat says: ibpanic: [91] main: stat of IB device 'mlx5_2' failed: No such file or directory");
}

TEST_CASE("--from: cut and foreign files are told with file and line, and the rest is used") {
  std::vector<SavedFile> files;
  const Evidence e = read_saved(samples("cut"), files);
  CHECK(wrong_in(files, "lspci.txt") ==
        "lspci.txt:101: ends inside a line: the file is cut; its last device may lack details");
  CHECK(wrong_in(files, "nvidia-smi.txt") ==
        "nvidia-smi.txt:34: speaks of 8 GPUs and holds 1: the file is cut, or -i left some out");
  CHECK(wrong_in(files, "topo.txt") == "topo.txt:2: GPU0 has no entry for NIC1: the table is cut or folded");
  CHECK(wrong_in(files, "ibv_devinfo.txt") == "ibv_devinfo.txt:10: ends inside mlx5_0: the file is cut");
  CHECK(wrong_in(files, "ibstat.txt") == "ibstat.txt:1: UTF-16; save it as UTF-8; expected 'ibstat'");
  CHECK(wrong_in(files, "lspci-tv.txt") ==
        "lspci-tv.txt:1: a pointer to a large file, not the file: 'git lfs pull'; expected 'lspci -tv'");
  CHECK(wrong_in(files, "notes.txt") == "notes.txt:1: none of the outputs that doctor reads");
  CHECK(verdict("distance", e) == "pass");
}

TEST_CASE("--from: every prefix of every sample is read without a crash") {
  for (const auto& entry : fs::recursive_directory_iterator(samples(""))) {
    if (!entry.is_regular_file() || entry.path().extension() == ".md") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t n = 1; n < all.size(); n += 37) {
      const Lines lines("x", all.substr(0, n));
      if (lines.size() == 0) continue;
      Evidence e;
      for (auto* read :
           {read_lspci, read_lspci_tree, read_nvidia_smi, read_topo, read_ibstat, read_ibv_devinfo, read_lsmod})
        read(lines, e);
      for (const Check& check : checks()) CHECK(!check.judge(e).seen.empty());
    }
  }
}

TEST_CASE("--from: nothing to read is the user's mistake") {
  std::vector<SavedFile> files;
  CHECK_THROWS_WITH_AS(read_saved("/nowhere/at/all", files), "--from: /nowhere/at/all is no folder", UsageError);
  const fs::path empty = fs::temp_directory_path() / "gicsim_doctor_empty";
  fs::create_directories(empty);
  CHECK_THROWS_AS(read_saved(empty.string(), files), UsageError);
  fs::remove_all(empty);
}

TEST_CASE("lspci: without root, in short, and with a device that is gone") {
  Evidence e;
  const std::string text =
      "0000:18:00.0 3D controller [0302]: NVIDIA Corporation GH100 [10de:2330] (rev a1)\n"
      "\tRegion 0: Memory at 1000000 (64-bit, prefetchable) [size=16M]\n\tRegion 2: Memory at 2000000 (64-bit) "
      "[size=256M]\n"
      "\tCapabilities: <access denied>\n";
  CHECK(read_lspci(Lines("a", text), e) == "");
  CHECK(*e.gpus[0].bar1 == 256ULL << 20U);
  CHECK(e.at("0000:18:00.0")->acs.why() == "lspci was saved without root: 'sudo lspci -vvv'");
  CHECK(e.at("0000:18:00.0")->root_bus.empty());  // one device asked for: what is above isn't known
  Evidence gone;
  CHECK(read_lspci(Lines("b",
                         "18:00.0 3D controller: NVIDIA Corporation Device 2330 (rev ff) (prog-if ff)\n\t!!! Unknown "
                         "header type 7f\n"),
                   gone) == "b:2: 0000:18:00.0 doesn't answer (all ones): it has fallen off the bus, or sleeps");
}

TEST_CASE("lspci -tv: the drawing alone gives the distance") {
  Evidence e;
  std::ifstream in(samples("sound/lspci-tv.txt"));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CHECK(read_lspci_tree(Lines("t", text), e) == "");
  REQUIRE(e.at("0000:18:00.0") != nullptr);
  REQUIRE(e.at("0000:19:00.0") != nullptr);
  CHECK(e.at("0000:19:00.0")->parent == "0000:17:01.0");
  CHECK(distance(e, *e.at("0000:18:00.0"), *e.at("0000:19:00.0")).kind == "PIX");
  CHECK(begins(read_lspci_tree(Lines("t", "-[0000:00]-+-00.0  Host\n  nonsense\n"), e), "t:2: no line of 'lspci -tv'"));
}

TEST_CASE("addresses: with and without domain") {
  CHECK(address_of("18:00.0") == "0000:18:00.0");
  CHECK(address_of("00000000:1A:00.0") == "0000:1a:00.0");
  CHECK(address_of("10001:18:00.0") == "10001:18:00.0");
  CHECK(address_of("18:00") == "");
  CHECK(address_of("zz:00.0") == "");
}

}  // namespace
}  // namespace gicsim::hw::checkup
