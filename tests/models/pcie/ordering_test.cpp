// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Every cell of the ordering table, with its a) and b) entries, as the specification's text has them.
#include "models/pcie/ordering.h"

#include <doctest/doctest.h>

#include <vector>

namespace gicsim::pcie {
namespace {

constexpr Tlp of(TlpKind kind, RequesterId requester = 1, std::uint16_t tag = 1) {
  return {.kind = kind, .requester = requester, .tag = tag};
}
constexpr Tlp ro(Tlp tlp) { return tlp.relaxed = true, tlp; }
constexpr Tlp ido(Tlp tlp) { return tlp.by_id = true, tlp; }
constexpr Tlp by(RequesterId completer, Tlp tlp) { return tlp.completer = completer, tlp; }

constexpr TlpKind write = TlpKind::write, read = TlpKind::read, atomic = TlpKind::atomic,
                  completion = TlpKind::completion, message = TlpKind::message;
constexpr Passing no = Passing::no, may = Passing::may, must = Passing::must;

TEST_CASE("ordering A2: a posted request passes another by RO, or by IDO of another requester") {
  for (const TlpKind later : {write, message})
    for (const TlpKind earlier : {write, message}) {
      CHECK(passing(of(later), of(earlier)) == no);
      CHECK(passing(of(later, 2), of(earlier, 1)) == no);
      CHECK(passing(ro(of(later)), of(earlier)) == may);
      CHECK(passing(of(later), ro(of(earlier))) == no);  // the attribute of the one that passes counts
      CHECK(passing(ido(of(later, 2)), of(earlier, 1)) == may);
      CHECK(passing(ido(of(later, 1)), of(earlier, 1)) == no);
      CHECK(passing(of(later, 2), ido(of(earlier, 1))) == no);
    }
}

TEST_CASE("ordering A3, A4: a posted request has to be able to pass non-posted ones") {
  for (const TlpKind later : {write, message})
    for (const TlpKind earlier : {read, atomic}) {
      CHECK(passing(of(later), of(earlier)) == must);
      CHECK(passing(ro(of(later)), of(earlier)) == must);
      CHECK(passing(ido(of(later)), of(earlier)) == must);
    }
}

TEST_CASE("ordering A5: a posted request may pass completions") {
  for (const Tlp& later : {of(write), ro(of(write)), ido(of(write)), of(message)})
    CHECK(passing(later, of(completion)) == may);
}

TEST_CASE("ordering B2: RO doesn't let a read pass writes, IDO of another requester does") {
  for (const TlpKind earlier : {write, message}) {
    CHECK(passing(of(read), of(earlier)) == no);
    CHECK(passing(ro(of(read)), of(earlier)) == no);
    CHECK(passing(ro(of(read, 2)), of(earlier, 1)) == no);
    CHECK(passing(ido(of(read, 2)), of(earlier, 1)) == may);
    CHECK(passing(ido(of(read, 1)), of(earlier, 1)) == no);
    CHECK(passing(ido(ro(of(read, 1))), of(earlier, 1)) == no);
  }
}

TEST_CASE("ordering C2: RO lets a non-posted request with data pass writes, as does IDO of another requester") {
  for (const TlpKind earlier : {write, message}) {
    CHECK(passing(of(atomic), of(earlier)) == no);
    CHECK(passing(ro(of(atomic)), of(earlier)) == may);
    CHECK(passing(ido(of(atomic, 2)), of(earlier, 1)) == may);
    CHECK(passing(ido(of(atomic, 1)), of(earlier, 1)) == no);
  }
}

TEST_CASE("ordering B3 to B5, C3 to C5: non-posted requests may pass one another, and completions") {
  for (const TlpKind later : {read, atomic})
    for (const TlpKind earlier : {read, atomic, completion})
      for (const Tlp& one : {of(later), ro(of(later)), ido(of(later)), of(later, 2)})
        CHECK(passing(one, of(earlier)) == may);
}

TEST_CASE("ordering D2: RO lets a completion pass writes, IDO if its completer isn't the writer") {
  for (const TlpKind earlier : {write, message}) {
    CHECK(passing(of(completion), of(earlier)) == no);
    CHECK(passing(ro(of(completion)), of(earlier)) == may);
    CHECK(passing(by(2, ido(of(completion, 1))), of(earlier, 1)) == may);   // whom it goes to doesn't matter
    CHECK(passing(by(1, ido(of(completion, 2))), of(earlier, 1)) == no);
    CHECK(passing(by(2, of(completion, 2)), of(earlier, 1)) == no);
    CHECK(passing(ido(of(completion, 2)), of(earlier, 1)) == no);           // a completer that nobody named
  }
}

TEST_CASE("ordering D3, D4: a completion has to be able to pass non-posted requests") {
  for (const TlpKind earlier : {read, atomic})
    for (const Tlp& later : {of(completion), ro(of(completion)), ido(of(completion))}) {
      CHECK(passing(later, of(earlier)) == must);
      CHECK(must_pass(later, of(earlier)));
    }
}

TEST_CASE("ordering D5: completions of one request stay in order, whatever their attributes") {
  CHECK(passing(of(completion, 1, 1), of(completion, 1, 2)) == may);
  CHECK(passing(of(completion, 1, 1), of(completion, 2, 1)) == may);
  for (const Tlp& later : {of(completion), ro(of(completion)), by(7, ido(of(completion)))})
    CHECK(passing(later, of(completion)) == no);
}

TEST_CASE("ordering: the table has sixteen cells by the specification's names") {
  std::vector<std::string_view> names;
  for (const auto& row : order_table)
    for (const OrderCell& cell : row) names.push_back(cell.name);
  CHECK(names == std::vector<std::string_view>{"A2", "A3", "A4", "A5", "B2", "B3", "B4", "B5", "C2", "C3", "C4", "C5",
                                               "D2", "D3", "D4", "D5"});
}

TEST_CASE("ordering: what is short-circuited agrees with the table") {
  for (const TlpKind later : {write, read, completion, atomic, message})
    for (const TlpKind earlier : {write, read, completion, atomic, message}) {
      const bool always = always_passes(of(later), of(earlier));
      const bool differs = may_pass(of(later), of(earlier)) != may_pass(ro(ido(by(9, of(later, 5)))), of(earlier));
      const bool by_tag = later == completion && earlier == completion;
      CHECK(always == (may_pass(of(later), of(earlier)) && !differs && !by_tag));
    }
  CHECK(has_leave(ro(of(write))));
  CHECK(has_leave(ido(of(read))));
  CHECK_FALSE(has_leave(ro(of(read))));
  CHECK_FALSE(has_leave(of(completion)));
}

}  // namespace
}  // namespace gicsim::pcie
