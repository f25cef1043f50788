// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/verbs/link.h"

#include <array>

namespace gicsim::hw::verbs {
namespace {

constexpr unsigned batch_most = 64;

ibv_qp* create(ibv_pd* pd, ibv_cq* cq, unsigned depth, unsigned& inline_most) {
  ibv_qp_init_attr a{};
  a.send_cq = cq;
  a.recv_cq = cq;
  a.qp_type = IBV_QPT_RC;
  a.sq_sig_all = 0;
  a.cap.max_send_wr = depth;
  a.cap.max_recv_wr = 1;
  a.cap.max_send_sge = 1;
  a.cap.max_recv_sge = 1;
  a.cap.max_inline_data = Link::inline_wanted;
  ibv_qp* qp = ibv_create_qp(pd, &a);
  if (qp == nullptr) {  // there are NICs without inline payloads
    a.cap.max_inline_data = 0;
    qp = GICSIM_VERBS_NEW(ibv_create_qp(pd, &a));
  }
  inline_most = a.cap.max_inline_data;
  return qp;
}

std::string meaning(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_RETRY_EXC_ERR:
      return ": the other end doesn't answer (on RoCE most often the wrong GID: see --gid)";
    case IBV_WC_REM_ACCESS_ERR:
      return ": the other end's memory doesn't allow this";
    case IBV_WC_WR_FLUSH_ERR:
      return ": an earlier one failed";
    default:
      return "";
  }
}

}  // namespace

Link::Link(const Device& device, ibv_pd* pd, unsigned depth)
    : depth_(depth),
      psn_(first_psn()),
      cq_(GICSIM_VERBS_NEW(ibv_create_cq(device.context.get(), static_cast<int>(depth) + 1, nullptr, nullptr, 0))),
      qp_(create(pd, cq_.get(), depth, inline_most_)) {}

Endpoint Link::endpoint(const Device& device) const {
  Endpoint e = device.endpoint();
  e.qpn = qp_->qp_num;
  e.psn = psn_;
  return e;
}

void Link::post(const Operation& o, unsigned batch) {
  ibv_sge piece{o.local, o.bytes, o.lkey};
  std::array<ibv_send_wr, batch_most> requests;
  for (unsigned i = 0; i < batch; ++i) {
    ibv_send_wr& wr = requests[i] = {};
    wr.next = i + 1 < batch ? &requests[i + 1] : nullptr;
    wr.sg_list = &piece;
    wr.num_sge = 1;
    wr.opcode = o.opcode;
    if (i + 1 == batch) wr.send_flags |= IBV_SEND_SIGNALED;
    if (o.inlined) wr.send_flags |= IBV_SEND_INLINE;
    if (o.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || o.opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
      wr.wr.atomic = {o.remote, o.compare_add, o.swap, o.rkey};
    } else {
      wr.wr.rdma.remote_addr = o.remote;
      wr.wr.rdma.rkey = o.rkey;
    }
  }
  ibv_send_wr* refused = nullptr;
  GICSIM_VERBS(ibv_post_send(qp_.get(), requests.data(), &refused));
}

unsigned Link::poll() {
  std::array<ibv_wc, 16> completions;
  const int n = ibv_poll_cq(cq_.get(), static_cast<int>(completions.size()), completions.data());
  if (n < 0) fail(__FILE__, __LINE__, "ibv_poll_cq", text_of(errno));
  for (int i = 0; i < n; ++i)
    if (const ibv_wc& c = completions[static_cast<std::size_t>(i)]; c.status != IBV_WC_SUCCESS)
      throw HardwareError("a work request ended in error: " + std::string(ibv_wc_status_str(c.status)) +
                          ", vendor code " + std::to_string(c.vendor_err) + meaning(c.status));
  return static_cast<unsigned>(n);
}

void Link::wait() {
  spin("no completion", [this] { return poll() > 0; });
}

}  // namespace gicsim::hw::verbs
