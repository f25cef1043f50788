// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/verbs/connect.h"

#include <algorithm>
#include <random>

namespace gicsim::hw::verbs {
namespace {

constexpr std::uint8_t ack_timeout = 14;  // 4.096 us x 2^14 = 67 ms
constexpr std::uint8_t retries = 7, rnr_timer = 12;

}  // namespace

std::uint32_t first_psn() {
  static std::random_device random;
  return random() & 0xffffffU;
}

ibv_mtu path_mtu(const Device& device, const Endpoint& far) {
  unsigned mtu = IBV_MTU_256;
  while (mtu < IBV_MTU_4096 && (256U << mtu) <= std::min(device.mtu(), far.mtu)) ++mtu;
  return static_cast<ibv_mtu>(mtu);
}

void connect(ibv_qp* qp, const Device& device, std::uint32_t psn, const Endpoint& far) {
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_INIT;
  a.pkey_index = 0;
  a.port_num = static_cast<std::uint8_t>(device.port);
  a.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
  GICSIM_VERBS(ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));

  a = {};
  a.qp_state = IBV_QPS_RTR;
  a.path_mtu = path_mtu(device, far);
  a.dest_qp_num = far.qpn;
  a.rq_psn = far.psn;
  a.max_dest_rd_atomic = static_cast<std::uint8_t>(device.reads());
  a.min_rnr_timer = rnr_timer;
  a.ah_attr.dlid = far.lid;
  a.ah_attr.port_num = static_cast<std::uint8_t>(device.port);
  if (device.global) {
    a.ah_attr.is_global = 1;
    std::copy(far.gid.begin(), far.gid.end(), a.ah_attr.grh.dgid.raw);
    a.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(device.gid_index);
    a.ah_attr.grh.hop_limit = 64;
  }
  GICSIM_VERBS(ibv_modify_qp(qp, &a,
                             IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                 IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));

  a = {};
  a.qp_state = IBV_QPS_RTS;
  a.timeout = ack_timeout;
  a.retry_cnt = retries;
  a.rnr_retry = retries;
  a.sq_psn = psn;
  a.max_rd_atomic = static_cast<std::uint8_t>(std::min(device.reads(), far.reads));
  GICSIM_VERBS(ibv_modify_qp(
      qp, &a,
      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC));
}

}  // namespace gicsim::hw::verbs
