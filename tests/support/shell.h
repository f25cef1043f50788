// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace gicsim {

/// A scenario that takes no time.
inline constexpr const char* small = "system: h200_cx7_ib\npattern: put\npath: gpu_direct\niterations: 5\n";

/// A sample's path, wherever the program is started.
inline std::string sample(const std::string& name) {
  return std::filesystem::absolute(source_root() + "/traces/samples/" + name);
}

/// Where the user is, and what the program says there.
struct Shell {
  Folder folder;
  struct Said {
    int code = -1;
    std::string out, err;
  };
  Said run(std::vector<std::string> words) const {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "gicsim-cli";
    const std::string root = std::filesystem::absolute(source_root()).string();
    words.insert(words.begin(), program);
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder.path().c_str()) != 0) _exit(90);
      dup2(open(".out", O_CREAT | O_TRUNC | O_WRONLY, 0600), 1);
      dup2(open(".err", O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
      setenv("GICSIM_ROOT", root.c_str(), 1);
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(91);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder.path() + "/.out"),
            contents(folder.path() + "/.err")};
  }
};

}  // namespace gicsim
