// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/block.h"
#include "scenarios/schema/detail/given.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

/// One word of an instance's name: "nic0", which is also "nic", and of kind "nic".
struct Token {
  std::string name, bare, kind;
};

/// A parameter block in the machine, and who gave each of its fields.
struct Instance {
  std::string name;
  std::vector<Token> tokens;
  const Block* block = nullptr;
  void* params = nullptr;
  Instance* owner = nullptr;        ///< node0.gpu0 of node0.gpu0.port
  std::vector<const Given*> given;  ///< a field; null: the default in C++
  std::string part;                 ///< shown name of its part file, if it has one
  Location part_at;                 ///< the block there
  bool excused = false;             ///< its part failed to load, which was said
};

/// The instances of a system whose vectors have their sizes.
class Machine {
 public:
  explicit Machine(SystemSpec& system);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::deque<Instance>& instances() { return instances_; }
  /// The instances that a pattern such as "nic", "nic.pcie" or "node1.nic0" means.
  std::vector<Instance*> matching(std::string_view pattern);
  Instance* named(std::string_view name);

  /// Gives the values to the parameters that their keys name. Within one layer the
  /// narrower path wins; on the command line the later one.
  void apply(std::deque<Given>& values, Mistakes& mistakes);
  /// What a part says about one instance.
  static void apply(const std::vector<Given>& block, Instance& instance);

  /// Fills the structs and the table; reports what nobody gave. `parts_at`: where parts are named.
  std::vector<Resolved> resolve(const Location& parts_at, Mistakes& mistakes);

  /// Every pattern worth suggesting.
  std::vector<std::string> patterns() const;

 private:
  struct Target {
    Given* value;
    int field;
    std::vector<Instance*> instances;
  };
  void find_target(Given& value, Target& target, Mistakes& mistakes);
  std::string unknown(const std::string& path, const std::string& pattern,
                      const std::string& name) const;
  Instance* add(Instance* owner, std::string name, std::string_view kind, void* params);
  void add_cable(Instance* owner, std::string name, Cable& cable);

  std::deque<Instance> instances_;
};

}  // namespace gicsim::schema::detail
