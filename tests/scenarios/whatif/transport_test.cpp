// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// SENDs, datagrams, resends and violations as a user runs them.
#include <doctest/doctest.h>

#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

bool says(const std::vector<std::string>& lines, const std::string& what) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& l) { return l.find(what) != l.npos; });
}
bool same(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST_CASE("violations: each ends by itself, with its own diagnosis") {
  struct Case {
    const char *wrong, *first, *syndrome;
  };
  for (const Case& c : {Case{"rkey", "names no memory region", "remote access error (0x13)"},
                        Case{"range", "isn't inside the region of rkey", "remote access error (0x13)"},
                        Case{"access", "doesn't allow its memory to be written from afar", "remote access error (0x13)"},
                        Case{"pd", "is of protection domain 0, the queue pair of 1", "remote access error (0x13)"},
                        Case{"lkey", "names no memory region", "local protection error (0x04)"},
                        Case{"state", "unanswered after 7 retries", "transport retry counter exceeded (0x15)"}}) {
    CAPTURE(std::string(c.wrong));
    const report::Finished f = run({{"wrong", c.wrong}, {"bytes", "4 KiB"}, {"payload", "read"}, {"iterations", "2"},
                                    {"nic.ack_timeout", "4"}, {"expect", "error_completion"}});
    CHECK(f.status == Status::error_completion);
    REQUIRE(f.diagnosis);
    CHECK(same(f.diagnosis->what, c.first));
    CHECK(same(f.diagnosis->what, c.syndrome));
    if (std::string(c.wrong) == "state") CHECK(says(f.diagnosis->waits_for, "dropped 8 packets, as its state is INIT"));
  }
}

TEST_CASE("dc: a visit is a connection, and a target keeps a context for each initiator") {
  const auto far = [](const report::Finished& f, std::string_view module, std::string_view name) {
    for (const report::Counter& c : f.counters)
      if (c.module == module && c.name == name) return c.value;
    return std::int64_t{-1};
  };
  for (const char* targets : {"1", "8"}) {  // 8 queue pairs of 9 lines at either end, and at the far one a line a pair
    CAPTURE(std::string(targets));
    const report::Finished f = simulate(schema::load_scenario(
        "message_rate_dc_switch", {{"visit", "32"}, {"targets", targets}, {"nic.contexts.lines", "96"}}, source_root()));
    CHECK(f.status == Status::done);
    CHECK(far(f, "node1.nic0", "dc_connects") == (*targets == '1' ? 8 : 8 * 11));  // 330 operations each
    CHECK((far(f, "node1.nic0.contexts", "responder_misses") > 0) == (*targets == '8'));
    CHECK(far(f, "node0.nic0.contexts", "requester_misses") == 0);
  }
}

TEST_CASE("violations: of receives") {
  const auto f = run({{"wrong", "length"}, {"operation", "send"}, {"bytes", "100 B"}, {"iterations", "2"},
                      {"expect", "error_completion"}});
  REQUIRE(f.diagnosis);
  CHECK(same(f.diagnosis->what, "remote invalid request error (0x12), a SEND of 100 B or more into a receive of 99 B"));
  const auto none = run({{"wrong", "receive"}, {"operation", "send"}, {"iterations", "2"},
                         {"nic.transport.rnr_retries", "2"}, {"expect", "error_completion"}});
  REQUIRE(none.diagnosis);
  CHECK(same(none.diagnosis->what, "RNR retry counter exceeded (0x16), RNR NAKed 3 times"));
  const auto ever = run({{"wrong", "receive"}, {"operation", "send"}, {"iterations", "2"}, {"expect", "stuck"}});
  CHECK(ever.status == Status::stuck);
  REQUIRE(ever.diagnosis);
  CHECK(says(ever.diagnosis->waits_for, "waits until the far side has posted a receive"));
}

TEST_CASE("send: over a GPU's and a CPU's queue pairs, reliable and as a datagram") {
  for (const char* path : {"gpu_direct", "cpu_post"})
    for (const char* transport : {"rc", "ud"})
      for (const char* pattern : {"put", "ping_pong", "put_bw"}) {
        CAPTURE(std::string(path));
        CAPTURE(std::string(transport));
        CAPTURE(std::string(pattern));
        const auto f = run({{"operation", "send"}, {"path", path}, {"transport", transport}, {"pattern", pattern},
                            {"bytes", "64 B"}, {"iterations", "60"}, {"warmup", "4"}});
        CHECK(f.status == Status::done);
        CHECK_FALSE(f.results.empty());
      }
}

TEST_CASE("send: a message takes longer than a put by what tells of it: the receive's CQE") {
  const auto one_way = [](const char* operation) {
    return value(run({{"operation", operation}, {"bytes", "8 B"}, {"iterations", "5"}}), Quantity::one_way);
  };
  CHECK(one_way("send") > one_way("put"));
  CHECK(one_way("send") < one_way("put") + 400ns);
}

TEST_CASE("resends: over a long way the adaptive timer sends each request five times, the specification's none") {
  const auto resent = [](const char* rto) {
    const auto f = run({{"pattern", "get"}, {"bytes", "4 KiB"}, {"iterations", "1"}, {"warmup", "0"}, {"link.flight", "10 ms"},
                        {"nic.transport.rto", rto}, {"nic.ack_timeout", "18"}, {"nic.transport.adp_init", "9"},
                        {"nic.transport.adp_init_range", "1"}});
    CHECK(f.status == Status::done);
    return f.system_notes;
  };
  CHECK(says(resent("adp"), "node0.nic0 sent 4 packets again, after 4 time-outs (nic.transport.rto: adp)"));
  CHECK_FALSE(says(resent("spec"), "again"));
}

TEST_CASE("resends: an atomic whose answer got lost is answered again, and acts once") {
  const auto f = run({{"pattern", "atomic"}, {"bytes", "8 B"}, {"iterations", "10"}, {"warmup", "0"}, {"nic.ack_timeout", "8"},
                      {"drop", "node1.nic0.link up atomic_response 4"}});
  CHECK(f.status == Status::done);
  CHECK(says(f.system_notes, "node1.nic0 received 1 packet again, which changed nothing"));
}

TEST_CASE("resends: one packet in a hundred lost, of each kind and either way, with either mode") {
  for (const char* mode : {"go_back_n", "selective_repeat"}) {
    CAPTURE(std::string(mode));
    const auto f = run({{"pattern", "put_bw"}, {"bytes", "64 KiB"}, {"payload", "read"}, {"iterations", "100"},
                        {"link.loss", "0.01"}, {"nic.ack_timeout", "4"}, {"nic.transport.retransmission", mode}});
    CHECK(f.status == Status::done);
    CHECK(says(f.system_notes, "again"));
  }
}

}  // namespace
}  // namespace gicsim
