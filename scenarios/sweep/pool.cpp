// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/sweep/pool.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "models/base/errors.h"

namespace gicsim::sweep {
namespace {

[[noreturn]] void give_up(const char* what) { throw HardwareError(std::string(what) + ": " + std::strerror(errno)); }

struct Worker {
  pid_t process = -1;
  int pipe = -1;
  std::size_t number = 0;
  Ended ended;
};

/// In the child. Leaves without destructors or buffers of the parent's; an exception ends it as a crash would.
[[noreturn]] void carry_out(int out, const std::function<std::string(std::size_t)>& work, std::size_t number) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string said = work(number);
  for (std::size_t done = 0; done < said.size();) {
    const ssize_t n = write(out, said.data() + done, said.size() - done);
    if (n < 0 && errno != EINTR) _exit(1);
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  _exit(0);
}

Worker start(const std::function<std::string(std::size_t)>& work, std::size_t number) {
  int ends[2];
  if (pipe(ends) != 0) give_up("a pipe");
  Worker worker;
  worker.process = fork();
  if (worker.process < 0) give_up("a process for a point");
  if (worker.process == 0) {
    close(ends[0]);
    carry_out(ends[1], work, number);
  }
  close(ends[1]);
  worker.pipe = ends[0];
  worker.number = number;
  return worker;
}

/// @return false at its end
bool listen(Worker& worker) {
  char buffer[65'536];
  const ssize_t n = read(worker.pipe, buffer, sizeof buffer);
  if (n < 0) return errno == EINTR;
  worker.ended.said.append(buffer, static_cast<std::size_t>(n));
  return n > 0;
}

void bury(Worker& worker) {
  close(worker.pipe);
  int status = 0;
  while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    worker.ended.broke_off =
        "ended by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  else if (WEXITSTATUS(status) != 0)
    worker.ended.broke_off = "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

void run_apart(std::size_t count, int jobs, const std::function<std::string(std::size_t)>& work,
               const std::function<void(std::size_t, Ended)>& ended) {
  std::vector<Worker> workers;
  for (std::size_t next = 0; next < count || !workers.empty();) {
    while (next < count && workers.size() < static_cast<std::size_t>(jobs)) workers.push_back(start(work, next++));
    std::vector<pollfd> pipes;
    for (const Worker& worker : workers) pipes.push_back({worker.pipe, POLLIN, 0});
    if (poll(pipes.data(), pipes.size(), -1) < 0 && errno != EINTR) give_up("waiting for a point");
    for (std::size_t i = pipes.size(); i-- > 0;) {
      if (pipes[i].revents == 0 || listen(workers[i])) continue;
      Worker done = std::move(workers[i]);
      workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
      bury(done);
      ended(done.number, std::move(done.ended));
    }
  }
}

}  // namespace gicsim::sweep
