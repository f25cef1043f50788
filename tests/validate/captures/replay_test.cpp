// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// What Linux's Soft-RoCE did, the model does: every packet of every capture, from both sides.
#include "validate/captures/replay.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>

#include "models/base/errors.h"
#include "tests/support/files.h"
#include "validate/captures/habits.h"

namespace gicsim::captures {
namespace {

namespace fs = std::filesystem;

std::string sample(const std::string& name) {
  const std::string path = source_root() + "/traces/samples/roce/" + name + ".pcap";
  return fs::exists(path) ? path : path + ".gz";
}
/// Its views behind the places of loss, if there are such.
std::vector<std::string> delivered(std::string name) {
  if (const auto end = name.rfind("-responder"); end != std::string::npos) name.resize(end);
  std::vector<std::string> all;
  for (const char* side : {"-delivered", "-delivered-requests", "-delivered-answers"})
    if (fs::exists(sample(name + side))) all.push_back(sample(name + side));
  return all;
}

TEST_CASE("captures: every packet of every flow is sent as captured, by requesters and by responders") {
  std::size_t files = 0, replayed = 0;
  std::uint64_t compared = 0;
  for (const auto& entry : fs::directory_iterator(source_root() + "/traces/samples/roce")) {
    const std::string file = entry.path().filename(), name = file.substr(0, file.find('.'));
    if (file.find(".pcap") == std::string::npos || name.find("-delivered") != std::string::npos) continue;
    CAPTURE(name);
    ++files;
    for (const Verdict& v : check(sample(name), delivered(name), {}, nic::soft_roce)) {
      if (!v.not_replayed.empty()) {
        CHECK((v.not_replayed == "nobody answers datagrams" || v.not_replayed == "the model has no UC"));
        continue;
      }
      ++replayed;
      compared += v.compared;
      CAPTURE(v.flow);
      CHECK_MESSAGE(v.good(), (v.difference ? v.difference->captured + " / " + v.difference->model : ""));
      CHECK(v.skipped + v.beyond == 0);
    }
  }
  CHECK(files == 52);
  CHECK(replayed == 118);
  CHECK(compared == 7667);  // all 11,115 frames but the 3,368 that were captured behind a loss, and 80 of UC
}

Verdict one(const std::string& name, Role role, const nic::TransportParams& transport = nic::soft_roce) {
  return check(sample(name), delivered(name), role, transport).at(0);
}

TEST_CASE("captures: timers run out where nothing that arrived explains a resend, and nowhere else") {
  CHECK(one("rxe-atomic-fadd-reqloss", Role::requester).expired == 6);
  CHECK(one("rxe-write-4KiB-reqloss", Role::requester).expired == 1);
  CHECK(one("rxe-write-16KiB-reqloss", Role::requester).expired == 0);
  CHECK(one("rxe-write-4KiB-ackloss", Role::requester).expired == 4);
  CHECK(one("rxe-write-4KiB", Role::requester).expired == 0);
}

TEST_CASE("captures: a queue pair ends as it did") {
  CHECK(one("rxe-nak-access", Role::requester).failed == "remote access error (0x13)");
  CHECK(one("rxe-send-rnr", Role::requester).failed.empty());
}

TEST_CASE("captures: with other habits the model does something else, and the first such packet is named") {
  const auto differs = [](const char* name, Role role, const std::string& habit) {
    nic::TransportParams transport = nic::soft_roce;
    set(transport, habit);
    const Verdict verdict = one(name, role, transport);
    return verdict.difference ? verdict.difference->frame : 0;
  };
  CHECK(differs("rxe-write-4KiB-ackloss", Role::responder, "duplicates=asking") > 80);
  CHECK(differs("rxe-send-rnr", Role::responder, "nak_behind_rnr=false") == 20);
  CHECK(differs("rxe-write-64KiB", Role::requester, "ack_request_every=10") == 10);
  CHECK(differs("rxe-write-4KiB", Role::responder, "duplicates=asking") == 0);
  CHECK(differs("rxe-read-4KiB-resploss", Role::responder, "read_again=anew") == 45);
  CHECK(differs("rxe-mix-wrap-bothloss", Role::responder, "acks_name_reads=true") == 201);
  CHECK(differs("rxe-put-signal-atomic-bothloss", Role::requester, "ack_ends_fetch=false") == 163);
  CHECK(differs("rxe-mix-qps-bothloss", Role::requester, "read_gap=goes_back") == 236);
}

/// The same flow with one event changed.
Verdict changed(const std::string& name, Role role, const std::function<void(Story&)>& change) {
  std::vector<Story> stories = read_stories(sample(name));
  change(stories.at(0));
  const View view{stories[0], {}, false};
  return role == Role::requester ? replay_requester(view, nic::soft_roce) : replay_responder(view, nic::soft_roce);
}

TEST_CASE("captures: a packet that is changed, left out or made up is found") {
  const auto found = [](Role role, const std::function<void(Story&)>& change) {
    return !changed("rxe-put-signal-atomic", role, change).good();
  };
  CHECK_FALSE(found(Role::requester, [](Story&) {}));
  CHECK_FALSE(found(Role::responder, [](Story&) {}));
  CHECK(found(Role::requester, [](Story& s) { ++s.requests[6].header.psn; }));
  CHECK(found(Role::requester, [](Story& s) { s.requests[1].header.operation = roce::Operation::write_last; }));
  CHECK(found(Role::requester, [](Story& s) { s.requests[3].header.ack_request = false; }));
  CHECK(found(Role::requester, [](Story& s) { s.requests.erase(s.requests.begin() + 2); }));
  CHECK(found(Role::responder, [](Story& s) { ++s.answers[4].header.aeth->msn; }));
  CHECK(found(Role::responder, [](Story& s) { s.answers[4].header.psn -= 1; }));
  CHECK(found(Role::responder, [](Story& s) { s.answers[4].header.aeth->syndrome = 0x60; }));
  CHECK(found(Role::responder, [](Story& s) { ++*s.answers[5].header.old_value; }));
  CHECK(found(Role::responder, [](Story& s) { s.answers.erase(s.answers.begin() + 4); }));
  CHECK(found(Role::responder, [](Story& s) { s.answers.insert(s.answers.begin() + 4, s.answers[4]); }));
}

TEST_CASE("captures: requests that got lost behind the capture are told by the answers") {
  const Verdict verdict = one("rxe-write-64KiB-reqloss", Role::responder);
  CHECK(verdict.good());
  CHECK(verdict.lost == 3);  // of 5: what is lost behind a gap shows nowhere
}

TEST_CASE("captures: what got lost on either way is found without captures of what arrived") {
  const auto alone = [](const char* name) {
    std::vector<Verdict> all = check(sample(name), {}, {}, nic::soft_roce);
    for (const Verdict& verdict : all) CHECK(verdict.good());
    return all;
  };
  CHECK(alone("rxe-mix-wrap-bothloss").at(1).lost >= 6);
  CHECK(alone("rxe-read-4KiB-resploss").at(1).lost == 0);
  CHECK(alone("rxe-put-signal-atomic-bothloss").at(1).lost >= 10);
  CHECK(alone("rxe-ipv6-bothloss").size() == 2);
  CHECK(alone("rxe-qps-reqloss").size() == 8);
}

TEST_CASE("captures: what overtook another or was doubled on its way can't be told so") {
  for (const char* name : {"rxe-write-overtaken", "rxe-write-doubled"}) {
    CHECK(check(sample(name), delivered(name), Role::responder, nic::soft_roce).at(0).good());
    CHECK_FALSE(check(sample(name), {}, Role::responder, nic::soft_roce).at(0).good());
  }
}

TEST_CASE("captures: what is behind a loss alone is not held against a requester that sent again") {
  const Verdict verdict = check(sample("rxe-write-16KiB-reqloss-delivered"), {}, Role::requester, nic::soft_roce).at(0);
  CHECK(verdict.good());
  CHECK(verdict.not_replayed == "its answers weren't captured, so nobody can say why it sent again");
}

TEST_CASE("captures: habits that there aren't") {
  nic::TransportParams transport;
  CHECK_THROWS_WITH_AS(set(transport, "ack"), doctest::Contains("has no value"), ConfigError);
  CHECK_THROWS_WITH_AS(set(transport, "akc=every"), doctest::Contains("isn't a habit; there are rto"), ConfigError);
  CHECK_THROWS_WITH_AS(set(transport, "ack=all"), doctest::Contains("write coalesced or every"), ConfigError);
  CHECK_THROWS_WITH_AS(set(transport, "rnr_retries=9"), doctest::Contains("out of bounds"), ConfigError);
  CHECK_THROWS_WITH_AS(set(transport, "rnr_retries=x"), doctest::Contains("is no count"), ConfigError);
}

}  // namespace
}  // namespace gicsim::captures
