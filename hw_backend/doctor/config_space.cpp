// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/doctor/config_space.h"

#include <array>

namespace gicsim::hw::checkup {
namespace {

/// Little-endian words; what lies beyond the end reads as 0.
class Space {
 public:
  explicit Space(const std::string& bytes) : bytes_(bytes) {}
  unsigned byte(std::size_t at) const { return at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0U; }
  unsigned word(std::size_t at) const { return byte(at) | byte(at + 1) << 8U; }
  unsigned dword(std::size_t at) const { return word(at) | word(at + 2) << 16U; }
  bool extended() const { return bytes_.size() >= 4096; }

  /// Offset of a capability; 0: none. A list that runs in a circle ends after as many steps as there can be.
  std::size_t capability(unsigned id) const {
    std::size_t at = byte(0x34) & 0xfcU;
    for (int steps = 0; at >= 0x40 && steps < 48; ++steps, at = byte(at + 1) & 0xfcU)
      if (byte(at) == id) return at;
    return 0;
  }
  std::size_t extended_capability(unsigned id) const {
    std::size_t at = 0x100;
    for (int steps = 0; at >= 0x100 && steps < 960; ++steps, at = dword(at) >> 20U & 0xffcU) {
      if (dword(at) == 0) return 0;
      if ((dword(at) & 0xffffU) == id) return at;
    }
    return 0;
  }

 private:
  const std::string& bytes_;
};

}  // namespace

double speed_of(unsigned generation) {
  static constexpr std::array<double, 7> speeds{0, 2.5, 5, 8, 16, 32, 64};
  return generation < speeds.size() ? speeds[generation] : 0;
}

void read_config_space(const std::string& bytes, const std::string& why, PciFunction& f) {
  const Space space(bytes);
  if (bytes.size() <= 64) {
    f.acs = Known<unsigned>::unknown(why);
    f.ats = Known<bool>::unknown(why);
    f.control = Known<DeviceControl>::unknown(why);
    return;
  }
  if (const std::size_t express = space.capability(0x10); express != 0) {
    const unsigned capabilities = space.dword(express + 4), control = space.word(express + 8);
    f.control = DeviceControl{(control & 0x10U) != 0, 128 << (control >> 5U & 7U), 128 << (capabilities & 7U),
                              128 << (control >> 12U & 7U)};
    const unsigned most = space.dword(express + 0xc), now = space.word(express + 0x12);
    if (const Link link{speed_of(now & 15U), speed_of(most & 15U), static_cast<int>(now >> 4U & 63U),
                        static_cast<int>(most >> 4U & 63U)};
        link.speed > 0)
      f.link.fill(link);
  } else {
    f.control = Known<DeviceControl>::unknown("it shows no PCI Express capability");
  }
  if (!space.extended()) {
    f.acs = Known<unsigned>::unknown("the kernel shows no extended configuration space");
    f.ats = Known<bool>::unknown("the kernel shows no extended configuration space");
    return;
  }
  const std::size_t acs = space.extended_capability(0x000d), ats = space.extended_capability(0x000f);
  f.acs = acs == 0 ? 0U : space.word(acs + 6);
  f.ats = ats != 0 && (space.word(ats + 6) & 0x8000U) != 0;
}

}  // namespace gicsim::hw::checkup
