// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "traces/fabric/topology.h"

namespace gicsim::fabric {

/// One topology on its way to a system file.
class SystemMaker {
 public:
  explicit SystemMaker(const Topology& topology) : t_(topology), hosts_links_(topology.nodes.size()) { sort(); }
  SystemText make();

 private:
  struct Uplink {
    std::size_t leaf;
    const Link* link;
  };
  void sort();
  void warn(std::string what) { text_.warnings.push_back(std::move(what)); }
  void place_nodes();
  void place_switches();
  void leaves_and_spines();
  void check_homes();
  void write_parts();
  void set(const std::string& key, const std::string& value) { set_ += fmt::format("  {}: {}\n", key, value); }
  std::size_t switches() const { return leaves_.size() + spines_.size(); }
  std::size_t node_of(std::size_t host) const {
    return t_.gpus_per_server > 0 ? rank_.at(host) / t_.gpus_per_server : rank_.at(host);
  }

  const Topology& t_;
  SystemText text_;
  std::map<std::size_t, std::size_t> rank_;  ///< of hosts, in order
  std::vector<std::vector<Uplink>> hosts_links_;
  std::vector<std::size_t> leaves_, spines_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<const Link*>> between_;  ///< switches
  std::vector<const Link*> host_to_host_;
  std::size_t nodes_ = 0, pairs_ = 1, nvlinks_ = 0;
  BitRate rate_;
  std::string keys_, set_;
};

}  // namespace gicsim::fabric
