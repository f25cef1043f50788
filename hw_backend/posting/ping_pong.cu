// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/experiments.h"
#include "hw_backend/posting/point.cuh"

namespace gicsim::hw::posting {
namespace {

/// Two threads and their queues: on one GPU, or on two of which each is the other's NIC.
class Table {
 public:
  Table(const Bench& bench, const Post& post, Nic nic, Place inbox) : bench_(bench), post_(post) {
    Rings::Plan plan = bench.rings(nic, nic == Nic::emulated ? Queues::host : Queues::gpu);
    plan.inbox = inbox;
    if (nic == Nic::emulated) plan.count = 2;  // one CPU thread plays both NICs, and knows both inboxes
    here_ = std::make_unique<Rings>(plan);
    if (nic == Nic::peer_gpu) std::swap(plan.poster, plan.nic_gpu);
    if (nic != Nic::emulated) there_ = std::make_unique<Rings>(plan);
    other().aim(second(), (*here_)[0].inbox);
    here_->aim(0, other()[second()].inbox);
  }

  const Rings& here() const { return *here_; }

  void play(std::uint32_t turns, std::uint32_t* cycles) {
    const gpu::OnDevice on(bench_.gpu());
    const int there = other().plan().poster;
    const gpu::Stream mine;
    gpu::OnDevice far(there);
    const gpu::Stream theirs;
    Serving serving(there_ ? std::vector<Rings*>{here_.get(), there_.get()} : std::vector<Rings*>{here_.get()});
    PingPongPlan plan;
    plan.post = post_;
    plan.iterations = turns;
    plan.first = false;
    launch_ping_pong(plan, other()[second()], nullptr, serving.stuck(), theirs);
    {
      const gpu::OnDevice near(bench_.gpu());
      plan.first = true;
      launch_ping_pong(plan, (*here_)[0], cycles, serving.stuck(), mine);
    }
    mine.synchronize();
    theirs.synchronize();
    serving.finish();
  }

 private:
  Rings& other() { return there_ ? *there_ : *here_; }
  std::size_t second() const { return there_ ? 0 : 1; }

  const Bench& bench_;
  Post post_;
  std::unique_ptr<Rings> here_, there_;
};

}  // namespace

void PingPong::run(Session& session) {
  const gpu::OnDevice on(session.options.gpu);
  const Bench bench(session);
  const std::uint32_t n = session.options.quick ? 200 : 1000;
  const gpu::DeviceArray<std::uint32_t> cycles(n);
  const auto point = [&](Nic nic, Place inbox, const Post& post) {
    Figure figure = bench.figure(Pattern::ping_pong, Quantity::rtt, post, bench.rings(nic, nic == Nic::emulated ? Queues::host : Queues::gpu));
    figure.where.emplace_back("inbox", inbox == Place::host ? "host" : "gpu");
    if (const std::string why = bench.missing(nic); !why.empty()) return session.skip(figure, why);
    Table table(bench, post, nic, inbox);
    measure_or_say(session, {figure}, table.here(), [&] {
      table.play(n, cycles.data());
      std::vector<std::uint32_t> taken(n);
      GICSIM_CUDA(cudaMemcpy(taken.data(), cycles.data(), n * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
      Samples samples;
      for (const std::uint32_t t : taken) samples.push_back(t / bench.ghz());
      return std::vector<Samples>{samples};
    });
  };
  for (const Nic nic : {Nic::emulated, Nic::sm, Nic::peer_gpu})
    for (const Payload payload : {Payload::inlined, Payload::read})
      for (const Ordering ordering : orderings) {
        if (session.options.quick && ordering != Ordering::gpu_fence && ordering != Ordering::sys_fence) continue;
        Post post;
        post.payload = payload;
        post.ordering = ordering;
        point(nic, nic == Nic::emulated ? Place::host : Place::poster, post);
        if (nic == Nic::emulated && ordering == Ordering::sys_fence) point(nic, Place::poster, post);
      }
  Figure figure = bench.figure(Pattern::ping_pong, Quantity::rtt, Post{}, bench.rings(Nic::emulated, Queues::gpu));
  session.skip(figure, "the payload is in a ring in GPU memory, which a CPU thread can't read without a mapping of the BAR");
}

}  // namespace gicsim::hw::posting
