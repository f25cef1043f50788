// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/protocol/transfer.h"

namespace gicsim {

/// Where x86 hosts take MSI-X writes. Source: Intel SDM, volume 3, 11.11.1
inline constexpr Address interrupt_base = 0xfee0'0000, interrupt_size = 0x10'0000;
constexpr bool is_interrupt(Address a) { return a - interrupt_base < interrupt_size; }

/// An MSI-X write: a DWORD that stays behind what the device wrote before. Source: PCIe Base 5.0, 6.1.4
inline void interrupt(MemoryPort& port) {
  Transfer& write = port.make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::cqe_write;
  write.ordered = true;
  write.address = interrupt_base;
  write.length = Bytes(4);
  port.submit(write);
}

}  // namespace gicsim
