// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/rings.cuh"

#include <array>
#include <cstring>

namespace gicsim::hw::posting {
namespace {

constexpr std::uint32_t source_key = 0x1100, target_key = 0x2200, first_qpn = 0x40;
constexpr std::size_t line = 16;  // words of 8 B between what different parties write

}  // namespace

std::string_view to_name(Nic nic) {
  static constexpr std::array<std::string_view, 4> names = {"none", "emulated", "sm", "peer_gpu"};
  return names[static_cast<std::size_t>(nic)];
}

template <class T>
T* Rings::take(Place place, std::size_t n) {
  if (place == Place::host) return reinterpret_cast<T*>(host_.emplace_back(n * sizeof(T)).data());
  const gpu::OnDevice on(place == Place::nic ? plan_.nic_gpu : plan_.poster);
  return reinterpret_cast<T*>(device_.emplace_back(n * sizeof(T)).data());
}

Rings::Rings(const Plan& plan) : plan_(plan) {
  const gpu::OnDevice on(plan.poster);
  const bool cpu = plan.nic == Nic::none || plan.nic == Nic::emulated;
  const Place rings = plan.where == Queues::host ? Place::host : Place::poster;
  const std::size_t n = plan.count;
  auto* slots = take<Segment>(rings, n * plan.depth * 4);
  auto* records = take<std::uint32_t>(rings, n * line * 2);
  auto* doorbells = take<std::uint64_t>(cpu ? Place::host : Place::nic, n * line);
  auto* cqes = take<Cqe>(completions(), n * plan.depth);
  auto* states = take<QueueState>(Place::poster, n);
  sources_ = take<std::uint64_t>(cpu ? Place::host : Place::poster, n * line);
  targets_ = take<std::uint64_t>(cpu ? Place::host : Place::nic, n * line);
  inboxes_ = take<std::uint64_t>(plan.inbox, n * line);
  if (completions() == Place::host) std::memset(cqes, 0xff, n * plan.depth * sizeof(Cqe));
  else GICSIM_CUDA(cudaMemset(cqes, 0xff, n * plan.depth * sizeof(Cqe)));
  for (std::size_t i = 0; i < n; ++i) {
    Queue q;
    q.slots = slots + i * plan.depth * 4;
    q.record = records + i * line * 2;
    q.doorbell = doorbells + i * line;
    q.completions = cqes + i * plan.depth;
    q.state = states + i;
    q.depth = q.completion_depth = plan.depth;
    q.qpn = first_qpn + static_cast<std::uint32_t>(i);
    q.lkey = source_key, q.rkey = target_key;
    q.source = sources_ + i * line;
    q.local = reinterpret_cast<std::uint64_t>(q.source);
    q.remote = reinterpret_cast<std::uint64_t>(targets_ + i * line);
    q.inbox = inboxes_ + i * line;
    queues_.push_back(q);
  }
  shown_ = take<Queue>(Place::host, n);
  std::copy(queues_.begin(), queues_.end(), shown_);
  if (!cpu) sm_states_ = take<SmNicState>(Place::nic, n);
  GICSIM_CUDA(cudaDeviceSynchronize());
}

void Rings::aim(std::size_t i, std::uint64_t* address) {
  queues_[i].remote = reinterpret_cast<std::uint64_t>(address);
  shown_[i] = queues_[i];
}

std::uint64_t Rings::delivered() const {
  std::uint64_t value = 0;
  GICSIM_CUDA(cudaMemcpy(&value, targets_, sizeof value, cudaMemcpyDefault));
  return value;
}

void Rings::make_nics() {
  if (!nics_.empty()) return;
  const auto region = [&](std::uint32_t key, const std::uint64_t* at, Region::Copy copy = {}) {
    return Region{key, reinterpret_cast<std::uint64_t>(at), plan_.count * line * 8, std::move(copy)};
  };
  Region::Copy copy;
  if (plan_.inbox != Place::host) {
    const gpu::OnDevice on(plan_.poster);
    copies_ = std::make_unique<gpu::Stream>();
    copy = [this](void* to, const void* from, std::size_t bytes) {
      const gpu::OnDevice here(plan_.poster);
      GICSIM_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, *copies_));
      copies_->synchronize();
    };
  }
  const auto ring = plan_.where == Queues::host ? EmulatedNic::Ring::readable : EmulatedNic::Ring::out_of_reach;
  for (const Queue& q : queues_)
    nics_.emplace_back(q, ring,
                       std::vector<Region>{region(source_key, sources_), region(target_key, targets_), region(target_key, inboxes_, copy)});
}

