// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <infiniband/verbs.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "hw_backend/core/error.h"

/// A verbs call that returns 0, an errno, or −1 with errno set; a failed one throws its text, with file and line.
#define GICSIM_VERBS(call)                                                                              \
  do {                                                                                                  \
    errno = 0;                                                                                          \
    if (const int e_ = (call); e_ != 0)                                                                 \
      ::gicsim::hw::fail(__FILE__, __LINE__, #call, ::gicsim::hw::verbs::text_of(e_ < 0 ? errno : e_)); \
  } while (false)

/// A verbs call that returns an object, or null with errno set.
#define GICSIM_VERBS_NEW(call) ::gicsim::hw::verbs::made((errno = 0, (call)), __FILE__, __LINE__, #call)

namespace gicsim::hw::verbs {

inline std::string text_of(int error) {
  std::string text = std::strerror(error);
  if (error == ENOMEM)
    text += " (often the limit on locked memory: 'ulimit -l unlimited', in a container --ulimit memlock=-1)";
  return text;
}

template <class T>
T* made(T* object, const char* file, int line, const char* call) {
  if (object == nullptr) fail(file, line, call, text_of(errno));
  return object;
}

template <auto destroy>
struct Release {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
template <class T, auto destroy>
using Handle = std::unique_ptr<T, Release<destroy>>;

using Context = Handle<ibv_context, &ibv_close_device>;
using Pd = Handle<ibv_pd, &ibv_dealloc_pd>;
using Mr = Handle<ibv_mr, &ibv_dereg_mr>;
using Cq = Handle<ibv_cq, &ibv_destroy_cq>;
using Qp = Handle<ibv_qp, &ibv_destroy_qp>;

}  // namespace gicsim::hw::verbs
