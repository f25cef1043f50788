// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "models/base/context.h"
#include "models/base/kernel.h"
#include "models/nic/nic.h"

namespace gicsim::captures {

/// Memory that answers at once, except that payload for the wire is handed out one packet at a time, when asked for.
class Memory final : public MemoryPort {
 public:
  explicit Memory(Kernel& kernel) : kernel_(kernel) {}
  bool holds = false;                     ///< payload of requests
  std::deque<Wqe> ring;                   ///< by index
  std::map<Address, std::uint64_t> words; ///< what atomics work on

  static constexpr Address ring_at = Address{1} << 44;
  static constexpr std::uint32_t depth = 1u << 16;

  /// The read of payload that waits, unless nobody wants it any more.
  Transfer* held();
  void release();

  Transfer& make() override { return pool_.take(); }
  void submit(Transfer& transfer) override;

 private:
  void answer(Transfer& transfer);
  void on_answer();
  void fill(Transfer& read) const;

  Kernel& kernel_;
  TransferPool pool_;
  std::deque<Transfer*> held_, answering_;
};

/// What a NIC sent; its WQE may be gone.
struct Sent {
  Packet packet;
  Opcode opcode = Opcode::rdma_write;
};

/// A NIC by itself, whose stages take no time: what it sends depends on the order of events and on its timers alone.
class Bed final : private PacketPort {
 public:
  struct Settings {
    std::uint32_t mtu = 1024, first_psn = 0;
    std::uint8_t rnr_code = 12;
    bool holds_payload = false;
    bool datagrams = false;  ///< UD
    nic::TransportParams transport;
  };
  explicit Bed(const Settings& settings);
  ~Bed();

  Memory& memory() { return memory_; }
  nic::Nic& nic() { return *nic_; }
  std::deque<Sent> sent;

  void post(Wqe wqe);
  /// At the same instant as what else comes before it settles.
  void deliver(Packet packet);
  void arrive(const Packet& packet) { deliver(packet), settle(); }
  void settle() { kernel_.run_through(kernel_.now() + 1ns); }
  /// Hands out the payload that waits.
  void release();
  /// Lets time pass until the NIC does something by itself, for as long as its timers could run.
  /// @return whether it did
  bool expire();

 private:
  Picoseconds send(const Packet& packet, Picoseconds ready) override;

  ContextScope scope_;
  Kernel kernel_{"kernel"};
  nic::NicParams params_;
  nic::TransportParams transport_;
  Memory memory_{kernel_};
  std::unique_ptr<nic::Nic> nic_;
  std::deque<Transfer> doorbells_;
  std::uint32_t producer_ = 0;
};

}  // namespace gicsim::captures
