// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/meeting.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "hw_backend/core/endpoint.h"
#include "hw_backend/core/error.h"
#include "hw_backend/core/payload.h"

namespace gicsim::hw {
namespace {

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const HardwareError& e) {
    return e.what();
  }
  return "";
}

/// One that another run of this program beside this one doesn't have.
int port(int i) { return 20000 + 3 * static_cast<int>(getpid() % 4000) + i; }

Options at(Options::Meet how, int port) {
  Options o;
  o.meet = how;
  o.address = "127.0.0.1";
  o.port = port;
  return o;
}

Endpoint sample() {
  Endpoint e;
  e.qpn = 0xabcdef;
  e.psn = 0xffffff;
  e.lid = 65535;
  e.gid = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1};
  e.mtu = 4096;
  e.reads = 16;
  e.rkey = 0xffffffff;
  e.address = 0xffff800000000000;
  e.bytes = 1U << 20U;
  e.gpu = true;
  return e;
}

constexpr const char* sample_line =
    "qpn=11259375 psn=16777215 lid=65535 gid=00000000000000000000ffff0a000001 mtu=4096 reads=16 rkey=4294967295 "
    "address=18446603336221196288 bytes=1048576 gpu=1";

TEST_CASE("endpoint: its line, and back") {
  CHECK(to_text(sample()) == sample_line);
  CHECK(to_text(endpoint_of(sample_line)) == sample_line);
}

TEST_CASE("endpoint: what is missing or wrong is named") {
  const std::string line = sample_line;
  CHECK(error_of([&] { endpoint_of(line.substr(line.find("psn"))); }).find("the other end left out 'qpn'") == 0);
  CHECK(error_of([&] { endpoint_of("qpn=1x " + line.substr(line.find("psn"))); }).find("sent '1x' for a number") !=
        std::string::npos);
  CHECK(error_of([&] { endpoint_of("lid=65536 " + line); }) == "the other end sent lid=65536, which is too large");
  CHECK(error_of([&] { endpoint_of("gid=00 " + line); }) == "the other end sent a GID of 2 digits, not 32");
}

TEST_CASE("meeting: versions and experiments must be the same") {
  const std::string ours = greeting("0.1", "verbs_put");
  CHECK(misfit(ours, ours).empty());
  CHECK(misfit(ours, greeting("0.2", "verbs_put")) ==
        "this end is version 0.1, the other 0.2: build both from one tree");
  CHECK(misfit(ours, greeting("0.1", "verbs_get")) ==
        "this end runs verbs_put, the other verbs_get: name the same experiments at both ends");
  CHECK(misfit(ours, "SSH-2.0-x") == "what is at the other end isn't gicsim-hw: it said 'SSH-2.0-x'");
}

TEST_CASE("meeting: two ends over TCP, whichever is first") {
  std::string heard;
  std::thread there([&] {
    Meeting meeting = Meeting::over_tcp(at(Options::Meet::connect, port(0)), "k");
    heard = meeting.receive();
    meeting.send("b");
    meeting.send("c");
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  Meeting meeting = Meeting::over_tcp(at(Options::Meet::listen, port(0)), "k");
  meeting.send("a");
  CHECK(meeting.receive() == "b");
  CHECK(meeting.receive() == "c");
  there.join();
  CHECK(heard == "a");
  CHECK(error_of([&] { meeting.receive(); }).find("the other end went away") == 0);
}

TEST_CASE("meeting: both ends say so when they run different things") {
  std::string there_says;
  std::thread there(
      [&] { there_says = error_of([] { Meeting::over_tcp(at(Options::Meet::connect, port(1)), "verbs_get"); }); });
  CHECK(error_of([] { Meeting::over_tcp(at(Options::Meet::listen, port(1)), "verbs_put"); }) ==
        "this end runs verbs_put, the other verbs_get: name the same experiments at both ends");
  there.join();
  CHECK(there_says == "this end runs verbs_get, the other verbs_put: name the same experiments at both ends");
}

TEST_CASE("meeting: nobody comes") {
  using std::chrono::milliseconds;
  const std::string nobodys = std::to_string(port(2));
  CHECK(error_of([] { Meeting::over_tcp(at(Options::Meet::listen, port(2)), "verbs_put", milliseconds(20)); }) ==
        "nobody came to port " + nobodys + " within 1 s; start the other end: "
        "gicsim hw run verbs_put --connect THIS_HOST:" + nobodys);
  const std::string alone =
      error_of([] { Meeting::over_tcp(at(Options::Meet::connect, port(2)), "verbs_put", milliseconds(20)); });
  CHECK(alone ==
        "nobody listens at 127.0.0.1:" + nobodys + " for 1 s (Connection refused); start the other end first: "
        "gicsim hw run verbs_put --listen " + nobodys);
}

TEST_CASE("meeting: why one end gave up is heard at the other") {
  auto [a, b] = Meeting::in_process();
  a.give_up("no\nmemory");
  CHECK(error_of([&, &b = b] { b.receive(); }) == "the other end: no memory");
}

TEST_CASE("payload: another seed, a byte that is missing, a buffer that nobody wrote are told apart") {
  const std::vector<std::uint8_t> made = payload(1, 4096);
  CHECK(difference(made, 1).empty());
  CHECK(!difference(made, 2).empty());
  CHECK(!difference(std::vector<std::uint8_t>(4096), 1).empty());
  std::vector<std::uint8_t> hurt = payload(1, 4096);
  hurt[17] = static_cast<std::uint8_t>(hurt[17] ^ 1U);
  CHECK(difference(hurt, 1).find("1 of 4096 bytes are wrong, the first at 17") == 0);
}

}  // namespace
}  // namespace gicsim::hw
