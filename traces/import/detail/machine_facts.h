// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/errors.h"

/// What the files say of one machine, before anything is concluded from it.
namespace gicsim::imports::detail {

/// domain:bus:device.function
struct PciAddress {
  std::uint32_t domain = 0;
  int bus = 0, device = 0, function = 0;
  auto operator<=>(const PciAddress&) const = default;
};
/// "18:00.0", "0000:18:00.0", "00000000:18:00.0"; nothing for what isn't one.
std::optional<PciAddress> pci_address(std::string_view text);
std::string to_text(const PciAddress& address);
std::optional<std::int64_t> hexadecimal(std::string_view text);  ///< with or without "0x"

/// Where a file says something, and in which of its fields.
struct Origin {
  std::string file;
  int line = 0;
  std::string what;  ///< "LnkSta"
};
std::string to_text(const Origin& origin);  ///< "lspci.txt:412, LnkSta"

template <class T>
struct Fact {
  T value{};
  Origin at;
};
template <class T>
using Maybe = std::optional<Fact<T>>;

enum class Port { unknown, root, upstream, downstream, endpoint };

/// Control bits, not abilities.
struct Acs {
  bool translation_blocking = false, request_redirect = false, completion_redirect = false, upstream_forwarding = false,
       direct_translated = false;
  bool operator==(const Acs&) const = default;
};

struct LinkFacts {
  Maybe<double> speed;  ///< GT/s; 0: said to be unknown
  Maybe<int> width;
};

/// A BAR as it is mapped: [base, base + size); without an address it was left out.
struct Window {
  int number = 0;
  std::optional<std::uint64_t> base;
  std::uint64_t size = 0;
  Origin at;
};

struct PciDevice {
  PciAddress at;
  Origin seen;
  Maybe<std::string> name;
  Maybe<int> cls, vendor, model;      ///< 0x0302, 0x10de, 0x2335
  Maybe<int> secondary;               ///< of a bridge: the bus behind it
  Maybe<PciAddress> parent;           ///< as a tree shows it
  bool on_root_bus = false;           ///< as a tree shows it
  bool is_gpu = false, is_nic = false;  ///< said so, whatever its class
  Maybe<Port> port;
  Maybe<int> numa;
  LinkFacts link, ability;  ///< now, and the most that it can
  bool ability_only = false;  ///< `link` is the lesser ability of both ends (NCCL), not what was trained
  Maybe<int> mps, mrrs, iommu, sm;
  Maybe<bool> ext_tag, ten_bit_tag, relaxed, ats, coherent;
  bool ten_bit_able = false, denied = false;
  Maybe<Acs> acs;
  std::map<int, Fact<std::int64_t>> bars;  ///< MiB, prefetchable ones
  std::vector<Window> windows;
  Maybe<std::int64_t> memory, bar1;        ///< MiB
  int nvlinks = 0;
  std::vector<Fact<std::string>> rdma;  ///< "mlx5_0"
};

/// A port of an RDMA device, by the device's name.
struct RdmaDevice {
  Origin seen;
  Maybe<int> model;
  Maybe<double> gbps;
  Maybe<bool> ethernet;
  std::optional<bool> active;
};

/// nvidia-smi topo -m
struct Matrix {
  Origin seen;
  std::vector<std::string> rows;                                      ///< "GPU0", "mlx5_0" where a legend says so
  std::map<std::pair<std::string, std::string>, Fact<std::string>> cells;  ///< PIX, NV18, ...
  std::map<std::string, Fact<int>> numa;
};

struct CpuFacts {
  std::string vendor, arch;
  int family = -1, model = -1;
  Origin at;
};

struct MachineFacts {
  std::map<PciAddress, PciDevice> devices;
  std::map<std::string, RdmaDevice> rdma;
  std::optional<Matrix> matrix;
  std::optional<CpuFacts> cpu;
  Maybe<std::string> host_hash;
  std::vector<Fact<std::string>> virtual_signs;  ///< what only a virtual machine shows
  std::vector<std::string> warnings;

  PciDevice& device(const PciAddress& at, const Origin& seen);
  void warn(const Origin& at, const std::string& what);
};

/// Keeps what a better source has said.
template <class T, class U>
void give(Maybe<T>& field, U&& value, const Origin& at) {
  if (!field) field = Fact<T>{T(std::forward<U>(value)), at};
}

/// Where one file's reader puts what it finds.
class MachineFile {
 public:
  MachineFile(std::string file, MachineFacts& facts) : facts(facts), file_(std::move(file)) {}
  MachineFacts& facts;

  Origin at(int line, std::string_view what = {}) const { return {file_, line, std::string(what)}; }
  /// A device of this file; a second time is a mistake.
  PciDevice* device(const PciAddress& address, int line, int column);
  /// @throws ConfigError at the twentieth
  void mistake(int line, int column, std::string what);
  /// @throws ConfigError with the mistakes
  void finish() const;
  std::size_t devices() const { return seen_.size(); }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::map<PciAddress, int> seen_;
  std::vector<Mistake> mistakes_;
};

}  // namespace gicsim::imports::detail
