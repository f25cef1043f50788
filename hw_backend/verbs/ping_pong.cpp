// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_backend/core/payload.h"
#include "hw_backend/verbs/experiments.h"
#include "hw_backend/verbs/partner.h"

namespace gicsim::hw {
namespace {

using verbs::FarEnd;
using verbs::VerbsEnd;
using Clock = std::chrono::steady_clock;

/// Both ends' buffers hold the payload of a seed but for the last byte, which counts.
Samples round_trips(VerbsEnd& end, FarEnd& far, std::size_t bytes, bool inlined, unsigned n, std::uint32_t seed) {
  std::uint8_t* memory = end.memory().data();
  end.fill(seed, bytes);
  std::fill_n(memory + end.in(), bytes, std::uint8_t{0});
  far.fill(seed + 1, bytes);
  far.clear(bytes);
  far.answer(bytes, inlined, n);
  const verbs::Operation ping = end.put(bytes, inlined);
  const volatile std::uint8_t* last = memory + end.in() + bytes - 1;
  verbs::Link& link = *end.links[0];
  Samples taken;
  for (unsigned i = 1; i <= n; ++i) {
    const Clock::time_point began = Clock::now();
    memory[end.out() + bytes - 1] = verbs::mark(i);
    link.post(ping);
    verbs::spin("no reply", [&] { return *last == verbs::mark(i); });
    taken.push_back(std::chrono::duration<double, std::nano>(Clock::now() - began).count());
    link.wait();
  }
  far.done();
  far.check(seed, bytes - 1);
  if (const std::string wrong = difference({memory + end.in(), memory + end.in() + bytes - 1}, seed + 1);
      !wrong.empty())
    throw HardwareError("the reply isn't what was sent: " + wrong);
  return taken;
}

}  // namespace

std::string VerbsPingPong::unavailable(const Machine& machine, const Options& options) const {
  if (options.gpu_memory)
    return "--memory gpu: a CPU polls for what arrives, and it can't look into GPU memory; connectx_ping_pong can";
  return VerbsExperiment::unavailable(machine, options);
}

void VerbsPingPong::run(Session& session) {
  const bool quick = session.options.quick;
  const std::vector<std::size_t> sizes =
      quick ? std::vector<std::size_t>{8, 4096} : std::vector<std::size_t>{8, 64, 256, 1024, 4096, 16384, 65536};
  verbs::with_partner<VerbsEnd>(session, key, {1, 16, sizes.back()}, [&](VerbsEnd& end, FarEnd& far) {
    std::uint32_t seed = 0;
    for (const std::size_t bytes : sizes) {
      const bool inlined = bytes <= end.links[0]->inline_most();
      Figure f;
      f.pattern = Pattern::ping_pong;
      f.path = Path::cpu_post;
      f.where = {{"bytes", static_cast<std::int64_t>(bytes)},
                 {"payload", std::string(to_name(inlined ? Payload::inlined : Payload::read))},
                 {"gdr", std::string(end.gdr_of_puts())},
                 {"receiver", std::string(to_name(Receiver::cpu))}};
      for (const auto& more : verbs::partner_of(session.options)) f.where.push_back(more);
      f.quantity = Quantity::rtt;
      f.clock = "cpu steady_clock";
      session.measure(f, [&] { return round_trips(end, far, bytes, inlined, quick ? 200 : 2000, seed += 2); });
    }
  });
}

}  // namespace gicsim::hw
