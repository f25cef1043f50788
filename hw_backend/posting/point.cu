// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/point.cuh"

#include <cmath>

namespace gicsim::hw::posting {

Bench::Bench(const Session& session) : gpu_(session.options.gpu) {
  const int gpus = static_cast<int>(session.machine.gpus.size());
  const int other = session.options.peer_gpu.value_or((gpu_ + 1) % gpus);
  if (other == gpu_ || other < 0 || other >= gpus) {
    no_peer_ = gpus < 2 ? "needs a second GPU; this machine has one" : "needs a second GPU; --peer-gpu names none";
  } else {
    for (const PeerLink& l : session.machine.links)
      if (l.from == gpu_ && l.to == other) link_ = l.name;
    if (link_.compare(0, 4, "none") == 0) no_peer_ = "the GPUs don't see each other's memory (" + link_ + ")";
    else peer_ = other;
  }
  if (peer_ >= 0) {
    let_peers_see(gpu_, peer_);
    const gpu::OnDevice on(peer_);
    load_sm_nic();
    load_kernels();
  }
  const gpu::OnDevice on(gpu_);
  load_sm_nic();
  load_kernels();
  ghz_ = clock_ghz();
}

std::string Bench::missing(Nic nic) const { return nic == Nic::peer_gpu ? no_peer_ : std::string(); }

Rings::Plan Bench::rings(Nic nic, Queues where, std::uint32_t count, std::uint32_t depth) const {
  Rings::Plan plan;
  plan.nic = nic;
  plan.where = where;
  plan.count = count;
  plan.depth = depth;
  plan.poster = gpu_;
  plan.nic_gpu = nic == Nic::peer_gpu ? peer_ : gpu_;
  return plan;
}

Figure Bench::figure(Pattern pattern, Quantity quantity, const Post& post, const Rings::Plan& rings) const {
  const auto text = [](std::string_view name) { return std::string(name); };
  Figure f;
  f.pattern = pattern;
  f.path = Path::gpu_direct;
  f.quantity = quantity;
  f.clock = "gpu clock64 at " + std::to_string(std::lround(ghz_ * 1000)) + " MHz";
  f.where = {{"bytes", std::int64_t{post.bytes}},
             {"ordering", text(to_name(post.ordering))},
             {"payload", text(to_name(post.payload))},
             {"queues", text(to_name(rings.where))},
             {"nic", text(to_name(rings.nic))}};
  if (rings.nic == Nic::peer_gpu) f.where.emplace_back("link", link_);
  return f;
}

}  // namespace gicsim::hw::posting
