// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw_backend/doctor/evidence.h"

namespace gicsim::hw::checkup {

/// From harmless to worst; a check over many devices takes its worst.
enum class Verdict { skipped, pass, unknown, warn, fail };
std::string_view to_name(Verdict verdict);

struct Finding {
  Verdict verdict = Verdict::skipped;
  std::string seen;        ///< one line; for skipped and unknown: why
  std::string cause, fix;  ///< of warn and fail
};

/// What programs print when the trouble that a check looks for is there.
struct Message {
  std::string_view text, cause, fix;
};

struct Check {
  std::string_view key;
  Finding (*judge)(const Evidence&);
  std::vector<Message> messages;
};

/// Every check, in the order of the report.
const std::vector<Check>& checks();

/// Gathers what one check found on several devices.
class Tally {
 public:
  void add(Verdict verdict, std::string seen, std::string cause = {}, std::string fix = {});
  void pass(std::string seen) { add(Verdict::pass, std::move(seen)); }
  void unknown(std::string why) { add(Verdict::unknown, std::move(why)); }
  bool empty() const { return all_.empty(); }
  /// Of the worst verdict: all that was seen, cause and fix of the first.
  Finding finding() const;

 private:
  std::vector<Finding> all_;
};

inline Finding skipped(std::string why) { return {Verdict::skipped, std::move(why), {}, {}}; }
inline Finding pass(std::string seen) { return {Verdict::pass, std::move(seen), {}, {}}; }
inline Finding unknown(std::string why) { return {Verdict::unknown, std::move(why), {}, {}}; }
inline Finding warn(std::string seen, std::string cause, std::string fix) {
  return {Verdict::warn, std::move(seen), std::move(cause), std::move(fix)};
}
inline Finding fail(std::string seen, std::string cause, std::string fix) {
  return {Verdict::fail, std::move(seen), std::move(cause), std::move(fix)};
}

/// "a, b, c and 5 more"; equal ones once.
std::string some_of(const std::vector<std::string>& items, std::size_t most = 3);
/// 256 MiB, 128 GiB.
std::string in_bytes(std::uint64_t bytes);

Finding judge_driver(const Evidence&);
Finding judge_uar(const Evidence&);
Finding judge_devx(const Evidence&);
Finding judge_peermem(const Evidence&);
Finding judge_dma_buf(const Evidence&);
Finding judge_scatter(const Evidence&);
Finding judge_memlock(const Evidence&);
Finding judge_container(const Evidence&);
Finding judge_acs(const Evidence&);
Finding judge_iommu(const Evidence&);
Finding judge_bar1(const Evidence&);
Finding judge_distance(const Evidence&);
Finding judge_link(const Evidence&);
Finding judge_aer(const Evidence&);
Finding judge_ordering(const Evidence&);
Finding judge_sizes(const Evidence&);
Finding judge_port(const Evidence&);
Finding judge_gid(const Evidence&);
Finding judge_mtu(const Evidence&);
Finding judge_port_errors(const Evidence&);
Finding judge_pfc(const Evidence&);
Finding judge_clocks(const Evidence&);
Finding judge_vm(const Evidence&);

}  // namespace gicsim::hw::checkup
