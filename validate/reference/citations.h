// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validate/reference/dataset.h"

namespace gicsim::reference {

/// What is wrong with a parameter's source, a text such as "paper2610_t4_ordering, P-IB" or
/// "paper2610_t10_proxy_rate#0: 6.6 Mmsg/s warm": a parameter may rest on rows of use `fit` alone.
/// Of a mixed dataset the row (`#0`) or the key (`#peak_GBps`) must be named. Empty: nothing wrong,
/// or no dataset is named.
std::vector<std::string> misuses(const std::vector<Dataset>& datasets, std::string_view source);

}  // namespace gicsim::reference
