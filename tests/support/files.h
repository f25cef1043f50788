// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "models/base/errors.h"

namespace gicsim {

/// The tree under test.
inline std::string source_root() {
  const char* root = std::getenv("GICSIM_ROOT");
  return root ? root : ".";
}

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder of its own for a test's files, gone with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gicsim_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  /// The text without this folder's own name.
  std::string relative(std::string text) const {
    for (std::size_t at = 0; (at = text.find(path_ + "/", at)) != text.npos;)
      text.erase(at, path_.size() + 1);
    return text;
  }

 private:
  std::string path_;
};

/// What a call has to say against its input; nothing when it is content.
template <class Call>
std::string mistakes_of(Call call) {
  try {
    call();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace gicsim
