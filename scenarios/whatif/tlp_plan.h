// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenarios/whatif/replay.h"
#include "traces/tlp/requests.h"

namespace gicsim::whatif {

/// "node0.nic1": something with a port, or a node's host.
struct TlpDevice {
  std::size_t node = 0;
  std::string who;  ///< "gpu0", "nic1", "dma0", "host"
  friend auto operator<=>(const TlpDevice&, const TlpDevice&) = default;
};
std::string name_of(const TlpDevice& device);

/// Which devices of a machine make a trace's requests, and where those go.
///
/// Of a link as this program names them ("node0.gpu0_pcie"), what goes up is asked for by the device below it, and what
/// goes down by the node's host; addresses are this program's, so they say the target. Of other links addresses say
/// nothing that another machine knows: what goes up goes to host memory, what goes down to the device below, at the
/// same offset within a page.
class TlpPlan {
 public:
  /// Reads the trace to its end.
  /// @throws ConfigError for a device that the machine lacks and a link that is nobody's
  TlpPlan(tlp::Requests& trace, const ReplayRequest& request, const std::string& root);

  const schema::Scenario& scenario() const { return scenario_; }
  schema::Scenario& scenario() { return scenario_; }
  const TlpDevice& seat(std::size_t entry) const { return seats_[entry]; }
  /// The machine's link that stands for one of the trace, without its direction.
  const std::string& link(std::size_t link) const { return links_[link]; }
  Address target(const tlp::Request& request) const;
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Target {
    TlpDevice device;
    Address offset;
  };
  void read_map(const std::string& map, const tlp::Requests& trace);
  void build(const ReplayRequest& request, const std::string& root, std::size_t nodes);
  void check(const TlpDevice& device, const std::string& why) const;
  std::size_t number(const TlpDevice& device) const;
  void choose(const tlp::Requests& trace);
  std::optional<Target> by_address(const std::string& link, const tlp::Record& record) const;
  Address base(const TlpDevice& device) const;

  schema::Scenario scenario_;
  std::map<std::string, TlpDevice> map_;         ///< of the trace's links
  std::vector<std::optional<TlpDevice>> below_;  ///< by link
  std::vector<bool> ours_;                       ///< by link: addresses are this program's
  std::vector<std::string> names_, links_;       ///< by link: the trace's, the machine's
  std::vector<TlpDevice> seats_;                 ///< by entry
  std::vector<std::string> notes_;
};

}  // namespace gicsim::whatif
