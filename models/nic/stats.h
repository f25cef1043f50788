// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::nic {

struct NicStats {
  Count doorbells = 0, unclaimed = 0, pushed = 0, fetches = 0, wqes = 0, stale = 0;
  Count payload_reads = 0, packets_sent = 0, packets_received = 0, acks_sent = 0, cqes = 0;
  Count requests_answered = 0, atomics = 0, naks_sent = 0, resent = 0, timeouts = 0, out_of_sequence = 0;
  Count duplicates = 0, failed = 0, partial_pushes = 0, push_pieces = 0;
  Bytes payload_sent, payload_received, payload_discarded, receive_peak;
  Count window_peak = 0;
  Picoseconds window_time{}, window_wait{}, transmit_time{}, decode_busy{}, tx_busy{}, rx_busy{}, ack_busy{};
  Picoseconds atomic_busy{};
  Count overruns = 0, pauses_asked = 0;
  Count receive_fetches = 0, kept_peak = 0, rnr_naks = 0, repaired = 0, refused = 0, datagrams_dropped = 0;
  Count dc_connects = 0;
  Count marked_received = 0, cnps_sent = 0, cnps_received = 0, early = 0;
  Picoseconds held_back{}, answer_time{};
};
template <class V>
constexpr void describe(V&& v, NicStats& s) {
  v("doorbells", s.doorbells, "doorbells decoded");
  v("unclaimed", s.unclaimed, "BAR writes that no queue pair claims");
  v("pushed", s.pushed, "WQEs that came with their doorbell (BlueFlame)");
  v("partial_pushes", s.partial_pushes, "WQEs that came in pieces: the first one rang");
  v("push_pieces", s.push_pieces, "other writes to the register that WQEs are pushed to");
  v("fetches", s.fetches, "DMA reads of WQEs");
  v("wqes", s.wqes, "WQEs executed");
  v("stale", s.stale, "WQEs that were fetched before they were visible");
  v("payload_reads", s.payload_reads, "DMA reads of payload");
  v("packets_sent", s.packets_sent, "request and response packets sent, again or not");
  v("packets_received", s.packets_received, "request and response packets accepted");
  v("acks_sent", s.acks_sent, "acknowledgements sent, NAKs apart");
  v("cqes", s.cqes, "CQEs written");
  v("requests_answered", s.requests_answered, "READ and atomic requests answered by data, again or not");
  v("atomics", s.atomics, "atomics executed");
  v("naks_sent", s.naks_sent, "NAKs sent, for a missing packet or a missing receive");
  v("resent", s.resent, "request packets sent again");
  v("timeouts", s.timeouts, "times that an acknowledgement was overdue");
  v("out_of_sequence", s.out_of_sequence, "packets discarded because one before them is missing");
  v("duplicates", s.duplicates, "packets received again");
  v("failed", s.failed, "WQEs completed with an error");
  v("payload_sent", s.payload_sent, "payload bytes sent, again or not");
  v("payload_received", s.payload_received, "payload bytes accepted");
  v("payload_discarded", s.payload_discarded, "payload bytes of packets that were not accepted");
  v("receive_peak", s.receive_peak, "most payload in the receive buffer");
  v("window_peak", s.window_peak, "most WQEs in fetch at once");
  v("window_time", s.window_time, "time in fetch, summed over 64 B units");
  v("window_wait", s.window_wait, "time that a rung queue pair waited for a fetch window");
  v("transmit_time", s.transmit_time, "payload in the transmit buffer, as time that it was full");
  v("decode_busy", s.decode_busy, "time the WQE decoder was busy");
  v("tx_busy", s.tx_busy, "time the packetiser was busy");
  v("rx_busy", s.rx_busy, "time the receive pipeline was busy");
  v("ack_busy", s.ack_busy, "time the ACK generator was busy");
  v("atomic_busy", s.atomic_busy, "time that the busiest of the atomics' locks was held");
  v("overruns", s.overruns, "packets dropped because the receive buffer was full");
  v("pauses_asked", s.pauses_asked, "times that a filling receive buffer paused its upstream port");
  v("receive_fetches", s.receive_fetches, "DMA reads of receive WQEs");
  v("kept_peak", s.kept_peak, "most packets kept at once, as one before them or a receive's WQE was still to come");
  v("rnr_naks", s.rnr_naks, "NAKs sent for want of a receive");
  v("repaired", s.repaired, "packets sent again by themselves (selective repeat)");
  v("refused", s.refused, "requests refused: key, range, domain, length, or its own memory");
  v("datagrams_dropped", s.datagrams_dropped, "datagrams for which there was no receive, or whose Q_Key was wrong");
  v("dc_connects", s.dc_connects, "DC: times that an initiator was connected to a target");
  v("marked_received", s.marked_received, "packets received that met congestion (CE, FECN)");
  v("cnps_sent", s.cnps_sent, "congestion notifications sent");
  v("cnps_received", s.cnps_received, "congestion notifications received");
  v("early", s.early, "packets accepted before one that was sent earlier");
  v("held_back", s.held_back, "time that queue pairs with something to send waited for their rate, summed");
  v("answer_time", s.answer_time, "time that READs and atomics lacked their answer, summed");
}
static_assert(fully_described<NicStats>());

}  // namespace gicsim::nic
