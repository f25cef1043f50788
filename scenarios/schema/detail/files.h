// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "scenarios/schema/detail/given.h"
#include "scenarios/schema/keys.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

/// A part file: one product, a block a kind.
struct PartFile {
  struct Block {
    Location at;
    std::vector<Given> values;
  };
  std::string shown, about;
  bool good = true;  ///< false: it can't be read, which was said
  std::map<std::string, Block> blocks;
};

/// What stands on a node; of a tree, also where each thing is plugged in.
struct Tree {
  std::vector<Plug> plugs;
  std::size_t gpus = 0, nics = 0, switches = 0, bridges = 0, dmas = 0;
};

/// A system, from a file of its own or from inside a scenario file.
struct SystemFile {
  struct Part {
    std::string pattern, name;  ///< "nic.pcie", "pcie5_x16"
    Location at, name_at;
  };
  SystemKeys keys;
  std::map<std::string, Location, std::less<>> keys_at;  ///< of those that were given
  std::map<std::string, Location, std::less<>> tree_at;  ///< of a tree's items, if it is a map
  std::vector<std::string> notes;
  std::vector<Part> parts;
  std::deque<Given> set;
  Tree read;  ///< what stands on a node, after check_keys
  Location parts_at;
  std::string folder;  ///< part files that are named by path are relative to it
  bool good = true;
};

/// Finds and reads the files below a root; each is read once.
class Files {
 public:
  Files(std::string root, Mistakes& mistakes) : root_(std::move(root)), mistakes_(mistakes) {}

  /// NAME in one of our folders, or a path relative to `beside`. Empty, and a mistake with
  /// near names, when there is no such file.
  std::string find(const std::string& folder, const std::string& name, const std::string& beside,
                   const Location& at, const std::string& what);
  /// The same for a library or proxy, of which there may be one an architecture.
  std::string find_profile(const std::string& folder, const std::string& name,
                           const std::string& architecture, const std::string& beside,
                           const Location& at, const std::string& what);

  const PartFile& part(const std::string& path);
  SystemFile system(const std::string& path);
  SystemFile system(const text::Node& map, const std::string& folder);

  std::string path(const std::string& relative) const { return root_ + "/" + relative; }

 private:
  std::string root_;
  Mistakes& mistakes_;
  std::map<std::string, PartFile> parts_;
};

/// A file's name as a user would type it from where they are.
std::string shown(const std::string& path);
bool is_path(const std::string& name);  ///< rather than a name: holds a '/' or ends in .yaml
std::string folder_of(const std::string& path);
std::string stem_of(const std::string& path);
/// Names, without .yaml, of the files in a folder, in order.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace gicsim::schema::detail
