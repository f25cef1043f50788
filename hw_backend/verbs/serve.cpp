// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "hw_backend/core/payload.h"
#include "hw_backend/verbs/end.h"

namespace gicsim::hw::verbs {
namespace {

bool asks(const std::string& line, const char* what) { return line.compare(0, std::strlen(what), what) == 0; }

std::string with(const char* what, std::size_t bytes) { return std::string(what) + " bytes=" + std::to_string(bytes); }

std::string answer_to(End& end, const std::string& line) {
  Memory& memory = end.memory();
  const std::size_t bytes = number_in(line, "bytes");
  if (bytes > end.shape.bytes) throw HardwareError("'" + line + "' is beyond the memory of this end");
  if (asks(line, "word")) {  // the last one of so many bytes
    std::uint64_t value = 0;
    memory.read(end.in() + bytes - sizeof value, &value, sizeof value);
    return "word=" + std::to_string(value);
  }
  if (asks(line, "fill")) {
    end.fill(static_cast<std::uint32_t>(number_in(line, "seed")), bytes);
  } else if (asks(line, "clear")) {
    const std::vector<std::uint8_t> zero(bytes);
    memory.write(end.in(), zero.data(), bytes);
  } else if (asks(line, "check")) {
    std::vector<std::uint8_t> got(bytes);
    memory.read(end.in(), got.data(), bytes);
    return difference(got, static_cast<std::uint32_t>(number_in(line, "seed")));
  } else {
    throw HardwareError("'" + line + "' is nothing that this end can do");
  }
  return {};
}

}  // namespace

void serve(End& end, Meeting& meeting) {
  for (;;) {
    const std::string line = meeting.receive();
    if (line == "bye") return;
    if (asks(line, "answer")) end.answer(line, meeting);
    else meeting.send(answer_to(end, line));
  }
}

void FarEnd::fill(std::uint32_t seed, std::size_t bytes) { ask(with("fill", bytes) + " seed=" + std::to_string(seed)); }
void FarEnd::clear(std::size_t bytes) { ask(with("clear", bytes)); }

void FarEnd::check(std::uint32_t seed, std::size_t bytes) {
  if (const std::string wrong = ask(with("check", bytes) + " seed=" + std::to_string(seed)); !wrong.empty())
    throw HardwareError("what arrived isn't what was sent: " + wrong);
}

std::uint64_t FarEnd::word(std::size_t i) {
  return number_in(ask(with("word", (i + 1) * sizeof(std::uint64_t))), "word");
}

void FarEnd::answer(std::size_t bytes, bool inlined, unsigned n, const std::string& more) {
  ask(with("answer", bytes) + " inlined=" + std::to_string(inlined) + " n=" + std::to_string(n) +
      (more.empty() ? "" : " " + more));
}

void FarEnd::done() { meeting_.receive(); }
void FarEnd::bye() { meeting_.send("bye"); }

}  // namespace gicsim::hw::verbs
