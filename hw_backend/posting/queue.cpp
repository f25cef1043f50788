// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/queue.h"

namespace gicsim::hw::posting {

std::string to_text(const Stuck& stuck) {
  const std::string queue = "queue " + std::to_string(stuck.queue) + ": ";
  const std::string index = std::to_string(stuck.index);
  const auto cqe = [&] {
    const CqeTail t = decode_tail(stuck.found);
    return "opcode " + std::to_string(static_cast<unsigned>(t.opcode)) + ", owner " + std::to_string(t.owner) + ", counter " +
           std::to_string(t.counter);
  };
  switch (stuck.what) {
    case Stuck::none: return queue + "nothing is wrong";
    case Stuck::completion: return queue + "waited in vain for the CQE of WQE " + index + "; the one that is due reads " + cqe();
    case Stuck::error_completion:
      return queue + "a CQE reports an error: " + cqe() + ", syndrome " + std::to_string(cqe_syndrome(stuck.syndrome)) +
             ", vendor " + std::to_string(cqe_vendor(stuck.syndrome));
    case Stuck::inbox: return queue + "waited in vain for the value " + index + " in the inbox; it holds " + std::to_string(stuck.found);
    case Stuck::doorbell: return queue + "the NIC waited in vain for the doorbell of WQE " + index;
    case Stuck::refused: return queue + "the NIC refused WQE " + index + " behind doorbell word " + std::to_string(be32(stuck.found));
    case Stuck::turn: return queue + "a thread waited in vain for its turn at WQE " + index;
  }
  return queue + "reason " + std::to_string(stuck.what) + " is unknown";
}

}  // namespace gicsim::hw::posting
