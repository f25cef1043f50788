// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"
#include "scenarios/schema/detail/checker.h"
#include "scenarios/schema/detail/fabric.h"

namespace gicsim::schema::detail {

/// Link-level flow control belongs to the link layer, congestion control to both.
void Checker::congestion() {
  if (!machine() || !has_nics(s_.system)) return;
  const SystemSpec& system = s_.system;
  const bool roce = system.nodes[0].pairs[0].nic_link.protocol == link::Protocol::rocev2;
  const link::FlowControl control = system.fabric.flow_control;
  const std::string layer = roce ? "rocev2" : "infiniband";
  if (system.dcqcn_on && !roce)
    wrong("dcqcn", s_.dcqcn + ", but " + system.name +
                       " is InfiniBand, whose switches mark FECN and know no ECN; write "
                       "'ib_cc: on', or a system whose link.protocol is rocev2");
  if (system.ib_cc_on && roce)
    wrong("ib_cc",
          "on, but " + system.name +
              " is RoCE; write 'dcqcn: mlx5', or a system whose link.protocol is infiniband");
  if ((system.dcqcn_on || system.ib_cc_on) && control == link::FlowControl::ideal)
    wrong(system.dcqcn_on ? "dcqcn" : "ib_cc",
          "switches that buffer without end (fabric.flow_control: ideal) mark nothing; write "
          "'fabric.flow_control: " +
              std::string(roce ? "pfc' or 'lossy'" : "credits'") + " under 'set'");
  if (control == link::FlowControl::credits ? roce : (control != link::FlowControl::ideal && !roce))
    wrong("system", "fabric.flow_control: " +
                        std::string(names_of(control)[static_cast<std::size_t>(control)]) +
                        " isn't of a link.protocol " + layer + "; write " +
                        (roce ? "'pfc' or 'lossy'" : "'credits'") + ", or 'ideal'");
  if (control != link::FlowControl::ideal && system.fabric_switches.empty())
    wrong("system", system.name +
                        " has no fabric switch, and fabric.flow_control is about theirs; write "
                        "'fabric.flow_control: ideal'");
  if (system.ecn.kmax > Bytes{} && system.ecn.kmin >= system.ecn.kmax)
    wrong("dcqcn", "ecn.kmin (" + text::write(system.ecn.kmin) + ") isn't below ecn.kmax (" +
                       text::write(system.ecn.kmax) + ")");
  for (std::size_t i = 0; i < system.fabric_buffers.size(); ++i)
    if (const link::BufferParams& b = system.fabric_buffers[i]; b.xon > b.xoff)
      return wrong("system", "fabric.switch" + std::to_string(i) +
                                 ".buffer.xon: " + text::write(b.xon) + " is more than xoff (" +
                                 text::write(b.xoff) + "); a pause would end as it begins");
}

void Checker::traffic() {
  if (!machine() || !has_nics(s_.system)) return;
  std::vector<std::uint8_t> levels = service_levels(s_.service_levels);
  if (levels.empty()) {
    wrong("service_levels", "'" + s_.service_levels +
                                "' aren't priorities; write numbers from 0 to 7, as '3' or '3, 0'");
    levels = {0};
  }
  const std::size_t nodes = s_.system.nodes.size();
  const std::string traffic(to_name(s_.traffic));
  const bool many = s_.traffic != Traffic::pair;
  if (many && (!is_stream(s_.pattern) || is_dma(s_.pattern) || s_.path == Path::cpu_proxy ||
               s_.path == Path::cpu_doorbell || s_.path == Path::stream_triggered))
    return wrong(
        "traffic",
        traffic +
            " is of streams over gpu_direct, cpu_post or host_staged; write 'pattern: put_bw'");
  if (s_.traffic == Traffic::incast && static_cast<std::size_t>(s_.senders) >= nodes)
    return wrong("senders",
                 text::write(s_.senders) + ", but " + s_.system.name + " has " +
                     std::to_string(nodes) +
                     " nodes, of which one receives; write fewer, or '--set system.nodes=" +
                     std::to_string(s_.senders + 1) + "'");
  if (s_.traffic == Traffic::shift && static_cast<std::size_t>(s_.shift) % nodes == 0)
    return wrong("shift", text::write(s_.shift) + ": each of " + std::to_string(nodes) +
                              " nodes would send to itself");
  if (nodes >= 2) s_.lanes = lanes(s_, levels);
}

}  // namespace gicsim::schema::detail
