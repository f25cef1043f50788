// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "hw_backend/connectx/devx.h"
#include "hw_backend/connectx/queue_pair.cuh"
#include "hw_backend/verbs/connect.h"

namespace gicsim::hw::connectx {
namespace {

unsigned log2_of(unsigned power) {
  unsigned log = 0;
  while (power >> (log + 1) != 0) ++log;
  return log;
}

/// Places in one block of GPU memory: send ring, completion ring on a page of the GPU's, two records on lines of their
/// own.
struct Layout {
  static constexpr std::size_t page = 65536;
  explicit Layout(unsigned depth)
      : completions(up(std::size_t{depth} * sizeof(posting::Wqe))),
        cq_record(completions + up(std::size_t{depth} * sizeof(posting::Cqe))),
        qp_record(cq_record + 128),
        bytes(cq_record + page) {}
  static std::size_t up(std::size_t n) { return (n + page - 1) / page * page; }
  const std::size_t slots = 0, completions, cq_record, qp_record, bytes;
};

class GpuQueuePair final : public QueuePair {
 public:
  GpuQueuePair(const verbs::Device& device, ibv_pd* pd, int gpu, unsigned depth)
      : QueuePair(verbs::first_psn()), layout_(depth), memory_(gpu_memory(gpu, layout_.bytes)) {
    ibv_context* context = device.context.get();
    check_cqe_version(context);
    const std::vector<std::uint8_t> unused(std::size_t{depth} * sizeof(posting::Cqe), 0xff);
    memory_->write(layout_.completions, unused.data(), unused.size());
    umem_ = umem_of(context, *memory_);
    cq_uar_ = any_uar(context);
    uar_ = own_uar(context);
    create_cq(context, depth);
    create_qp(context, pd, depth);
    show(depth);
  }

  void connect(const verbs::Device& device, ibv_pd* pd, const Endpoint& far) override {
    modify(qp_.object.get(), "RST2INIT_QP", prm::reset_to_init(qp_.number, static_cast<unsigned>(device.port)));
    prm::ReadyToReceive r;
    r.qpn = qp_.number;
    r.far_qpn = far.qpn;
    r.far_psn = far.psn;
    r.mtu = verbs::path_mtu(device, far);
    r.log_reads = log2_of(device.reads());
    r.route = route_to(device, pd, far);
    modify(qp_.object.get(), "INIT2RTR_QP", prm::init_to_rtr(r));
    const unsigned under_way = std::max(1U, std::min(device.reads(), far.reads));
    modify(qp_.object.get(), "RTR2RTS_QP", prm::rtr_to_rts({qp_.number, psn_, log2_of(under_way)}));
  }

 private:
  void create_cq(ibv_context* context, unsigned depth) {
    prm::CompletionQueue q;
    q.umem = umem_->umem_id;
    q.uar_page = cq_uar_->page_id;
    q.event_queue = event_queue(context);
    q.log_entries = log2_of(depth);
    q.ring = layout_.completions;
    q.record = layout_.cq_record;
    cq_ = create(context, "CREATE_CQ", prm::create_cq(q));
  }
  void create_qp(ibv_context* context, ibv_pd* pd, unsigned depth) {
    prm::QueuePair q;
    q.umem = umem_->umem_id;
    q.uar_page = uar_->page_id;
    q.pd = pd_number(pd);
    q.cq = cq_.number;
    q.log_entries = log2_of(depth);
    q.ring = layout_.slots;
    q.record = layout_.qp_record;
    qp_ = create(context, "CREATE_QP", prm::create_qp(q));
  }
  void show(unsigned depth) {
    std::uint8_t* base = memory_->data();
    queue_.slots = reinterpret_cast<posting::Segment*>(base + layout_.slots);
    queue_.record = reinterpret_cast<std::uint32_t*>(base + layout_.qp_record);
    queue_.completions = reinterpret_cast<posting::Cqe*>(base + layout_.completions);
    queue_.depth = depth;
    queue_.completion_depth = depth;
    queue_.qpn = qp_.number;
    reg_ = uar_->reg_addr;
  }

  // Each needs those above it.
  Layout layout_;
  std::unique_ptr<Memory> memory_;
  Umem umem_;
  Uar cq_uar_, uar_;
  Made cq_, qp_;
};

}  // namespace

std::unique_ptr<QueuePair> gpu_queue_pair(const verbs::Device& device, ibv_pd* pd, int gpu, unsigned depth) {
  return std::make_unique<GpuQueuePair>(device, pd, gpu, depth);
}

}  // namespace gicsim::hw::connectx
