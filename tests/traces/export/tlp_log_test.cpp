// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/tlp_log.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "models/base/random.h"
#include "models/pcie/endpoint.h"
#include "models/pcie/link.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"

namespace gicsim::exports {
namespace {

/// A requester and a completer, a link each way, and the log of both.
struct Pair {
  pcie::EndpointParams params{.mps = 256_B, .mrrs = 512_B, .rcb = 64_B};
  pcie::LinkParams link_params{.generation = 3, .lanes = 8};
  TransferPool pool;
  Probe<TlpSent> sent;
  Bench bench;
  SlowMemory nobody, memory{80ns};
  TransferLog ends{bench.kernel};
  pcie::Endpoint& device;
  pcie::Endpoint& host;
  pcie::Link& up;
  pcie::Link& down;
  TlpLog log;

  explicit Pair(Bytes limit = TlpLog::standard_limit)
      : device(bench.add_named<pcie::Endpoint>("device", params, RequesterId{9}, pool)),
        host(bench.add_named<pcie::Endpoint>("host", params, RequesterId{1}, pool)),
        up(bench.add_named<pcie::Link>("dev_pcie_up", link_params, Kernel::Lane{1}, sent)),
        down(bench.add_named<pcie::Link>("dev_pcie_down", link_params, Kernel::Lane{2}, sent)),
        log(limit) {
    device.out.bind(up.in);
    device.device.bind(nobody);
    up.out.bind(host.in);
    host.device.bind(memory);
    host.out.bind(down.in);
    down.out.bind(device.in);
    log.listen(sent, bench.kernel);
    bench.run();
  }
  void submit(Transfer::Kind kind, Address address, Bytes length) {
    Transfer& transfer = device.memory->make();
    transfer.kind = kind, transfer.address = address, transfer.length = length;
    transfer.stage = kind == Transfer::Kind::read ? Stage::payload_read : Stage::remote_write;
    transfer.initiator = &ends;
    device.memory->submit(transfer);
  }
  void end() {
    bench.run();
    device.check_books(), host.check_books(), up.check_books(), down.check_books();
    log.finish();
  }
};

struct Row {
  double begin;
  std::string link, direction, type, requester, tag;
  Address address;
  std::int64_t length;
  bool last;
  std::string stage;
};

std::vector<Row> rows_of(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line[0] == '#' || line.rfind("time_ns", 0) == 0) continue;
    std::istringstream cells(line);
    std::vector<std::string> cell;
    for (std::string one; std::getline(cells, one, '\t');) cell.push_back(one);
    REQUIRE(cell.size() == 12);
    rows.push_back({std::stod(cell[0]), cell[1], cell[2], cell[3], cell[4], cell[5], std::stoull(cell[6], nullptr, 16),
                    std::stoll(cell[7]), cell[8] == "1", cell[9]});
  }
  return rows;
}

/// What PCIe Base 5.0, 2.2.7 and 2.3.1.1 ask of requests and completions, told from the log alone.
/// @return bytes written, asked for and returned
std::array<std::int64_t, 3> check_legal(const std::vector<Row>& rows, const pcie::EndpointParams& params) {
  struct Open {
    Address next = 0;
    std::int64_t left = 0;
  };
  std::map<std::string, Open> open;
  std::array<std::int64_t, 3> sums{};
  const auto in_page = [](const Row& row) {
    return row.address / 4096 == (row.address + static_cast<Address>(row.length) - 1) / 4096;
  };
  for (const Row& row : rows) {
    REQUIRE(row.length > 0);
    if (row.type == "MWr") {
      sums[0] += row.length;
      REQUIRE(row.length <= params.mps.count());
      REQUIRE(in_page(row));
    } else if (row.type == "MRd") {
      sums[1] += row.length;
      REQUIRE(row.length <= params.mrrs.count());
      REQUIRE(in_page(row));
      REQUIRE(open[row.tag].left == 0);  // a tag names one request at a time
      open[row.tag] = {row.address, row.length};
    } else {
      REQUIRE(row.type == "CplD");
      Open& request = open[row.tag];
      sums[2] += row.length;
      REQUIRE(row.requester == "0x0009");
      REQUIRE(row.address == request.next);
      REQUIRE(row.length <= params.mps.count());
      request.next += static_cast<Address>(row.length);
      request.left -= row.length;
      REQUIRE(request.left >= 0);
      if (request.left > 0) REQUIRE(request.next % static_cast<Address>(params.rcb.count()) == 0);
    }
  }
  for (const auto& [tag, request] : open) REQUIRE(request.left == 0);
  return sums;
}