void Rings::audit() {
  std::vector<Segment> slots(plan_.depth * std::size_t{4});
  for (std::size_t i = 0; i < nics_.size(); ++i) {
    std::uint32_t record[2];
    GICSIM_CUDA(cudaMemcpy(slots.data(), queues_[i].slots, slots.size() * sizeof(Segment), cudaMemcpyDefault));
    GICSIM_CUDA(cudaMemcpy(record, queues_[i].record, sizeof record, cudaMemcpyDefault));
    nics_[i].audit(slots.data(), record);
    if (nics_[i].fault() != Fault::none) throw HardwareError("in the ring afterwards: " + nics_[i].fault_text());
  }
}

std::string Rings::findings() const {
  std::uint64_t behind = 0, rung = 0;
  for (const EmulatedNic& nic : nics_) behind += nic.records_behind(), rung += nic.doorbells();
  return behind == 0 ? std::string() : std::to_string(behind) + " of " + std::to_string(rung) + " doorbells overtook their record";
}

Serving::Serving(const std::vector<Rings*>& rings) : rings_(rings), stuck_(1 + rings.size()), stop_(1) {
  std::vector<EmulatedNic*> for_thread;
  for (const Rings* r : rings) {  // before any kernel spins
    const gpu::OnDevice on(r->plan_.nic_gpu);
    streams_.push_back(std::make_unique<gpu::Stream>());
  }
  for (std::size_t i = 0; i < rings.size(); ++i) {
    Rings& r = *rings[i];
    if (r.plan_.nic == Nic::none) continue;
    if (r.plan_.nic == Nic::emulated) {
      r.make_nics();
      for (EmulatedNic& nic : r.nics_) for_thread.push_back(&nic);
      continue;
    }
    const gpu::OnDevice on(r.plan_.nic_gpu);
    SmNicPlan plan;
    plan.queues = r.plan_.count;
    plan.stop = stop_.data();
    launch_sm_nic(plan, r.on_gpu(), r.sm_states_, &stuck_[1 + i], *streams_[i]);
  }
  if (!for_thread.empty()) thread_ = std::make_unique<NicThread>(std::move(for_thread));
}

Serving::~Serving() {
  if (stop_.data() != nullptr) __atomic_store_n(stop_.data(), 1U, __ATOMIC_RELEASE);
  for (const auto& stream : streams_) cudaStreamSynchronize(*stream);  // ends by itself; an error has been reported
}

void Serving::finish() {
  __atomic_store_n(stop_.data(), 1U, __ATOMIC_RELEASE);
  for (const auto& stream : streams_) stream->synchronize();
  if (thread_) thread_->stop();
  for (std::size_t i = 1; i < stuck_.size(); ++i)
    if (stuck_[i].what != Stuck::none) throw HardwareError(to_text(stuck_[i]));
  if (stuck_[0].what != Stuck::none) throw HardwareError(to_text(stuck_[0]));
  for (Rings* r : rings_) r->audit();
}

void let_peers_see(int a, int b) {
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    const gpu::OnDevice on(from);
    const cudaError_t e = cudaDeviceEnablePeerAccess(to, 0);
    if (e == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
    else GICSIM_CUDA(e);
  }
}

}  // namespace gicsim::hw::posting
