// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// One operation at a time.
#include <cstring>

#include "hw_backend/core/payload.h"
#include "hw_backend/verbs/experiments.h"
#include "hw_backend/verbs/partner.h"

namespace gicsim::hw {
namespace {

using verbs::FarEnd;
using verbs::Operation;
using verbs::VerbsEnd;
using Clock = std::chrono::steady_clock;

constexpr const char* clock_name = "cpu steady_clock";
constexpr std::size_t word = 8;

double ns(Clock::duration d) { return std::chrono::duration<double, std::nano>(d).count(); }

std::vector<std::size_t> sizes(const Options& o) {
  if (o.quick) return {8, 4096, 65536};
  return {8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};
}

unsigned samples(const Options& o) { return o.quick ? 200 : 2000; }

/// Issue and completion of `n` operations, one under way at a time. `before` changes the i-th, `after` looks at what it
/// did.
template <class Before, class After>
std::vector<Samples> one_by_one(verbs::Link& link, Operation o, unsigned n, Before before, After after) {
  std::vector<Samples> taken(2);
  for (unsigned i = 0; i < n; ++i) {
    before(o, i);
    const Clock::time_point began = Clock::now();
    link.post(o);
    const Clock::time_point posted = Clock::now();
    link.wait();
    const Clock::time_point done = Clock::now();
    after(i);
    taken[0].push_back(ns(posted - began));
    taken[1].push_back(ns(done - began));
  }
  return taken;
}

std::vector<Samples> one_by_one(verbs::Link& link, const Operation& o, unsigned n) {
  return one_by_one(
      link, o, n, [](Operation&, unsigned) {}, [](unsigned) {});
}

using Where = std::vector<std::pair<std::string, Record::Plain>>;

std::vector<Figure> figures(Pattern pattern, const Where& where, const Options& options) {
  Where all = where;
  for (const auto& more : verbs::partner_of(options)) all.push_back(more);
  const Quantity end = pattern == Pattern::put ? Quantity::put_completion : Quantity::completion;
  return {{pattern, Path::cpu_post, all, Quantity::issue, clock_name}, {pattern, Path::cpu_post, all, end, clock_name}};
}

void write(VerbsEnd& end, std::size_t at, std::uint64_t value) { end.memory().write(at, &value, word); }

std::uint64_t read(const VerbsEnd& end, std::size_t at) {
  std::uint64_t value = 0;
  end.memory().read(at, &value, word);
  return value;
}

/// Each answer must be what the operation before left, and what is left in the end the sum of all.
std::vector<Samples> atomics(VerbsEnd& end, FarEnd& far, Atomic which, unsigned n) {
  far.clear(word);
  Operation o = end.put(word, false);
  o.opcode = which == Atomic::fetch_add ? IBV_WR_ATOMIC_FETCH_AND_ADD : IBV_WR_ATOMIC_CMP_AND_SWP;
  std::vector<Samples> taken = one_by_one(
      *end.links[0], o, n,
      [&](Operation& next, unsigned i) {
        next.compare_add = which == Atomic::fetch_add ? 1 : i;
        next.swap = i + 1;
        write(end, end.out(), ~std::uint64_t{0});
      },
      [&](unsigned i) {
        if (const std::uint64_t found = read(end, end.out()); found != i)
          throw HardwareError("atomic " + std::to_string(i) + " found " + std::to_string(found) + ", not " +
                              std::to_string(i) + ": one before it was lost or came twice");
      });
  if (const std::uint64_t left = far.word(); left != n)
    throw HardwareError(std::to_string(n) + " atomics left " + std::to_string(left) + " behind: each must count once");
  return taken;
}

}  // namespace

std::string VerbsExperiment::unavailable(const Machine& machine, const Options& options) const {
  return verbs::unavailable(machine, options);
}

void VerbsPut::run(Session& session) {
  const std::vector<std::size_t> all = sizes(session.options);
  verbs::with_partner<VerbsEnd>(session, key, {1, 16, all.back()}, [&](VerbsEnd& end, FarEnd& far) {
    std::uint32_t seed = 0;
    for (const std::size_t bytes : all) {
      for (const Payload how : {Payload::inlined, Payload::read}) {
        const bool inlined = how == Payload::inlined;
        if (inlined && (bytes > end.links[0]->inline_most() || session.options.gpu_memory)) continue;
        const Where where = {{"bytes", static_cast<std::int64_t>(bytes)},
                             {"payload", std::string(to_name(how))},
                             {"gdr", std::string(end.gdr_of_puts())}};
        session.measure(figures(Pattern::put, where, session.options), [&] {
          end.fill(++seed, bytes);
          far.clear(bytes);
          std::vector<Samples> taken = one_by_one(*end.links[0], end.put(bytes, inlined), samples(session.options));
          far.check(seed, bytes);
          return taken;
        });
      }
    }
  });
}

void VerbsGet::run(Session& session) {
  const std::vector<std::size_t> all = sizes(session.options);
  verbs::with_partner<VerbsEnd>(session, key, {1, 16, all.back()}, [&](VerbsEnd& end, FarEnd& far) {
    std::uint32_t seed = 0;
    for (const std::size_t bytes : all) {
      const Where where = {{"bytes", static_cast<std::int64_t>(bytes)}, {"gdr", std::string(end.gdr_of_gets())}};
      session.measure(figures(Pattern::get, where, session.options), [&] {
        std::vector<std::uint8_t> got(bytes);
        end.memory().write(end.in(), got.data(), bytes);
        far.fill(++seed, bytes);
        std::vector<Samples> taken = one_by_one(*end.links[0], end.get(bytes), samples(session.options));
        end.memory().read(end.in(), got.data(), bytes);
        if (const std::string wrong = difference(got, seed); !wrong.empty())
          throw HardwareError("what was read isn't what stands there: " + wrong);
        return taken;
      });
    }
  });
}

void VerbsAtomic::run(Session& session) {
  verbs::with_partner<VerbsEnd>(session, key, {1, 16, word}, [&](VerbsEnd& end, FarEnd& far) {
    if (end.device.attributes.atomic_cap == IBV_ATOMIC_NONE)
      throw HardwareError("this NIC does no atomics (atomic_cap is NONE)");
    for (const Atomic which : {Atomic::fetch_add, Atomic::compare_swap}) {
      const Where where = {{"bytes", std::int64_t{word}},
                           {"atomic", std::string(to_name(which))},
                           {"gdr", std::string(end.gdr_of_puts())}};
      session.measure(figures(Pattern::atomic, where, session.options),
                      [&] { return atomics(end, far, which, samples(session.options)); });
    }
  });
}

}  // namespace gicsim::hw
