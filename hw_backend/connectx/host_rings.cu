// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "hw_backend/connectx/devx.h"
#include "hw_backend/connectx/queue_pair.cuh"
#include "hw_backend/verbs/connect.h"

namespace gicsim::hw::connectx {
namespace {

struct ReleaseThread {  // ibv_dealloc_td has internal linkage, so it can't name a type
  void operator()(ibv_td* td) const { ibv_dealloc_td(td); }
};

/// The thread domain gives the queue pair a register of its own, the parent domain the allocators. Both for one pair
/// alone.
class Domain {
 public:
  Domain(ibv_context* context, ibv_pd* pd) {
    ibv_td_init_attr thread{};
    td_.reset(GICSIM_VERBS_NEW(ibv_alloc_td(context, &thread)));
    ibv_parent_domain_init_attr a{};
    a.pd = pd;
    a.td = td_.get();
    a.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS | IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
    a.alloc = take;
    a.free = give_back;
    a.pd_context = &pages_;
    parent_.reset(GICSIM_VERBS_NEW(ibv_alloc_parent_domain(context, &a)));
  }
  ibv_pd* get() const { return parent_.get(); }
  const PinnedPages& pages() const { return pages_; }

 private:
  static void* take(ibv_pd*, void* pages, std::size_t bytes, std::size_t alignment, std::uint64_t type) {
    if (type != MLX5DV_RES_TYPE_QP && type != MLX5DV_RES_TYPE_CQ && type != MLX5DV_RES_TYPE_DBR)
      return IBV_ALLOCATOR_USE_DEFAULT;
    try {
      return static_cast<PinnedPages*>(pages)->take(bytes, alignment);
    } catch (const std::exception&) {  // it is called from C
      errno = ENOMEM;
      return nullptr;
    }
  }
  static void give_back(ibv_pd*, void* pages, void* place, std::uint64_t) {
    static_cast<PinnedPages*>(pages)->give_back(place);
  }

  PinnedPages pages_;  // outlives what lies in it
  std::unique_ptr<ibv_td, ReleaseThread> td_;
  verbs::Pd parent_;
};

class HostQueuePair final : public QueuePair {
 public:
  HostQueuePair(const verbs::Device& device, ibv_pd* pd, unsigned depth)
      : QueuePair(verbs::first_psn()), domain_(device.context.get(), pd) {
    check_cqe_version(device.context.get());
    create_cq(device.context.get(), wqes_at_most(depth));
    create_qp(device.context.get(), depth);
    look_inside();
  }

  void connect(const verbs::Device& device, ibv_pd*, const Endpoint& far) override {
    verbs::connect(qp_.get(), device, psn_, far);
  }

 private:
  // libmlx5 counts up to 256 B a request of an RC queue pair, whatever we build.
  static unsigned wqes_at_most(unsigned requests) { return 4 * requests; }

  void create_cq(ibv_context* context, unsigned entries) {
    ibv_cq_init_attr_ex a{};
    a.cqe = entries - 1;  // libmlx5 rounds one more up to a power of two
    a.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD;
    a.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
    a.parent_domain = domain_.get();
    cq_.reset(ibv_cq_ex_to_cq(GICSIM_VERBS_NEW(ibv_create_cq_ex(context, &a))));
  }
  void create_qp(ibv_context* context, unsigned depth) {
    ibv_qp_init_attr_ex a{};
    a.qp_type = IBV_QPT_RC;
    a.sq_sig_all = 0;
    a.send_cq = cq_.get();
    a.recv_cq = cq_.get();
    a.cap.max_send_wr = std::max(1U, depth / 4);
    a.cap.max_send_sge = 1;
    a.cap.max_inline_data = posting::inline_most;
    a.comp_mask = IBV_QP_INIT_ATTR_PD;
    a.pd = domain_.get();
    mlx5dv_qp_init_attr own{};
    own.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS;
    own.create_flags = MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE;
    qp_.reset(GICSIM_VERBS_NEW(mlx5dv_create_qp(context, &a, &own)));
  }
  void look_inside() {
    mlx5dv_qp qp{};
    mlx5dv_cq cq{};
    mlx5dv_obj object{};
    object.qp.in = qp_.get();
    object.qp.out = &qp;
    object.cq.in = cq_.get();
    object.cq.out = &cq;
    GICSIM_VERBS(mlx5dv_init_obj(&object, MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ));
    if (qp.sq.stride != posting::wqe_bytes || cq.cqe_size != sizeof(posting::Cqe))
      throw HardwareError("WQEs of " + std::to_string(qp.sq.stride) + " B and CQEs of " + std::to_string(cq.cqe_size) +
                          " B; the poster knows 64 B (is MLX5_CQE_SIZE set?)");
    if (qp.sq.wqe_cnt > posting::depth_most || cq.cqe_cnt < qp.sq.wqe_cnt)
      throw HardwareError("a send queue of " + std::to_string(qp.sq.wqe_cnt) + " WQEs with " +
                          std::to_string(cq.cqe_cnt) + " CQEs: at most " + std::to_string(posting::depth_most) +
                          ", and a CQE each, is what the poster can tell apart");
    std::memset(cq.buf, 0xff, std::size_t{cq.cqe_cnt} * cq.cqe_size);  // opcode unused, whoever owns it
    const PinnedPages& pages = domain_.pages();
    queue_.slots = pages.on_gpu(static_cast<posting::Segment*>(qp.sq.buf));
    queue_.record = pages.on_gpu(reinterpret_cast<std::uint32_t*>(qp.dbrec));
    queue_.completions = pages.on_gpu(static_cast<posting::Cqe*>(cq.buf));
    queue_.depth = qp.sq.wqe_cnt;
    queue_.completion_depth = cq.cqe_cnt;
    queue_.qpn = qp_->qp_num;
    reg_ = qp.bf.reg;
  }

  Domain domain_;
  verbs::Cq cq_;
  verbs::Qp qp_;
};

}  // namespace

std::unique_ptr<QueuePair> host_queue_pair(const verbs::Device& device, ibv_pd* pd, unsigned depth) {
  return std::make_unique<HostQueuePair>(device, pd, depth);
}

}  // namespace gicsim::hw::connectx
