// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "traces/tlp/record.h"

namespace gicsim::tlp {

/// What a header on the lanes has and a record hasn't.
struct Extra {
  RequesterId completer = 0;  ///< of a completion: who made it; of a message: whom it is for
  Bytes left{};               ///< of a completion: bytes of its request that are still to come, its own among them
};

/// Three or four DWORDs: four for an address beyond 4 GiB, and for messages. Tags have ten bits, those beyond are lost.
/// Source: PCIe Base 5.0, 2.2
std::vector<std::uint8_t> header_of(const Record& record, const Extra& extra);
/// Bytes of payload that follow it: whole DWORDs.
Bytes payload_of(const Record& record, const Extra& extra);

/// Its type, requester, tag, address, length, attributes. @return else why not
std::variant<std::pair<Record, Extra>, std::string> read_header(std::span<const std::uint8_t> octets);

}  // namespace gicsim::tlp
