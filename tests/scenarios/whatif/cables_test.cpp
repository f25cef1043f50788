// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Cables that go down, codes, bursts, retries, as scenarios have them.
#include <algorithm>

#include "models/base/context.h"
#include "models/base/errors.h"
#include "scenarios/report/ports.h"
#include "scenarios/system/system.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

std::int64_t port_counter(const report::Finished& f, const std::string& module, const std::string& name) {
  for (const report::Counter& one : f.ports)
    if (one.module == module && one.name == name) return one.value;
  FAIL("no counter " << module << "." << name);
  return 0;
}
bool says(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

// Exponent 4: 65.536 us. Seven resends, the last one 458.752 us after the packet, which comes a few us into the run.
TEST_CASE("flap: a cable that is up at the last resend costs time, one that is up later the queue pair") {
  const auto down_for = [](const char* lasts) {
    return run({{"flap", std::string("node0.nic0.link at 0 ns for ") + lasts}, {"nic.ack_timeout", "4"}, {"warmup", "0"}});
  };
  const report::Finished resumes = down_for("458752 ns");
  CHECK(resumes.status == Status::done);
  CHECK(port_counter(resumes, "node0.nic0.qp1", "local_ack_timeout_err") == 7);
  CHECK(port_counter(resumes, "node0.nic0", "port_xmit_discards") == 7);
  CHECK(port_counter(resumes, "node0.nic0", "link_downed") == 1);
  CHECK(port_counter(resumes, "node1.nic0", "link_downed") == 0);
  CHECK(says(resumes.system_notes, "flap node0.nic0.link: down at 0 ns, up at 458.752 us"));
  CHECK(Picoseconds{std::llround(*record(resumes, Quantity::put_completion).max * 1000)} >
        7 * 65'536ns + value(resumes, Quantity::put_completion) - 10ns);

  const report::Finished fails = down_for("470 us");
  CHECK(fails.status == Status::error_completion);
  REQUIRE(fails.diagnosis);
  CHECK(holds(fails.diagnosis->what, "transport retry counter exceeded (0x15)"));
  CHECK(says(fails.system_notes, "flap node0.nic0.link: down at 0 ns, up at 470 us"));
}

TEST_CASE("flap: the time is the transport's, in the ledger of the message that met it") {
  const report::Finished f = run({{"flap", "node0.nic0.link at 0 ns for 10 us"}, {"nic.ack_timeout", "4"},
                                  {"warmup", "0"}, {"iterations", "1"}});
  CHECK(f.status == Status::done);
  const report::SentAgain again = report::sent_again(f);
  CHECK(again.transport == 1);
  CHECK(again.transport_time >= 65'536ns);
  CHECK(again.link_time == 0ns);
  CHECK(again.pcie_time == 0ns);
}

TEST_CASE("flap: both instants are facts at the port, and one that comes too late is said") {
  const schema::Scenario s = scenario({{"flap", "node0.nic0.link at 5 us for 2 us, node1.nic0.link at 1 s for 1 s"}});
  ContextScope context;
  system::System system(s.system);
  std::vector<std::string> seen;
  system.port_events().listen([&](const PortEvent& event) {
    seen.push_back(std::string(event.port) + (event.up ? " up" : " down") + std::to_string(event.at.count()));
  });
  system.kernel().run_through(10us);
  CHECK(seen == std::vector<std::string>{"node0.nic0 down5000000", "node0.nic0 up7000000"});
  CHECK(says(run({{"flap", "node1.nic0.link at 1 s for 1 s"}}).warnings,
             "flap node1.nic0.link: down at 1 s, up at 2 s: the run was over before"));
}

TEST_CASE("flap: what isn't one is said, with what to write") {
  const auto wrong = [](const char* flap) -> std::string {
    try {
      scenario({{"flap", flap}});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  };
  CHECK(holds(wrong("node0.nic0.link"), "write it like 'node0.nic0.link at 40 us for 2 ms'"));
  CHECK(holds(wrong("node0.nic0.lnk at 1 us for 1 us"), "did you mean 'node0.nic0.link'?"));
  CHECK(holds(wrong("node0.nic0.link at 1 for 1 us"), "has no unit"));
  CHECK(holds(wrong("node0.nic0.link at 1 us for 0 us"), "or no time"));
}

TEST_CASE("codes: by default a code's latency is the lumped sum's, so figures stay") {
  const auto lumped = value(run({}), Quantity::put_completion);
  CHECK(value(run({{"link.fec.code", "rs544_514"}}), Quantity::put_completion) == lumped);
  CHECK(value(run({{"link.fec.code", "rs544_514"}, {"link.fec.raw_ber", "1e-8"}}), Quantity::put_completion) == lumped);
  // Four cables there and back, each twice as long to fill.
  CHECK(value(run({{"link.fec.code", "rs544_514"}, {"link.fec.interleave", "2"}}), Quantity::put_completion) ==
        lumped + 4 * 25'600_ps);
  CHECK(value(run({{"link.fec.code", "none"}}), Quantity::put_completion) == lumped - 4 * 52ns);
  CHECK(value(run({{"link.retry.on", "true"}}), Quantity::put_completion) == lumped + 4 * 10ns);
}

TEST_CASE("cables: all modes are off, so their counters are absent") {
  for (const report::Counter& one : run({}).counters)
    for (const char* mode : {"fec_", "burst", "link_retries", "downed"}) CHECK_FALSE(one.name.starts_with(mode));
}

TEST_CASE("cables: what changes nothing is said") {
  CHECK(says(run({{"link.fec.raw_ber", "1e-8"}}).warnings, "link.fec.raw_ber: changes nothing, link.fec.code is lumped"));
  CHECK(says(run({{"link.burst.to_good", "0.5"}}).warnings, "link.burst.to_good: changes nothing, link.burst.to_bad is 0"));
  CHECK(says(run({{"link.retry.cell", "64 B"}}).warnings, "link.retry.cell: changes nothing, link.retry.on is false"));
  CHECK(says(run({{"link.stress.packets", "1"}}).warnings, "link.stress.packets: changes nothing, link.stress_ber is false"));
  CHECK(says(run({{"link.fec.code", "none"}, {"link.fec", "1 ns"}}).warnings,
             "link.fec: changes nothing, link.fec.code says what its code takes"));
}

TEST_CASE("one ledger: PCIe replay, link retry and the transport's resend of one message, each in its row") {
  const report::Finished f =
      run({{"bytes", "64 KiB"}, {"warmup", "0"}, {"iterations", "1"}, {"nic.ack_timeout", "4"}, {"seed", "3"},
           {"node0.nic0.pcie.ber", "1e-5"}, {"node0.nic0.link.retry.on", "true"},
           {"node0.nic0.link.loss", "0.2"}, {"node1.nic0.link.loss", "0.1"}});
  CHECK(f.status == Status::done);
  const report::SentAgain again = report::sent_again(f);
  CHECK(again.pcie > 0);
  CHECK(again.link > 0);
  CHECK(again.transport > 0);
  std::map<std::string, std::string> layers;
  for (const report::Row& row : f.ledger) layers[row.stage] = row.layer;
  if (again.pcie_time > 0ns) CHECK(layers.at("pcie_replay") == "L3");
  if (again.link_time > 0ns) CHECK(layers.at("link_retry") == "L5");
  CHECK(layers.at("retransmit") == "L5");
  CHECK(holds(report::sent_again_text(f), "TLPs by PCIe links"));
}

}  // namespace
}  // namespace gicsim
