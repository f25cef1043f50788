// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/connectx/end.cuh"

#include <cmath>

namespace gicsim::hw::connectx {
namespace {

double clock_of(int gpu) {
  const gpu::OnDevice on(gpu);
  posting::load_kernels();
  return posting::clock_ghz();
}

}  // namespace

GpuEnd::GpuEnd(const Machine& machine, const Options& options, const verbs::Shape& wanted)
    : End(wanted, verbs::open_device(machine, options, Tier::of(wanted.variant).queues == Queues::gpu),
          gpu_memory(options.gpu, 2 * wanted.bytes)),
      gpu_(options.gpu),
      ghz_(clock_of(options.gpu)) {
  const gpu::OnDevice on(gpu_);
  for (unsigned i = 0; i < shape.queues; ++i)
    pairs_.push_back(tier().queues == Queues::gpu ? gpu_queue_pair(device, pd.get(), gpu_, shape.depth)
                                                  : host_queue_pair(device, pd.get(), shape.depth));
  states_ = gpu::DeviceArray<posting::QueueState>(shape.queues);
  shown_ = gpu::DeviceArray<posting::Queue>(shape.queues);
  stuck_ = gpu::HostArray<posting::Stuck>(1);
}

void GpuEnd::make_doorbells() {
  if (tier().path == Path::gpu_direct) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) queues_[i].doorbell = uars_.on_gpu(pairs_[i]->reg());
    return;
  }
  std::vector<void*> registers;
  for (const auto& pair : pairs_) registers.push_back(pair->reg());
  ringer_.emplace(std::move(registers));
  for (std::size_t i = 0; i < pairs_.size(); ++i) queues_[i].doorbell = ringer_->mailbox(i);
}

void GpuEnd::meet(Meeting& meeting) {
  const gpu::OnDevice on(gpu_);
  const std::size_t slice = shape.bytes / shape.queues;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Endpoint ours = device.endpoint();
    ours.qpn = pairs_[i]->queue().qpn;
    ours.psn = pairs_[i]->psn();
    const Endpoint& theirs = trade(meeting, ours);
    pairs_[i]->connect(device, pd.get(), theirs);
    posting::Queue q = pairs_[i]->queue();
    q.state = states_.data() + i;
    q.lkey = registered.lkey();
    q.rkey = theirs.rkey;
    q.local = registered.address() + out() + i * slice;
    q.remote = far_in(static_cast<unsigned>(i)) + i * slice;
    q.source = reinterpret_cast<std::uint64_t*>(memory().data() + out() + i * slice);
    q.inbox = reinterpret_cast<std::uint64_t*>(memory().data() + in() + i * slice);
    queues_.push_back(q);
  }
  make_doorbells();
  GICSIM_CUDA(
      cudaMemcpy(shown_.data(), queues_.data(), queues_.size() * sizeof(posting::Queue), cudaMemcpyHostToDevice));
  meeting.send("connected");
  meeting.receive();  // nobody posts before both can answer
}

std::uint32_t GpuEnd::posted(std::size_t i) const {
  const gpu::OnDevice on(gpu_);
  posting::QueueState state{};
  GICSIM_CUDA(cudaMemcpy(&state, states_.data() + i, sizeof state, cudaMemcpyDeviceToHost));
  return state.posted;
}

void GpuEnd::check() const {
  if (stuck_[0].what != posting::Stuck::none) throw HardwareError(posting::to_text(stuck_[0]));
}

std::string GpuEnd::clock() const { return "gpu clock64 at " + std::to_string(std::lround(ghz_ * 1000)) + " MHz"; }

/// The far side of a ping-pong.
void GpuEnd::answer(const std::string& line, Meeting& meeting) {
  posting::PingPongPlan plan;
  plan.first = false;
  plan.iterations = static_cast<std::uint32_t>(number_in(line, "n"));
  plan.post.payload = number_in(line, "inlined") != 0 ? Payload::inlined : Payload::read;
  plan.post.ordering = static_cast<Ordering>(number_in(line, "ordering"));
  plan.post.bytes = static_cast<std::uint32_t>(number_in(line, "bytes"));
  const gpu::OnDevice on(gpu_);
  const gpu::Stream stream;
  posting::launch_ping_pong(plan, queues_[0], nullptr, stuck(), stream);
  meeting.send("ready");
  stream.synchronize();
  check();
  meeting.send("answered");
}

Figure figure_of(const GpuEnd& end, const Options& options, const Tier& tier, Pattern pattern, Quantity quantity,
                 const posting::Post& post) {
  Figure f;
  f.pattern = pattern;
  f.path = tier.path;
  f.where = {{"bytes", std::int64_t{post.bytes}},
             {"ordering", std::string(to_name(post.ordering))},
             {"payload", std::string(to_name(post.payload))},
             {"queues", std::string(to_name(tier.queues))},
             {"depth", std::int64_t{end.queue(0).depth}}};
  for (const auto& more : verbs::partner_of(options)) f.where.push_back(more);
  f.quantity = quantity;
  f.clock = end.clock();
  return f;
}

void with_tiers(Session& session, std::string_view key, Pattern pattern, verbs::Shape shape,
                const std::function<void(const Tier&, GpuEnd&, verbs::FarEnd&)>& measure) {
  int had = 0;
  std::string last;
  for (const Tier tier : {Tier{Queues::host, Path::gpu_direct}, Tier{Queues::gpu, Path::gpu_direct},
                          Tier{Queues::host, Path::cpu_doorbell}, Tier{Queues::gpu, Path::cpu_doorbell}}) {
    shape.variant = tier.variant();
    try {
      verbs::with_partner<GpuEnd>(session, key, shape,
                                  [&](GpuEnd& end, verbs::FarEnd& far) { measure(tier, end, far); });
      ++had;
    } catch (const HardwareError& e) {
      last = e.what();
      Figure point;
      point.pattern = pattern;
      point.path = tier.path;
      point.where = {{"path", std::string(to_name(tier.path))}, {"queues", std::string(to_name(tier.queues))}};
      session.skip(point, last);
    }
  }
  if (had == 0) throw HardwareError("no way to post from the GPU worked; the last one: " + last);
}

}  // namespace gicsim::hw::connectx
