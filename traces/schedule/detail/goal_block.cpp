// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/detail/goal_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace gicsim::schedule {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 60;
constexpr std::int64_t most_ns = std::numeric_limits<std::int64_t>::max() / 1000;
constexpr std::int64_t most_tag = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_lane = 0xffff;

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::newline) return "the end of the line";
  if (token.kind == Token::Kind::end) return "the end of the block";
  return "'" + (token.text.size() > 60 ? token.text.substr(0, 60) + "..." : token.text) + "'";
}

}  // namespace

GoalBlock::GoalBlock(File& file, const Extent& extent, std::size_t rank, std::size_t ranks, std::size_t hold,
                     std::size_t labels, std::size_t buffer, GoalTally& tally)
    : cursor_(file, extent, buffer), rank_(rank), ranks_(ranks), hold_(hold), tally_(tally), labels_(labels) {}

bool GoalBlock::next(Step& step) {
  while (!ended_ && held_.size() <= hold_)
    if (!read_statement()) {
      ended_ = true;
      check_ended();
    }
  if (held_.empty()) return false;
  if (held_.front().unknown > 0) fail_late(false);
  step = std::move(held_.front().step);
  held_.pop_front();
  return true;
}

std::int64_t GoalBlock::number(const char* of, std::int64_t most, bool any) {
  cursor_.next(token_);
  if (any && token_.text == "-1") return -1;
  std::int64_t value = 0;
  const char* const end = token_.text.data() + token_.text.size();
  const auto [stop, wrong] = std::from_chars(token_.text.data(), end, value);
  const bool digits = token_.kind == Token::Kind::number && token_.text[0] != '-';
  if (digits && (wrong == std::errc::result_out_of_range || value > most))
    cursor_.fail(token_, fmt::format("{} {}; {} is the most", of, shown(token_), most));
  if (!digits || stop != end)
    cursor_.fail(token_, fmt::format("{} where {} should be; write a whole number{}", shown(token_), of,
                                     any ? ", or -1 for any" : ""));
  return value;
}

void GoalBlock::word(std::string_view expected, const char* instead) {
  cursor_.next(token_);
  if (!token_.is(expected))
    cursor_.fail(token_, fmt::format("{} where '{}' should be; write '{}'", shown(token_), expected, instead));
}

/// @return false: the block ends
bool GoalBlock::read_statement() {
  do cursor_.next(token_);
  while (token_.kind == Token::Kind::newline);
  if (token_.kind == Token::Kind::end) return false;
  const Token first = token_;
  const auto is_action = [](const Token& t) { return t.is("send") || t.is("recv") || t.is("calc"); };
  if (is_action(first)) {
    read_step({}, first);
    return true;
  }
  if (first.kind != Token::Kind::word)
    cursor_.fail(first, shown(first) +
                            " begins no statement; write 'l1: send 64b to 0 tag 0', '... recv 64b from 0 tag 0', "
                            "'... calc 100', or 'l2 requires l1'");
  cursor_.next(token_);
  if (token_.is(":")) {
    cursor_.next(token_);
    if (!is_action(token_)) cursor_.fail(token_, shown(token_) + " is no operation; write send, recv or calc");
    const Token action = token_;
    read_step(first, action);
    return true;
  }
  if (!token_.is("requires") && !token_.is("irequires"))
    cursor_.fail(token_,
                 fmt::format("{} behind {}; write ':', 'requires' or 'irequires'", shown(token_), shown(first)));
  const auto until = token_.is("requires") ? Need::Until::ended : Need::Until::started;
  cursor_.next(token_);
  if (token_.kind != Token::Kind::word)
    cursor_.fail(token_, shown(token_) + " is no label; write that of a step of this rank");
  const Token what = token_;
  end_statement();
  require(first, what, until);
  return true;
}

void GoalBlock::end_statement() {
  cursor_.next(token_);
  if (token_.kind != Token::Kind::newline && token_.kind != Token::Kind::end)
    cursor_.fail(token_, shown(token_) + " where the statement should end; begin another line");
}

void GoalBlock::read_step(const Token& label, const Token& action) {
  Step step;
  step.number = count_;
  step.place = action.line;
  if (action.is("calc")) {
    step.time = Picoseconds{number("a time in ns", most_ns) * 1000};
  } else {
    const bool sends = action.is("send");
    step.action = sends ? Action::send : Action::recv;
    step.bytes = Bytes{number("a number of bytes", most_bytes)};
    word("b", sends ? "send 64b to 0" : "recv 64b from 0");
    word(sends ? "to" : "from", sends ? "send 64b to 0" : "recv 64b from 0");
    const std::int64_t peer = number("a rank", std::numeric_limits<std::int64_t>::max(), !sends);
    if (peer >= static_cast<std::int64_t>(ranks_))
      cursor_.fail(token_, fmt::format("rank {} of {}; write 0 .. {}{}", peer, ranks_, ranks_ - 1,
                                       sends ? "" : ", or -1 for any"));
    step.peer = peer < 0 ? any_rank : static_cast<std::uint32_t>(peer);
  }
  read_options(step);
  if (!labels_.add(label.text, step.number))
    cursor_.fail(label, fmt::format("{} is a label of rank {} already; write another", shown(label), rank_));
  ++count_;
  held_.push_back({std::move(step), 0});
  if (label.text.empty()) return;
  if (auto late = late_.extract(label.text)) {
    late_count_ -= late.mapped().size();
    for (const Late& one : late.mapped()) {
      if (one.what.text == label.text) --held_[*labels_.find(one.who.text) - first()].unknown;
      require(one.who, one.what, one.until);
    }
  }
}

/// tag, cpu and nic, each once, up to the end of the line.
void GoalBlock::read_options(Step& step) {
  const bool message = step.action != Action::calc;
  bool tag = false, cpu = false, nic = false;
  for (cursor_.next(token_); token_.kind != Token::Kind::newline && token_.kind != Token::Kind::end;
       cursor_.next(token_)) {
    const Token option = token_;
    bool& given = option.is("tag") ? tag : option.is("cpu") ? cpu : nic;
    if (!option.is("cpu") && !(message && (option.is("tag") || option.is("nic"))))
      cursor_.fail(
          option, fmt::format("{} means nothing here; write {}", shown(option),
                              message ? "tag N, cpu N, nic N, or begin another line" : "cpu N, or begin another line"));
    if (given) cursor_.fail(option, fmt::format("{} is given twice", shown(option)));
    given = true;
    if (option.is("tag")) {
      step.tag = number("a tag", most_tag, step.action == Action::recv);
    } else {
      const std::int64_t lane = number(option.is("cpu") ? "a cpu" : "a nic", most_lane);
      if (option.is("nic") || !message)
        step.lane = static_cast<std::uint32_t>(lane);
      else if (lane > 0 && tally_.cores++ == 0)
        tally_.first_core = option.line;
    }
  }
}

}  // namespace gicsim::schedule
