// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "models/protocol/transfer.h"

namespace gicsim {

/// Where x86 hosts take MSI-X writes. Source: Intel SDM, volume 3, 11.11.1
inline constexpr Address interrupt_base = 0xfee0'0000, interrupt_size = 0x10'0000;
constexpr bool is_interrupt(Address a) { return a - interrupt_base < interrupt_size; }

inline constexpr Bytes event_size = Bytes(64);  ///< of an event queue's entry

/// An MSI-X write: a DWORD that stays behind what the device wrote before. Source: PCIe Base 5.0, 6.1.4
/// @param vector  the address that its MSI-X table has for it
/// @param content  for the bookkeeping: how many there were
inline void interrupt(MemoryPort& port, Address vector = interrupt_base, Content content = {}) {
  Transfer& write = port.make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::cqe_write;
  write.ordered = true;
  write.address = vector;
  write.length = Bytes(4);
  write.content = std::move(content);
  port.submit(write);
}

}  // namespace gicsim
