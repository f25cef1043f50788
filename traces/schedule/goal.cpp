// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "traces/schedule/detail/goal_binary.h"
#include "traces/schedule/detail/goal_block.h"

namespace gicsim::schedule {
namespace {

constexpr std::uint64_t most_ranks = 1 << 20;
constexpr std::uint64_t small = 16 << 20;  ///< of files of this size, needs may stand anywhere in their blocks
constexpr std::size_t held_in_all = 1 << 18, labels_in_all = 1 << 20, buffers_in_all = 32 << 20;

class Goal final : public Source {
 public:
  explicit Goal(const std::string& name) : file_(name) {
    index();
    blocks_.resize(extents_.size());
    file_.forget_read();
  }

  std::string format() const override { return "GOAL"; }
  std::size_t ranks() const override { return extents_.size(); }
  bool next(std::size_t rank, Step& step) override {
    if (done_[rank]) return false;
    if (!blocks_[rank]) blocks_[rank] = open(rank);
    if (blocks_[rank]->next(step)) return true;
    done_[rank] = true;
    blocks_[rank].reset();
    return false;
  }
  void rewind() override {
    for (auto& block : blocks_) block.reset();
    done_.assign(done_.size(), false);
    tally_ = {};
    file_.forget_read();
  }
  std::vector<Unused> unused() const override {
    if (tally_.cores == 0) return {};
    return {{"cpu of a send or recv: messages keep no core busy here", tally_.cores, tally_.first_core}};
  }
  std::vector<std::string> notes() const override {
    return {"calc is in ns, and keeps its cpu busy; a message's queue pair is its nic"};
  }
  double progress() const override { return file_.share_read(); }
  Location location(std::size_t, const Step& step) const override { return {file_.name(), line_of(step.place), 1}; }

 private:
  std::unique_ptr<GoalBlock> open(std::size_t rank) {
    const std::size_t n = extents_.size();
    const std::size_t hold = file_.size() <= small ? std::numeric_limits<std::size_t>::max()
                                                   : std::clamp<std::size_t>(held_in_all / n, 64, reach);
    const std::size_t labels = file_.size() <= small ? hold : std::max<std::size_t>(labels_in_all / n, 1024);
    const std::size_t buffer = std::clamp<std::size_t>(buffers_in_all / n, 1 << 10, 1 << 16);
    return std::make_unique<GoalBlock>(file_, extents_[rank], rank, n, hold, labels, buffer, tally_);
  }
  void index();
  std::uint64_t number(Cursor& cursor, Token& token, std::uint64_t most, const char* instead);

  File file_;
  std::vector<Extent> extents_;
  std::vector<std::unique_ptr<GoalBlock>> blocks_;
  std::vector<bool> done_;
  GoalTally tally_;
};

std::uint64_t Goal::number(Cursor& cursor, Token& token, std::uint64_t most, const char* instead) {
  cursor.next(token);
  std::uint64_t value = 0;
  const char* const end = token.text.data() + token.text.size();
  const auto [stop, wrong] = std::from_chars(token.text.data(), end, value);
  if (token.kind != Token::Kind::number || stop != end || wrong != std::errc{} || value > most)
    cursor.fail(token, fmt::format("write '{}', of 0 .. {}", instead, most));
  return value;
}

/// One pass over the file: where each rank's block lies.
void Goal::index() {
  Cursor cursor(file_, {0, file_.size(), 1, 1}, 1 << 18);
  std::unordered_map<std::uint64_t, Extent> found;
  std::uint64_t ranks = 0;
  Token token;
  for (cursor.next(token); token.kind != Token::Kind::end; cursor.next(token)) {
    if (token.kind == Token::Kind::newline) continue;
    if (token.is("num_ranks")) {
      if (ranks > 0) cursor.fail(token, "'num_ranks' is given twice");
      ranks = number(cursor, token, most_ranks, "num_ranks N");
      if (ranks == 0) cursor.fail(token, "a schedule of no ranks; write 1 or more");
      continue;
    }
    if (!token.is("rank")) cursor.fail(token, "between blocks there are only 'num_ranks N' and 'rank N {'");
    if (ranks == 0) cursor.fail(token, "'num_ranks N' has to come first");
    const std::uint64_t rank = number(cursor, token, ranks - 1, "rank N {");
    if (const auto other = found.find(rank); other != found.end())
      cursor.fail(token, fmt::format("rank {} has a block already, on line {}", rank, other->second.line));
    cursor.next(token);
    if (!token.is("{")) cursor.fail(token, fmt::format("write 'rank {} {{'", rank));
    Extent extent{cursor.at(), 0, cursor.line(), cursor.column()};
    if (!cursor.skip_block(fmt::format("the block of rank {}, which begins on line {}", rank, extent.line)))
      cursor.fail(
          cursor.line(), cursor.column(),
          fmt::format(
              "the file ends inside the block of rank {}, which begins on line {}: it was cut off, or '}}' is missing",
              rank, extent.line));
    extent.end = cursor.at() - 1;
    found.emplace(rank, extent);
  }
  if (ranks == 0) cursor.fail(token, "no 'num_ranks N'");
  for (std::uint64_t rank = 0; rank < ranks; ++rank)
    if (found.count(rank) == 0)
      cursor.fail(token, fmt::format("the file ends without a block of rank {}: 'num_ranks' says {}, here are {}", rank,
                                     ranks, found.size()));
  extents_.reserve(found.size());
  for (std::uint64_t rank = 0; rank < ranks; ++rank) extents_.push_back(found[rank]);
  done_.resize(extents_.size());
}

/// Blanks and whole comments left out.
std::string_view without_comments(std::string_view text) {
  while (!text.empty()) {
    if (const auto word = text.find_first_not_of(" \t\r\n"); word != 0)
      text.remove_prefix(std::min(word, text.size()));
    else if (text.starts_with("//"))
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    else if (text.starts_with("/*"))
      text.remove_prefix(std::min(text.find("*/", 2), text.size() - 2) + 2);
    else
      break;
  }
  return text;
}

}  // namespace

bool looks_like_goal(std::string_view begin) {
  const std::string_view text = without_comments(begin);
  const std::size_t word = text.starts_with("num_ranks") ? 9 : text.starts_with("rank") ? 4 : 0;
  return word > 0 && text.size() > word && (text[word] == ' ' || text[word] == '\t');
}

std::unique_ptr<Source> read_goal(const std::string& file) {
  {
    File begin(file);
    char magic[8];
    if (looks_like_goal_binary({magic, begin.read(0, magic, sizeof magic)})) return read_goal_binary(file);
  }
  return std::make_unique<Goal>(file);
}

}  // namespace gicsim::schedule
