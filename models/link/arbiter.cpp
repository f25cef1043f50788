// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/arbiter.h"

namespace gicsim::link {
namespace {

constexpr std::int64_t unit = 64;          ///< bytes a weight stands for
constexpr std::int64_t limit_unit = 4096;  ///< and a step of the limit
constexpr Count unlimited = 255;

}  // namespace

Arbiter::Arbiter(const ArbitrationParams& p) : limit_(p.limit) {
  high_.weight = {p.high_0, p.high_1, p.high_2, p.high_3, p.high_4, p.high_5, p.high_6, p.high_7};
  low_.weight = {p.low_0, p.low_1, p.low_2, p.low_3, p.low_4, p.low_5, p.low_6, p.low_7};
  for (Table* table : {&high_, &low_}) table->left = unit * table->weight[0];
}

int Arbiter::Table::pick(unsigned ready) {
  for (int tried = 0; tried <= priorities; ++tried) {
    const auto lane = static_cast<std::size_t>(turn);
    if ((ready >> turn & 1) != 0 && weight[lane] > 0 && left > 0) return turn;
    turn = (turn + 1) % priorities;
    left = unit * weight[static_cast<std::size_t>(turn)];
  }
  return -1;
}

int Arbiter::pick(unsigned ready) {
  const bool spent = limit_ != unlimited && in_a_row_ > limit_ * limit_unit;
  unsigned low_ready = 0;
  for (int lane = 0; lane < priorities; ++lane)
    if (low_.weight[static_cast<std::size_t>(lane)] > 0) low_ready |= ready & 1u << lane;
  low_waits_ = low_ready != 0;
  if (!(spent && low_waits_))
    if (const int lane = high_.pick(ready); lane >= 0) return from_high_ = true, lane;
  from_high_ = false;
  return low_.pick(ready);
}

void Arbiter::sent(int lane, Bytes length) {
  Table& table = from_high_ ? high_ : low_;
  if (table.turn == lane) table.left -= length.count();
  in_a_row_ = from_high_ && low_waits_ ? in_a_row_ + length.count() : 0;
}

}  // namespace gicsim::link
