// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/fabric_params.h"

namespace gicsim::link {

Probability marking(const EcnParams& p, Bytes waiting) {
  if (waiting <= p.kmin) return {};
  if (waiting > p.kmax) return Probability::steps(Probability::certain);
  return Probability::steps(detail::multiply_divide_up(p.pmax.raw(), (waiting - p.kmin).count(),
                                                       (p.kmax - p.kmin).count()));
}

}  // namespace gicsim::link
