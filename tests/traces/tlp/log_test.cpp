// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/tlp/log.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "models/base/errors.h"

namespace gicsim::tlp {
namespace {

const std::string head =
    "# gicsim.tlp_log/1: one line a TLP\n"
    "time_ns\tlink\tdirection\ttype\trequester\ttag\taddress\tlength\tlast\tstage\tsent_ns\tflags\n";
const std::string line = "0.001\ta\tup\tCpl\t0x0003\t17\t0x0\t0\t0\tcqe_write\t0.003\tIDO,UR\n";

std::vector<Record> records(const std::string& text) {
  std::istringstream in(text);
  Log log(in, "t.tsv");
  std::vector<Record> all;
  for (Record r; log.next(r);) all.push_back(r);
  return all;
}

std::string complaint(const std::string& text) {
  try {
    records(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("tlp log: a line is a record, to the picosecond") {
  const auto all =
      records(head + line +
              "1000000.000\tnode0.upi0to1\t-\tMWr\t0x01a2\t-\t0xabc0\t64\t1\t-\t1000000.001\tRO,EP,AT=translated\n");
  REQUIRE(all.size() == 2);
  const Record first{.begin = 1_ps,
                     .end = 3_ps,
                     .link = "a",
                     .direction = Direction::up,
                     .kind = TlpKind::completion,
                     .requester = 3,
                     .tag = 17,
                     .last = false,
                     .stage = "cqe_write",
                     .by_id = true,
                     .status = CompletionStatus::unsupported};
  CHECK(all[0] == first);
  CHECK(type_of(all[0]) == "Cpl");
  CHECK(all[1].begin == 1ms);
  CHECK(all[1].end == 1ms + 1_ps);
  CHECK(all[1].direction == Direction::across);
  CHECK_FALSE(all[1].tag);
  CHECK_FALSE(all[1].stage);
  CHECK((all[1].relaxed && all[1].poisoned && all[1].address_type == AddressType::translated));
}

TEST_CASE("tlp log: what was left out is said at the end") {
  std::istringstream in(head + line + "# cut at 2 KiB: 3 of 4 TLPs are left out\n");
  Log log(in, "t.tsv");
  Record r;
  CHECK(log.next(r));
  CHECK(log.note().empty());
  CHECK_FALSE(log.next(r));
  CHECK(log.note() == "cut at 2 KiB: 3 of 4 TLPs are left out");
}

TEST_CASE("tlp log: what is damaged is told with its line and column") {
  CHECK(complaint("") == "t.tsv:1:1: doesn't begin with '# gicsim.tlp_log/1'");
  CHECK(complaint("# gicsim.tlp_log/1\nlink\n") == "t.tsv:2:1: isn't the line of column names: time_ns, link, ..");
  CHECK(complaint(head + line.substr(0, line.size() - 1)) == "t.tsv:3:56: the file ends inside a line; it was cut off");
  CHECK(complaint(head + "0.001\ta\n") == "t.tsv:3:1: 2 columns; a TLP has 12");
  CHECK(complaint(head + "\n") == "t.tsv:3:1: 1 columns; a TLP has 12");
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string other = line;
    return complaint(head + other.replace(other.find(from), from.size(), to));
  };
  CHECK(changed("0.001", "-0.001") == "t.tsv:3:1: time_ns: '-0.001' isn't a time in ns with three decimals");
  CHECK(changed("0.001", "99999999999999999999.000") ==
        "t.tsv:3:1: time_ns: '99999999999999999999.000' isn't a time in ns with three decimals");
  CHECK(changed("up", "left") == "t.tsv:3:9: direction: 'left'; write up, down or -");
  CHECK(changed("Cpl", "IORd") == "t.tsv:3:12: type: 'IORd' is no type; write MWr, MRd, CplD, Cpl, AtomicOp or Msg");
  CHECK(changed("0x0003", "0x10003") == "t.tsv:3:16: requester: '0x10003' is no number that fits");
  CHECK(changed("\t17\t", "\t-\t") == "t.tsv:3:23: tag: '-', but a Cpl has one");
  CHECK(changed("IDO", "IDA") == "t.tsv:3:50: flags: 'IDA' is no flag");
  CHECK(complaint(head + std::string(5000, 'x')) == "t.tsv:3:1: a line of more than 1024 characters");
}

}  // namespace
}  // namespace gicsim::tlp
