// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/meeting.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

#include "hw_backend/core/endpoint.h"
#include "hw_backend/core/error.h"

#ifndef GICSIM_VERSION
#define GICSIM_VERSION "0"
#endif

namespace gicsim::hw {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t longest_line = 4096;
constexpr timeval silence{300, 0};
constexpr std::string_view gave_up = "gave up: ";

std::string system_text() { return std::strerror(errno); }
std::string seconds_of(milliseconds t) { return std::to_string((t.count() + 999) / 1000) + " s"; }

/// A socket until somebody takes it over.
class Socket {
 public:
  explicit Socket(int fd = -1) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(other.release()) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const std::string& host, int port, bool to_listen) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = (to_listen ? AI_PASSIVE : 0) | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int e = getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (e != 0)
    throw HardwareError("'" + host + "': " + (e == EAI_SYSTEM ? system_text() : std::string(gai_strerror(e))));
  return {found, freeaddrinfo};
}

Socket listen_at(const std::string& host, int port) {
  const Addresses addresses = resolve(host, port, true);
  std::string why;
  for (const addrinfo* a = addresses.get(); a != nullptr; a = a->ai_next) {
    Socket s(socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol));
    const int on = 1;
    if (s.get() >= 0) setsockopt(s.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (s.get() >= 0 && bind(s.get(), a->ai_addr, a->ai_addrlen) == 0 && listen(s.get(), 1) == 0) return s;
    why = system_text();
  }
  throw HardwareError("--listen: port " + std::to_string(port) + (host.empty() ? "" : " of " + host) +
                      " can't be had: " + why);
}

int accept_one(const Options& o, std::string_view key, milliseconds patience) {
  const Socket s = listen_at(o.address, o.port);
  pollfd waiting{s.get(), POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(patience.count())) <= 0)
    throw HardwareError("nobody came to port " + std::to_string(o.port) + " within " + seconds_of(patience) +
                        "; start the other end: gicsim hw run " + std::string(key) +
                        " --connect THIS_HOST:" + std::to_string(o.port));
  const int fd = accept4(s.get(), nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) throw HardwareError("accept: " + system_text());
  return fd;
}

int connect_to(const Options& o, std::string_view key, milliseconds patience) {
  const Clock::time_point until = Clock::now() + patience;
  std::string why;
  do {  // the listener may have to finish its last experiment first
    const Addresses addresses = resolve(o.address, o.port, false);
    for (const addrinfo* a = addresses.get(); a != nullptr; a = a->ai_next) {
      Socket s(socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol));
      const timeval at_most{std::max<time_t>(1, static_cast<time_t>(patience.count() / 1000)), 0};
      if (s.get() >= 0) setsockopt(s.get(), SOL_SOCKET, SO_SNDTIMEO, &at_most, sizeof at_most);
      if (s.get() >= 0 && connect(s.get(), a->ai_addr, a->ai_addrlen) == 0) return s.release();
      why = errno == EINPROGRESS ? "no answer at all" : system_text();  // how Linux says that SO_SNDTIMEO is over
    }
    std::this_thread::sleep_for(milliseconds(100));
  } while (Clock::now() < until);
  throw HardwareError("nobody listens at " + o.address + ":" + std::to_string(o.port) + " for " + seconds_of(patience) +
                      " (" + why + "); start the other end first: gicsim hw run " + std::string(key) + " --listen " +
                      std::to_string(o.port));
}

}  // namespace

Meeting::Meeting(int socket) : socket_(socket) {
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // refused by a pair in one process, which needs none
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof silence);
}

Meeting::~Meeting() {
  if (socket_ >= 0) close(socket_);
}

Meeting Meeting::over_tcp(const Options& options, std::string_view key, milliseconds patience) {
  Meeting meeting(options.meet == Options::Meet::listen ? accept_one(options, key, patience)
                                                        : connect_to(options, key, patience));
  const std::string ours = greeting(GICSIM_VERSION, key);
  meeting.send(ours);
  if (const std::string why = misfit(ours, meeting.receive()); !why.empty()) throw HardwareError(why);
  return meeting;
}

std::pair<Meeting, Meeting> Meeting::in_process() {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0)
    throw HardwareError("socketpair: " + system_text());
  return {Meeting(both[0]), Meeting(both[1])};
}

void Meeting::send(std::string line) {
  line += '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw HardwareError("the other end went away (send: " + system_text() + "); its own output says why");
    sent += static_cast<std::size_t>(n);
  }
}

void Meeting::give_up(std::string why) noexcept {
  std::replace(why.begin(), why.end(), '\n', ' ');
  try {
    send(std::string(gave_up) + why);
  } catch (const HardwareError&) {  // it has gone before
  }
}

std::string Meeting::receive() {
  for (;;) {
    if (const std::size_t end = unread_.find('\n'); end != unread_.npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      if (line.compare(0, gave_up.size(), gave_up) == 0)
        throw HardwareError("the other end: " + line.substr(gave_up.size()));
      return line;
    }
    if (unread_.size() > longest_line)
      throw HardwareError("the other end sent a line without an end: it isn't gicsim-hw");
    char bytes[512];
    const ssize_t n = recv(socket_, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      throw HardwareError("the other end has said nothing for " + std::to_string(silence.tv_sec) + " s");
    if (n <= 0) throw HardwareError("the other end went away; its own output says why");
    unread_.append(bytes, static_cast<std::size_t>(n));
  }
}

}  // namespace gicsim::hw
