// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/kernel.h"
#include "models/base/task.h"
#include "models/protocol/content.h"
#include "models/units/bytes.h"
#include "traces/result/names.h"

namespace gicsim::paths {

/// What a workload asks of a channel. A probe (launch, copy) takes it for a put.
struct Operation {
  Verb verb = Verb::put;
  Bytes bytes{};
  std::uint64_t value = 0;         ///< from 1; what a put leaves in the last line of its target
  std::optional<Signal> signal{};  ///< of a put, behind its data
  std::uint32_t segments = 1;      ///< of its scatter list
  Address target = 0;              ///< instead of the peer's buffer, or of own memory; 0: those
  std::size_t queue = 0;           ///< of a target: through which queue
  bool signaled = true;            ///< asks for a CQE when its batch is complete
};

/// One end of a connection, whatever the submission path behind it: a GPU thread's, a CPU thread's, a
/// stream's. Workloads see nothing else of the machine.
///
/// Each message's `completion` ledger is started by the workload and followed by the path; the
/// far end's seen() ends its `delivery` ledger.
class Channel {
 public:
  virtual ~Channel() = default;

  /// Begins an operation between own memory and the far GPU's buffer. Ends when the call returns;
  /// `ring`: announce it, and all since the last ring, to the NIC.
  virtual Task post(Operation operation, Message& message, bool ring = true) = 0;
  /// Ends when the message and all before it are known to be complete, completion routine included.
  virtual Task wait(Message& message) = 0;
  /// The same for all that was ever posted here: a visit to each queue pair, used or not.
  virtual Task quiet(Message& message) { return wait(message); }
  /// Did the poll of the last wait() show this later message to be complete too? Then its place is
  /// free, at no further cost.
  virtual bool retire(const Message&) { return false; }
  /// Did the wait for it end with an error?
  virtual bool failed(const Message&) const { return false; }
  /// Then ends when the connection can be used again.
  virtual Task recover(Message&) { co_return; }
  /// Receiver: polls for what the far end's operation leaves here last, or a later one's.
  virtual Task arrival(Operation operation) = 0;
  /// Where whoever waits for that operation is told of its data; 0: nobody is.
  virtual Address told_at(const Operation&) const { return 0; }
  /// Receiver: that flag was this message's. Closes its delivery ledger with the poll.
  virtual void seen(Message& message) = 0;
  /// What its last arrival() spent on a flush; nothing: there was none.
  virtual std::optional<Picoseconds> flushed() const { return {}; }
  /// Receiver: acquires what the flag announced and turns round; charged to the same ledger.
  virtual Task acquire(Message& message) = 0;
  /// Room for `n` further messages of that size?
  virtual bool has_room(Bytes bytes, Count n) const = 0;
  /// Ends when there is, if nothing is under way that would tell.
  virtual Task await_room(Bytes, Count) { co_return; }
  /// It stood so long for lack of room.
  virtual void stood(Picoseconds) {}

  /// Through which queue pair it posted that message, "node0.nic0.qp1"; "": none of its own.
  virtual std::string queue_pair(const Message&) const { return {}; }

  virtual Kernel& kernel() = 0;
  virtual const std::string& who() const = 0;
  /// Time this end's issuing threads, or its cores, were busy.
  virtual Picoseconds issue_busy() const = 0;
};

}  // namespace gicsim::paths
