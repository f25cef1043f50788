// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/chakra/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "traces/chakra/files.h"
#include "traces/chakra/rank.h"

namespace gicsim::chakra {
namespace {

class Traces final : public schedule::Source {
 public:
  explicit Traces(const Files& files) {
    common_.files = files.ranks;
    std::vector<std::uint32_t> all(common_.ranks());
    std::iota(all.begin(), all.end(), 0);
    common_.groups.set("", std::move(all));
    for (const std::string& file : files.groups) read_groups(file, common_.groups);
    common_.look_for_groups = [this] { look_for_groups(); };
    bool json = false, protobuf = false;
    std::int64_t earliest = 0;
    for (const auto& [rank, file] : common_.files) {
      ranks_.emplace(rank, std::make_unique<Rank>(rank, file, common_));
      Nodes nodes(file);
      (nodes.form() == Nodes::Form::json ? json : protobuf) = true;
      Node node;
      for (int n = 0; n < 1024 && nodes.next(node); ++n)
        if (node.start_us > 0 && (earliest == 0 || node.start_us < earliest)) earliest = node.start_us;
    }
    common_.base_us = earliest;
    format_ = std::string("Chakra execution trace, ") + (json ? protobuf ? "protobuf and JSON" : "JSON" : "protobuf");
    common_.notes.add("durations are whole microseconds");
    common_.notes.add(
        "collectives are taken apart by rings, and straight messages for all-to-all, gather and scatter; "
        "comm_size is what each rank puts in");
    if (common_.files.size() < common_.ranks())
      common_.notes.add(fmt::format("{} of ranks 0 .. {} are given", common_.files.size(), common_.ranks() - 1));
  }

  std::string format() const override { return format_; }
  std::size_t ranks() const override { return common_.ranks(); }
  bool next(std::size_t rank, schedule::Step& step) override {
    const auto found = ranks_.find(static_cast<std::uint32_t>(rank));
    return found != ranks_.end() && found->second->next(step);
  }
  void rewind() override {
    common_.unused.clear();
    for (auto& [number, rank] : ranks_) rank->rewind();
  }
  std::vector<schedule::Unused> unused() const override { return common_.unused.all(); }
  std::vector<std::string> notes() const override { return common_.notes.all(); }
  double progress() const override {
    double sum = 0;
    for (const auto& [number, rank] : ranks_) sum += rank->progress();
    return sum / static_cast<double>(ranks_.size());
  }
  Location location(std::size_t rank, const schedule::Step& step) const override {
    const auto file = common_.files.find(static_cast<std::uint32_t>(rank));
    return {fmt::format("{}: byte {}", file == common_.files.end() ? "" : file->second, step.place)};
  }

 private:
  /// Nobody lists a group: then those are in it who have nodes of it. Costs a look through all files, once.
  void look_for_groups() {
    common_.look_for_groups = nullptr;
    std::map<std::string, std::vector<std::uint32_t>> found;
    for (const auto& [rank, file] : common_.files) {
      Nodes nodes(file);
      for (Node node; nodes.next(node);) {
        if (node.type != Node::Type::collective || node.pg_name.empty()) continue;
        std::vector<std::uint32_t>& ranks = found[node.pg_name];
        if (ranks.empty() || ranks.back() != rank) ranks.push_back(rank);
      }
    }
    for (auto& [name, ranks] : found)
      if (!common_.groups.find(name)) {
        common_.groups.set(name, std::move(ranks));
        common_.notes.add("who is in a group is nowhere said: those are who have collectives of its name");
      }
  }

  Common common_;
  std::map<std::uint32_t, std::unique_ptr<Rank>> ranks_;
  std::string format_;
};

}  // namespace

bool looks_like_chakra(std::string_view head) { return looks_like_json(head) || looks_like_protobuf(head); }

std::unique_ptr<schedule::Source> open(const std::vector<std::string>& files) {
  return std::make_unique<Traces>(find_files(files));
}

}  // namespace gicsim::chakra
