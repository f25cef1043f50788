// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/base/describe.h"

namespace gicsim::nic {

/// What a queue pair counts, whoever made it and whoever posts to it: under mlx5's names where mlx5 counts it, else under
/// what it is. A port's counters of the same names are the sums over its queue pairs.
/// A counter of something that may be absent (`std::optional`) has no value, not 0, where it is.
struct QpStats {
  // the send queue
  Count posted = 0, fetched = 0, wqes = 0, cqes = 0;
  // requester
  Count packet_seq_err = 0, local_ack_timeout_err = 0, rnr_nak_retry_err = 0, implied_nak_seq_err = 0;
  Count req_cqe_error = 0, req_cqe_flush_error = 0, req_transport_retries_exceeded = 0, req_rnr_retries_exceeded = 0;
  Count retransmitted = 0, out_of_sequence_responses = 0, duplicate_responses = 0;
  // responder
  Count rx_write_requests = 0, rx_read_requests = 0, rx_atomic_requests = 0;
  Count out_of_sequence = 0, duplicate_request = 0, out_of_buffer = 0, resp_cqe_error = 0, resp_cqe_flush_error = 0;
  // both
  Count packets_sent = 0, packets_received = 0, acks_sent = 0, naks_sent = 0;
  Bytes payload_sent, payload_received;
};
template <class V>
constexpr void describe(V&& v, QpStats& s) {
  v("posted", s.posted, "64 B units of WQEs that doorbells announced");
  v("fetched", s.fetched, "of these, units that the NIC has, read or pushed");
  v("wqes", s.wqes, "WQEs executed");
  v("cqes", s.cqes, "CQEs written");
  v("packets_sent", s.packets_sent, "request and response packets sent, again or not");
  v("packets_received", s.packets_received, "request and response packets accepted");
  v("acks_sent", s.acks_sent, "acknowledgements sent, NAKs apart");
  v("naks_sent", s.naks_sent, "NAKs sent");
  v("payload_sent", s.payload_sent, "payload bytes sent, again or not");
  v("payload_received", s.payload_received, "payload bytes accepted");
  v("retransmitted", s.retransmitted, "request packets sent again");
  v("local_ack_timeout_err", s.local_ack_timeout_err, "time-outs: an acknowledgement was overdue");
  v("packet_seq_err", s.packet_seq_err, "NAKs received for a packet that the responder missed");
  v("rnr_nak_retry_err", s.rnr_nak_retry_err, "NAKs received for a receive that wasn't there");
  v("implied_nak_seq_err", s.implied_nak_seq_err, "an ACK told of a READ or atomic whose answer was missing");
  v("req_transport_retries_exceeded", s.req_transport_retries_exceeded, "retries used up without an answer");
  v("req_rnr_retries_exceeded", s.req_rnr_retries_exceeded, "retries used up for lack of a receive");
  v("req_cqe_error", s.req_cqe_error, "WQEs that ended in an error CQE, flushed ones included");
  v("req_cqe_flush_error", s.req_cqe_flush_error, "of these, flushed");
  v("out_of_sequence_responses", s.out_of_sequence_responses, "responses discarded because one before them is missing");
  v("duplicate_responses", s.duplicate_responses, "responses received again");
  v("rx_write_requests", s.rx_write_requests, "WRITE requests received");
  v("rx_read_requests", s.rx_read_requests, "READ requests received");
  v("rx_atomic_requests", s.rx_atomic_requests, "atomic requests received");
  v("out_of_sequence", s.out_of_sequence, "requests discarded because one before them is missing");
  v("duplicate_request", s.duplicate_request, "requests received again");
  v("out_of_buffer", s.out_of_buffer, "requests that found no receive posted");
  v("resp_cqe_error", s.resp_cqe_error, "receives that ended in an error CQE, flushed ones included");
  v("resp_cqe_flush_error", s.resp_cqe_flush_error, "of these, flushed");
}
static_assert(fully_described<QpStats>());

/// Member by member; what one of them lacks counts as none.
QpStats& operator+=(QpStats& sum, const QpStats& one);

}  // namespace gicsim::nic
