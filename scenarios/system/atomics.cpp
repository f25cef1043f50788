// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/atomics.h"

namespace gicsim::system {

/// Of all that came between a read and its write the latest is enough to know that there was any.
void Atomics::on(const AtomicDone& done) {
  Word& word = words_[done.address];
  const One one{std::string(done.who), done.since, done.at};
  const auto inside = [](const One& inner, const One& outer) {
    return inner.who != outer.who && outer.since < inner.at && inner.at < outer.at;
  };
  if (word.latest && inside(*word.latest, one)) undo(done.address, one, *word.latest);
  for (const One& earlier : word.visible_later)
    if (inside(one, earlier)) undo(done.address, earlier, one);
  std::erase_if(word.visible_later, [&](const One& earlier) { return earlier.at <= one.since; });
  if (one.since != one.at) word.visible_later.push_back(one);
  if (!word.latest || word.latest->at < one.at) word.latest = one;
}

void Atomics::undo(Address address, const One& by, const One& lost) {
  ++undid_;
  if (!first_) first_ = LostAtomic{address, lost.who, by.who, lost.at, by.since, by.at};
}

}  // namespace gicsim::system