TEST_CASE("tlp log: a read that is larger than a TLP, unaligned, across 4 KiB, by MRRS: legal splits, bytes conserved") {
  Pair pair;
  pair.submit(Transfer::Kind::read, 0x1f24, 1000_B);
  pair.end();
  const auto rows = rows_of(pair.log.text());
  std::string said;
  for (const Row& row : rows)
    said += row.type + " " + row.tag + " " + std::to_string(row.address - 0x1f24) + "+" + std::to_string(row.length) +
            (row.last ? " last" : "") + "\n";
  CHECK(said ==
        "MRd 0 0+220\n"       // to the 4 KiB line
        "MRd 1 220+512\n"     // MRRS
        "MRd 2 732+268 last\n"
        "CplD 0 0+220\n"
        "CplD 1 220+256\n"    // MPS
        "CplD 1 476+256\n"
        "CplD 2 732+256\n"
        "CplD 2 988+12 last\n");
  CHECK(check_legal(rows, pair.params) == std::array<std::int64_t, 3>{0, 1000, 1000});
  CHECK(rows.front().stage == "payload_read");
  CHECK(rows.front().link == "dev_pcie");
  CHECK(rows.front().direction == "up");
  CHECK(rows.back().direction == "down");
}

TEST_CASE("tlp log: whatever the transfers, splits are legal, completions fit their tags, byte counts are conserved") {
  Pair pair;
  RandomStream random(21, "tlp_log");
  std::int64_t written = 0, read = 0;
  for (int i = 0; i < 400; ++i) {
    const bool write = random.below(2) == 0;
    const Bytes length(1 + static_cast<std::int64_t>(random.below(12'000)));
    pair.submit(write ? Transfer::Kind::write : Transfer::Kind::read, random.below(1 << 24), length);
    (write ? written : read) += length.count();
  }
  pair.end();
  const auto rows = rows_of(pair.log.text());
  CHECK(rows.size() > 10'000);
  CHECK(static_cast<Count>(rows.size()) == pair.log.written());
  CHECK(check_legal(rows, pair.params) == std::array<std::int64_t, 3>{written, read, read});
  for (std::size_t i = 1; i < rows.size(); ++i) REQUIRE(rows[i - 1].begin <= rows[i].begin);
}

TEST_CASE("tlp log: times are exact, a posted write has no tag, and what is set stands in flags") {
  Probe<TlpSent> sent;
  Bench bench;
  TlpLog log;
  log.listen(sent, bench.kernel);
  Transfer transfer;
  transfer.stage = Stage::cqe_write;
  Tlp tlp{.kind = TlpKind::write, .last = true, .requester = 0x1a2, .relaxed = true, .length = 64_B,
          .address = 0xabc0, .transfer = &transfer};
  sent.announce({tlp, "node0.upi0to1", 2_ps, 1'000'001_ps});
  tlp = {.kind = TlpKind::completion, .requester = 3, .tag = 17, .by_id = true,
         .status = CompletionStatus::unsupported, .transfer = &transfer};
  sent.announce({tlp, "a_up", 1_ps, 3_ps});
  log.finish();
  CHECK(log.text() ==
        "# gicsim.tlp_log/1: one line a TLP, when its first symbol left a link's sender\n"
        "time_ns\tlink\tdirection\ttype\trequester\ttag\taddress\tlength\tlast\tstage\tsent_ns\tflags\n"
        "0.001\ta\tup\tCpl\t0x0003\t17\t0x0\t0\t0\tcqe_write\t0.003\tIDO,UR\n"
        "0.002\tnode0.upi0to1\t-\tMWr\t0x01a2\t-\t0xabc0\t64\t1\tcqe_write\t1000.001\tRO\n");
}

TEST_CASE("tlp log: when it is full it counts on, says so, and stays within its limit") {
  const auto log_of = [](Bytes limit) {  // one simulation at a time
    Pair pair(limit);
    pair.submit(Transfer::Kind::write, 0, 64_KiB);
    pair.end();
    return pair.log;
  };
  const TlpLog whole = log_of(TlpLog::standard_limit), cut = log_of(4_KiB);
  CHECK(whole.left_out() == 0);
  CHECK(whole.text().find("cut") == std::string::npos);
  CHECK(cut.written() + cut.left_out() == whole.written());
  const std::string note = "# cut at 4 KiB: " + std::to_string(cut.left_out()) + " of 256 TLPs are left out\n";
  REQUIRE(cut.text().size() > note.size());
  const std::size_t body = cut.text().size() - note.size();
  CHECK(cut.text().substr(body) == note);
  CHECK(body <= 4096);
  CHECK(cut.text().substr(0, body) == whole.text().substr(0, body));
}

}  // namespace
}  // namespace gicsim::exports
