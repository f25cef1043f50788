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
  Memory& memory = end.registered.memory();
  if (asks(line, "word")) {
    std::uint64_t value = 0;
    memory.read(end.in(), &value, sizeof value);
    return "word=" + std::to_string(value);
  }
  const std::size_t bytes = number_in(line, "bytes");
  if (bytes > end.shape.bytes) throw HardwareError("'" + line + "' is beyond the memory of this end");
  if (asks(line, "fill")) {
    const std::vector<std::uint8_t> made = payload(static_cast<std::uint32_t>(number_in(line, "seed")), bytes);
    memory.write(end.out(), made.data(), bytes);
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
    if (asks(line, "answer")) {
      meeting.send("ready");
      pong(end, number_in(line, "bytes"), number_in(line, "inlined") != 0, static_cast<unsigned>(number_in(line, "n")));
      meeting.send("answered");
    } else {
      meeting.send(answer_to(end, line));
    }
  }
}

void pong(End& end, std::size_t bytes, bool inlined, unsigned n) {
  if (end.registered.memory().gpu()) throw HardwareError("a CPU can't look into GPU memory: run ping_pong without --memory gpu at both ends");
  const Operation reply = end.put(bytes, inlined);
  std::uint8_t* out = end.registered.memory().data() + end.out();
  const volatile std::uint8_t* last = end.registered.memory().data() + end.in() + bytes - 1;
  Link& link = *end.links[0];
  for (unsigned i = 1; i <= n; ++i) {
    spin("no ping", [&] { return *last == mark(i); });
    out[bytes - 1] = mark(i);
    link.post(reply);
    link.wait();
  }
}

void FarEnd::fill(std::uint32_t seed, std::size_t bytes) { ask(with("fill", bytes) + " seed=" + std::to_string(seed)); }
void FarEnd::clear(std::size_t bytes) { ask(with("clear", bytes)); }

void FarEnd::check(std::uint32_t seed, std::size_t bytes) {
  if (const std::string wrong = ask(with("check", bytes) + " seed=" + std::to_string(seed)); !wrong.empty())
    throw HardwareError("what arrived isn't what was sent: " + wrong);
}

std::uint64_t FarEnd::word() { return number_in(ask("word"), "word"); }

void FarEnd::answer(std::size_t bytes, bool inlined, unsigned n) {
  ask(with("answer", bytes) + " inlined=" + std::to_string(inlined) + " n=" + std::to_string(n));
}

void FarEnd::done() { meeting_.receive(); }
void FarEnd::bye() { meeting_.send("bye"); }

}  // namespace gicsim::hw::verbs
