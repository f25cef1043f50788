// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <optional>

#include "traces/schedule/detail/rounds.h"

namespace gicsim::schedule {
namespace {

/// Binary tree of the places 1 .. n, in order: a place's lowest bit is its height, so odd ones are leaves.
struct InOrder {
  std::size_t n;
  std::size_t root() const { return std::bit_floor(n); }
  std::optional<std::size_t> parent(std::size_t place) const {
    if (place == root()) return std::nullopt;
    const std::size_t height = place & (~place + 1), up = (place ^ height) | height << 1;
    return up <= n ? up : place - height;
  }
  std::vector<std::size_t> children(std::size_t place) const {
    std::vector<std::size_t> all;
    std::size_t half = (place & (~place + 1)) >> 1;
    if (half == 0) return all;
    all.push_back(place - half);
    while (half > 0 && place + half > n) half >>= 1;
    if (half > 0) all.push_back(place + half);
    return all;
  }
};

/// To the root, from the root, or both, a piece at a time. An all_reduce has two trees, with half of the vector each:
/// leaves of one are inside the other, so that all ranks send about as much. Source: Sanders, Speck, Träff, Two-Tree
/// Algorithms for Full Bandwidth Broadcast, Reduction and Scan, 2009
class Trees final : public Rounds {
 public:
  Trees(Collective collective, std::shared_ptr<const Communicator> communicator, std::size_t rank, std::uint64_t first)
      : Rounds(std::move(collective), std::move(communicator), rank, first) {
    const std::size_t n = size();
    if (of_.what != Operation::all_reduce) {
      const std::size_t ahead = (n - of_.root + InOrder{n}.root() - 1) % n;
      plant(
          of_.bytes, 0, [=](std::size_t r) { return (r + ahead) % n + 1; },
          [=](std::size_t place) { return (place - 1 + n - ahead) % n; });
      return;
    }
    const Bytes half = share_of(of_.bytes, 0, 2), rest = of_.bytes - half;
    plant(
        half, 0, [](std::size_t r) { return r + 1; }, [](std::size_t place) { return place - 1; });
    if (n % 2 == 0)
      plant(
          rest, 2, [=](std::size_t r) { return n - r; }, [=](std::size_t place) { return n - place; });
    else
      plant(
          rest, 2, [=](std::size_t r) { return (r + 1) % n + 1; },
          [=](std::size_t place) { return (place + n - 2) % n; });
  }

 private:
  struct Edge {
    std::size_t peer;
    Stream &up, &down;
  };
  struct Tree {
    Bytes bytes;
    std::vector<Edge> children;
    std::optional<Edge> parent;
  };

  template <class Place, class Rank>
  void plant(Bytes bytes, unsigned part, Place place, Rank rank) {
    const InOrder order{size()};
    Tree tree{bytes, {}, std::nullopt};
    const std::size_t here = place(self());
    for (const std::size_t child : order.children(here))
      tree.children.push_back({rank(child), add_stream(Action::recv, part), add_stream(Action::send, part + 1)});
    if (const auto parent = order.parent(here))
      tree.parent.emplace(Edge{rank(*parent), add_stream(Action::send, part), add_stream(Action::recv, part + 1)});
    trees_.push_back(std::move(tree));
  }

  void piece(Tree& tree, Bytes bytes) {
    std::vector<std::uint64_t> sum;
    if (of_.what != Operation::broadcast) {
      for (Edge& child : tree.children) sum.push_back(message(child.up, child.peer, bytes));
      if (tree.parent) message(tree.parent->up, tree.parent->peer, bytes, sum);
    }
    if (of_.what == Operation::reduce) return;
    if (tree.parent) sum = {message(tree.parent->down, tree.parent->peer, bytes)};
    for (Edge& child : tree.children) message(child.down, child.peer, bytes, sum);
  }

  bool round() override {
    bool any = false;
    for (Tree& tree : trees_) {
      const Bytes left = tree.bytes - of_.piece * round_;
      if (left <= Bytes{0}) continue;
      piece(tree, std::min(left, of_.piece));
      any = true;
    }
    ++round_;
    return any;
  }

  std::int64_t round_ = 0;
  std::vector<Tree> trees_;
};

}  // namespace

std::unique_ptr<Rounds> tree(Collective collective, std::shared_ptr<const Communicator> communicator, std::size_t self,
                             std::uint64_t first) {
  return std::make_unique<Trees>(std::move(collective), std::move(communicator), self, first);
}

}  // namespace gicsim::schedule
