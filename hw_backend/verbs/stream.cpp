// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// WRITEs as fast as queues take them.
#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "hw_backend/verbs/experiments.h"
#include "hw_backend/verbs/partner.h"

namespace gicsim::hw {
namespace {

using verbs::FarEnd;
using verbs::Link;
using verbs::Operation;
using verbs::VerbsEnd;
using Clock = std::chrono::steady_clock;

constexpr unsigned depth = 128;

struct Stream {
  std::size_t bytes = 8;
  unsigned threads = 1, batch = 1, each = 1000;  ///< messages a thread, a multiple of the batch
};

struct Span {
  Clock::time_point began, done;
  std::exception_ptr broke;
};

void flow(Link& link, const Operation& o, const Stream& s, Span& span) {
  span.began = Clock::now();
  unsigned posted = 0, completed = 0;
  while (completed < s.each) {
    while (posted < s.each && posted - completed + s.batch <= depth) {
      link.post(o, s.batch);
      posted += s.batch;
    }
    unsigned batches = 0;
    verbs::spin("no completion", [&] { return (batches = link.poll()) > 0; });
    completed += batches * s.batch;
  }
  span.done = Clock::now();
}

/// All threads start together, each on a slice of memory and a queue pair of its own. @return from the first start to
/// the last completion
Clock::duration flow(VerbsEnd& end, const Stream& s) {
  std::vector<Span> spans(s.threads);
  std::atomic<unsigned> ready{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < s.threads; ++t)
    threads.emplace_back([&, t] {
      Operation o = end.put(s.bytes, s.bytes <= end.links[t]->inline_most() && !end.memory().gpu(), t);
      o.local += t * s.bytes;
      o.remote += t * s.bytes;
      ++ready;
      while (ready < s.threads) std::this_thread::yield();
      try {
        flow(*end.links[t], o, s, spans[t]);
      } catch (...) {
        spans[t].broke = std::current_exception();
      }
    });
  for (std::thread& t : threads) t.join();
  Clock::time_point began = spans[0].began, done = spans[0].done;
  for (const Span& span : spans) {
    if (span.broke) std::rethrow_exception(span.broke);
    began = std::min(began, span.began);
    done = std::max(done, span.done);
  }
  return done - began;
}

/// One sample of each figure: a stream's rate is one number.
std::vector<Samples> once(VerbsEnd& end, FarEnd& far, const Stream& s, std::uint32_t seed) {
  const std::size_t all = s.threads * s.bytes;
  end.fill(seed, all);
  far.clear(all);
  const double seconds = std::chrono::duration<double>(flow(end, s)).count();
  far.check(seed, all);
  const double messages = static_cast<double>(s.each) * s.threads;
  return {{messages * static_cast<double>(s.bytes) / seconds / 1e9}, {messages / seconds / 1e6}};
}

std::vector<Figure> figures(Pattern pattern, const Stream& s, const VerbsEnd& end, const Options& options) {
  const bool inlined = s.bytes <= end.links[0]->inline_most() && !options.gpu_memory;
  Figure f;
  f.pattern = pattern;
  f.path = Path::cpu_post;
  f.where = {{"bytes", static_cast<std::int64_t>(s.bytes)},
             {"payload", std::string(to_name(inlined ? Payload::inlined : Payload::read))},
             {"gdr", std::string(end.gdr_of_puts())},
             {"threads", std::int64_t{s.threads}},
             {"qps", std::int64_t{s.threads}},
             {"batch", std::int64_t{s.batch}},
             {"depth", std::int64_t{depth}}};
  for (const auto& more : verbs::partner_of(options)) f.where.push_back(more);
  f.clock = "cpu steady_clock";
  Figure rate = f;
  f.quantity = Quantity::bandwidth;
  rate.quantity = Quantity::message_rate;
  return {f, rate};
}

/// So many messages that a repeat lasts long enough, but not too long for a slow NIC.
unsigned messages(std::size_t bytes, unsigned batch, bool quick) {
  const std::size_t by_bytes = (quick ? std::size_t{16} << 20U : std::size_t{4} << 30U) / bytes;
  const std::size_t n = std::clamp<std::size_t>(by_bytes, 16, quick ? 2048 : 262144);
  return static_cast<unsigned>((n + batch - 1) / batch * batch);
}

}  // namespace

void VerbsPutBw::run(Session& session) {
  const bool quick = session.options.quick;
  const std::vector<std::size_t> sizes =
      quick ? std::vector<std::size_t>{8, 4096, 1048576}
            : std::vector<std::size_t>{8, 64, 512, 4096, 16384, 65536, 262144, 1048576, 8388608};
  verbs::with_partner<VerbsEnd>(session, key, {1, depth, sizes.back()}, [&](VerbsEnd& end, FarEnd& far) {
    std::uint32_t seed = 0;
    for (const std::size_t bytes : sizes) {
      const Stream s{bytes, 1, 1, messages(bytes, 1, quick)};
      session.measure(figures(Pattern::put_bw, s, end, session.options), [&] { return once(end, far, s, ++seed); });
    }
  });
}

void VerbsMessageRate::run(Session& session) {
  const bool quick = session.options.quick;
  std::vector<unsigned> threads;
  for (unsigned n = 1; n <= std::max(1U, std::min(16U, std::thread::hardware_concurrency() / 2)); n *= 2)
    threads.push_back(n);
  verbs::with_partner<VerbsEnd>(
      session, key, {threads.back(), depth, threads.back() * 8}, [&](VerbsEnd& end, FarEnd& far) {
        std::uint32_t seed = 0;
        for (const unsigned n : threads)
          for (const unsigned batch : {1U, 4U, 16U, 64U}) {
            const Stream s{8, n, batch, messages(8, batch, quick)};
            const std::vector<Figure> both = figures(Pattern::message_rate, s, end, session.options);
            session.measure(both[1], [&] { return once(end, far, s, ++seed)[1]; });
          }
      });
}

}  // namespace gicsim::hw
