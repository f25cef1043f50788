// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/connectx/devx.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace gicsim::hw::connectx {
namespace {

using verbs::text_of;
using AnswerBytes = std::array<std::uint8_t, prm::answer_bytes>;

[[noreturn]] void refused(const char* file, int line, const char* what, int error, const AnswerBytes& bytes) {
  const prm::Answer a = prm::answer_of(bytes);
  char text[96];
  std::snprintf(text, sizeof text, " (firmware status 0x%02x, syndrome 0x%08x)", a.status, a.syndrome);
  fail(file, line, what, text_of(error) + text);
}

}  // namespace

void check_cqe_version(ibv_context* context) {
  mlx5dv_context attributes{};
  GICSIM_VERBS(mlx5dv_query_device(context, &attributes));
  if ((attributes.flags & MLX5DV_CONTEXT_FLAGS_CQE_V1) == 0)
    throw HardwareError("this NIC writes CQEs of version 0; the poller reads version 1 (ConnectX-4 and later have it)");
}

Uar own_uar(ibv_context* context) {
#ifdef MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED  // from rdma-core 45: uncached and one's own
  if (mlx5dv_devx_uar* uar = mlx5dv_devx_alloc_uar(context, MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED)) return Uar(uar);
#endif
  return Uar(GICSIM_VERBS_NEW(mlx5dv_devx_alloc_uar(context, MLX5DV_UAR_ALLOC_TYPE_BF)));
}

Uar any_uar(ibv_context* context) {
  return Uar(GICSIM_VERBS_NEW(mlx5dv_devx_alloc_uar(context, MLX5DV_UAR_ALLOC_TYPE_NC)));
}

Umem umem_of(ibv_context* context, const Memory& memory) {
  std::string no_dma_buf;
  if (const int fd = memory.dma_buf(no_dma_buf); fd >= 0) {
    mlx5dv_devx_umem_in in{};
    in.addr = nullptr;  // of a dma-buf: the offset in it
    in.size = memory.size();
    in.access = IBV_ACCESS_LOCAL_WRITE;
    in.pgsz_bitmap = ~std::uint64_t{4095};
    in.comp_mask = MLX5DV_UMEM_MASK_DMABUF;
    in.dmabuf_fd = fd;
    errno = 0;
    mlx5dv_devx_umem* umem = mlx5dv_devx_umem_reg_ex(context, &in);
    no_dma_buf = "mlx5dv_devx_umem_reg_ex: " + text_of(errno);
    close(fd);  // the umem holds the buffer
    if (umem != nullptr) return Umem(umem);
  }
  errno = 0;
  if (mlx5dv_devx_umem* umem = mlx5dv_devx_umem_reg(context, memory.data(), memory.size(), IBV_ACCESS_LOCAL_WRITE))
    return Umem(umem);
  fail(__FILE__, __LINE__, "rings in GPU memory can't be given to the NIC",
       "as a dma-buf: " + no_dma_buf + "; by peer memory: mlx5dv_devx_umem_reg: " + text_of(errno) +
           " (is nvidia_peermem loaded? 'gicsim hw doctor' looks)");
}

std::uint32_t event_queue(ibv_context* context) {
  std::uint32_t number = 0;
  GICSIM_VERBS(mlx5dv_devx_query_eqn(context, 0, &number));
  return number;
}

std::uint32_t pd_number(ibv_pd* pd) {
  mlx5dv_pd out{};
  mlx5dv_obj object{};
  object.pd.in = pd;
  object.pd.out = &out;
  GICSIM_VERBS(mlx5dv_init_obj(&object, MLX5DV_OBJ_PD));
  return out.pdn;
}

prm::Route route_to(const verbs::Device& device, ibv_pd* pd, const Endpoint& far) {
  prm::Route r;
  r.ethernet = device.port_attributes.link_layer == IBV_LINK_LAYER_ETHERNET;
  r.global = device.global;
  r.lid = far.lid;
  r.gid = far.gid;
  r.gid_index = static_cast<unsigned>(device.gid_index);
  r.port = static_cast<unsigned>(device.port);
  if (!r.ethernet) return r;
  ibv_ah_attr a{};  // the kernel finds the MAC of a GID when it makes an address handle
  a.is_global = 1;
  a.port_num = static_cast<std::uint8_t>(device.port);
  std::copy(far.gid.begin(), far.gid.end(), a.grh.dgid.raw);
  a.grh.sgid_index = static_cast<std::uint8_t>(device.gid_index);
  a.grh.hop_limit = 64;
  const verbs::Handle<ibv_ah, &ibv_destroy_ah> handle(GICSIM_VERBS_NEW(ibv_create_ah(pd, &a)));
  mlx5dv_ah out{};
  mlx5dv_obj object{};
  object.ah.in = handle.get();
  object.ah.out = &out;
  GICSIM_VERBS(mlx5dv_init_obj(&object, MLX5DV_OBJ_AH));
  std::copy(std::begin(out.av->rmac), std::end(out.av->rmac), r.mac.begin());
  return r;
}

Made create(ibv_context* context, const char* what, const prm::Command& command) {
  AnswerBytes answer{};
  errno = 0;
  Made made{DevxObject(mlx5dv_devx_obj_create(context, command.data(), command.size(), answer.data(), answer.size())),
            0};
  if (made.object == nullptr) refused(__FILE__, __LINE__, what, errno, answer);
  made.number = prm::answer_of(answer).number;
  return made;
}

void modify(mlx5dv_devx_obj* object, const char* what, const prm::Command& command) {
  AnswerBytes answer{};
  if (const int e = mlx5dv_devx_obj_modify(object, command.data(), command.size(), answer.data(), answer.size());
      e != 0)
    refused(__FILE__, __LINE__, what, e < 0 ? errno : e, answer);
}

}  // namespace gicsim::hw::connectx
