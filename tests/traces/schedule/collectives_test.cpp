// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/collectives.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "tests/traces/schedule/play.h"

namespace gicsim::schedule {
namespace {

std::vector<Step> steps_of(const Collective& collective, const std::shared_ptr<const Communicator>& all,
                           std::size_t rank, std::uint64_t first = 0) {
  std::vector<Step> steps;
  Step step;
  for (Expansion expansion(collective, all, rank, first); expansion.next(step);) steps.push_back(step);
  return steps;
}

std::shared_ptr<const Communicator> world(std::size_t n, std::uint32_t id = 0) {
  Communicator all{id, std::vector<std::uint32_t>(n)};
  std::iota(all.ranks.begin(), all.ranks.end(), 0u);
  return std::make_shared<Communicator>(std::move(all));
}

std::vector<std::vector<Step>> steps_of(const Collective& collective, std::size_t n) {
  std::vector<std::vector<Step>> all;
  for (std::size_t r = 0; r < n; ++r) all.push_back(steps_of(collective, world(n), r));
  return all;
}

Bytes sum(const std::vector<Step>& steps, Action action) {
  Bytes bytes{};
  for (const Step& step : steps)
    if (step.action == action) bytes += step.bytes;
  return bytes;
}

std::ptrdiff_t count(const std::vector<Step>& steps, Action action) {
  return std::count_if(steps.begin(), steps.end(), [action](const Step& s) { return s.action == action; });
}

/// Everybody's last step has heard of everybody.
bool all_heard(const Play& play) {
  return std::all_of(play.heard.begin(), play.heard.end(),
                     [&](const auto& steps) { return steps.back().size() == play.heard.size(); });
}

TEST_CASE("collectives: a ring all-reduce is 2 (n - 1) messages of bytes / n of each rank") {
  for (const std::size_t n : {2u, 3u, 8u, 13u}) {
    const Bytes share = 1000_B;
    const auto all = steps_of({.what = Operation::all_reduce, .bytes = share * static_cast<std::int64_t>(n)}, n);
    for (const auto& steps : all) {
      const auto hops = 2 * (static_cast<std::ptrdiff_t>(n) - 1);
      CHECK(count(steps, Action::send) == hops);
      CHECK(count(steps, Action::recv) == hops);
      CHECK(count(steps, Action::calc) == 2);
      for (const Step& step : steps) CHECK((step.action == Action::calc || step.bytes == share));
    }
    const Play play(all);
    CHECK(play.stuck.empty());
    CHECK(all_heard(play));
  }
}

TEST_CASE("collectives: reduce-scatter and all-gather are n - 1 messages each; shares differ by a byte and add up") {
  for (const Operation what : {Operation::reduce_scatter, Operation::all_gather}) {
    const auto all = steps_of({.what = what, .bytes = 1003_B}, 10);
    for (std::size_t r = 0; r < all.size(); ++r) {
      CHECK(count(all[r], Action::send) == 9);
      const std::size_t kept = what == Operation::reduce_scatter ? r : (r + 1) % 10;  // never sent
      CHECK(sum(all[r], Action::send) == 1003_B - share_of(1003_B, kept, 10));
    }
    CHECK(Play(all).stuck.empty());
    CHECK(all_heard(Play(all)));
  }
  Bytes whole{};
  for (std::size_t i = 0; i < 7; ++i) whole += share_of(Bytes{(1LL << 60) + 5}, i, 7);
  CHECK(whole == Bytes{(1LL << 60) + 5});
}

TEST_CASE("collectives: a tree all-reduce sends the vector up and down n - 1 edges, each rank a leaf of a tree") {
  for (std::size_t n = 2; n <= 33; ++n) {
    const auto all =
        steps_of({.what = Operation::all_reduce, .how = Algorithm::tree, .bytes = 10'000_B, .piece = 1024_B}, n);
    const Play play(all);
    CHECK(play.stuck.empty());
    CHECK(play.bytes == 20'000_B * static_cast<std::int64_t>(n - 1));
    CHECK(play.messages == 4 * (n - 1) * 5);  // two trees, up and down, 5 pieces of 5,000 B
    CHECK(all_heard(play));
    for (const auto& steps : all)
      CHECK(sum(steps, Action::send) <= 20'000_B);  // 3 + 1 edges' halves, as a leaf sends 1
  }
}

TEST_CASE("collectives: broadcast and reduce, by chain and tree, from any root") {
  for (const Algorithm how : {Algorithm::ring, Algorithm::tree})
    for (const std::size_t n : {1u, 2u, 5u, 8u})
      for (std::size_t root = 0; root < n; ++root) {
        Collective collective{.what = Operation::broadcast, .how = how, .bytes = 2500_B, .root = root, .piece = 1000_B};
        const Play out(steps_of(collective, n));
        CHECK(out.stuck.empty());
        CHECK(out.messages == 3 * (n - 1));
        for (const auto& steps : out.heard) CHECK(steps.back().count(root) == 1);
        collective.what = Operation::reduce;
        const Play in(steps_of(collective, n));
        CHECK(in.stuck.empty());
        CHECK(in.bytes == 2500_B * static_cast<std::int64_t>(n - 1));
        CHECK(in.heard[root].back().size() == n);
      }
}

TEST_CASE("collectives: gather, scatter and all-to-all are straight messages, all-to-all in windows") {
  const Play gather(steps_of({.what = Operation::gather, .bytes = 100_B, .root = 3}, 10));
  CHECK(gather.stuck.empty());
  CHECK(gather.messages == 9);
  CHECK(gather.heard[3].back().size() == 10);
  CHECK(Play(steps_of({.what = Operation::scatter, .bytes = 100_B, .root = 3}, 10)).bytes == 90_B);
  const Play all(steps_of({.what = Operation::all_to_all, .bytes = 4000_B, .window = 4}, 20));
  CHECK(all.stuck.empty());
  CHECK(all.messages == 20 * 19);
  CHECK(all.bytes == 200_B * 380);
  CHECK(all.most_open == 4);
  CHECK(all_heard(all));
}

TEST_CASE("collectives: an uneven all-to-all leaves out what is 0 B, at both ends") {
  const Collective uneven{.what = Operation::all_to_all, .window = 2, .share = [](std::size_t from, std::size_t to) {
                            return Bytes(static_cast<std::int64_t>(from * 7 + to * 3) % 5);
                          }};
  const Play play(steps_of(uneven, 11));
  CHECK(play.stuck.empty());
  CHECK(play.messages < 110);
}

TEST_CASE("collectives: a barrier takes log2 n rounds of a flag") {
  for (const std::size_t n : {1u, 2u, 3u, 8u, 9u}) {
    const auto all = steps_of({.what = Operation::barrier}, n);
    const auto rounds = std::bit_width(n - 1);
    for (const auto& steps : all) CHECK(count(steps, Action::send) == static_cast<std::ptrdiff_t>(rounds));
    CHECK(Play(all).stuck.empty());
    CHECK(all_heard(Play(all)));
  }
}

TEST_CASE("collectives: needs point back, from the first step on, and little far") {
  for (const Operation what : {Operation::all_reduce, Operation::all_to_all, Operation::broadcast}) {
    const auto steps = steps_of({.what = what, .how = Algorithm::tree, .bytes = 1_GiB, .piece = 1_MiB, .name = "sum"},
                                world(200), 77, 1000);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      CHECK(steps[i].number == 1000 + i);
      CHECK(steps[i].needs.empty() == (i == 0));
      for (const Need& need : steps[i].needs) {
        CHECK(need.step < steps[i].number);
        CHECK(need.step >= 1000);
        CHECK((need.step == 1000 || need.step + 200 > steps[i].number));
      }
    }
    CHECK(steps.back().name == "sum");
  }
}

TEST_CASE("collectives: tags keep communicators, collectives and directions apart") {
  CHECK(collective_tag(0, 0, 0) == std::int64_t{1} << 30);
  CHECK(collective_tag(255, 0xf'ffff, 3) == (std::int64_t{1} << 31) - 1);
  CHECK(collective_tag(256, 0, 0) == (std::int64_t{3} << 30));
  CHECK(collective_tag(1, 0, 0) != collective_tag(0, 1, 0));
  CHECK(collective_tag(1, 5, 1) != collective_tag(1, 5, 2));
  const auto pair = std::make_shared<Communicator>(Communicator{9, {40, 7}});
  const auto steps = steps_of({.what = Operation::all_reduce, .bytes = 8_B, .sequence = 3}, pair, 1);
  CHECK(steps.at(1).peer == 40);
  CHECK(steps.at(1).tag == collective_tag(9, 3, 0));
}

TEST_CASE("collectives: alone, and with nothing to send, there are a begin and an end") {
  for (std::size_t what = 0; what < operation_names.size(); ++what) {
    CHECK(steps_of({.what = static_cast<Operation>(what), .bytes = 100_B}, world(1), 0).size() == 2);
    if (static_cast<Operation>(what) != Operation::barrier)
      CHECK(steps_of({.what = static_cast<Operation>(what)}, world(4), 2).size() == 2);
  }
}

}  // namespace
}  // namespace gicsim::schedule
