// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/gpu/gpu.h"
#include "models/mechanisms/delay_line.h"
#include "models/protocol/atomic_done.h"

namespace gicsim::gpu {

enum class Semantics { acquire_release, sequentially_consistent };
enum class Scope { gpu, system };

/// Where a thread runs: which multiprocessor, which warp of the GPU.
struct Residence {
  std::size_t sm = 0, warp = 0;
};

/// One GPU thread. Its operations are awaitable; each ends a stage of the ledger that the
/// thread follows. A store is issued, not waited for; a fence waits for what is outstanding.
///
/// Stores: each takes `store_issue` of the thread and goes through the SM's store port, which all of
/// its threads share; nobody waits there. Its acknowledgement comes `store_ack` later, or `line_fetch`
/// later when it is the first to a line of own memory that a device has read since, and at least
/// `store_ack_gap` after the one before, unless its own is due (`store_ack_most`). A fence lasts its base, or until the last acknowledgement where
/// that comes later: at system scope also until a store to host memory (`host_write_ack`) or to a
/// peer's BAR (`peer_write_ack`) counts as done. Lanes of a warp that stored
/// together wait for the last one's acknowledgement: it is one instruction. The first one after a poll of a line of
/// own memory that a device wrote costs `fence_after_poll` more, `fence_system_after_poll` at system scope.
class Thread {
 public:
  /// @param host_base,host_size  the node's DRAM in its address space
  Thread(Kernel& kernel, Gpu& gpu, std::string who, Address host_base, Address host_size, Residence residence = {});

  const std::string& who() const { return who_; }
  Kernel& kernel() { return kernel_; }
  Gpu& gpu() const { return gpu_; }
  /// The ledger that the next operations close stages of; null: none.
  void follow(Ledger* ledger) { ledger_ = ledger; }

  /// Ends at a known time and closes `stage`.
  struct Until {
    Thread& thread;
    Picoseconds at;
    Stage stage;
    bool await_ready() const noexcept { return at <= thread.kernel_.now(); }
    void await_suspend(std::coroutine_handle<> program) { thread.kernel_.resume(at, program); }
    void await_resume() { thread.close(stage); }
  };

  /// Instructions that touch no memory.
  Until compute(Cycles cycles, Stage stage);
  Until fence(Semantics semantics, Scope scope, Stage stage = Stage::fence);

  /// A store of any length, issued in pieces of 16 B. The watched line at `address` gets
  /// `content`: in own memory once the L2 has it, as far away as half of a load; elsewhere by a posted write when issued.
  struct Store {
    Thread& thread;
    Address address;
    Bytes length;
    Content content;
    Stage stage;
    Stage flight;  ///< of the posted write, if it leaves the GPU; as `stage`: nobody waits for it
    Picoseconds issued{};
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program);
    void await_resume();
  };
  Store store(Address address, Bytes length, Content content, Stage stage,
              Stage flight = Stage::doorbell_flight) {
    return {*this, address, length, std::move(content), stage, flight};
  }

  /// A WQE stored to a NIC's register, by this thread, 16 B a store, or by its warp, 64 B a store. Each store leaves as
  /// a TLP of its own, unless the GPU `combines_stores`. Whole lines are the WQE when the last one is there; in
  /// pieces it is a doorbell to the NIC, by the first one.
  struct Push {
    Thread& thread;
    Address address;
    Bytes length;
    Content content;
    bool warp;
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program);
    void await_resume();
  };
  Push push(Address address, Bytes length, Content content, bool warp) {
    return {*this, address, length, std::move(content), warp};
  }

  /// A load: from own memory it hits the L2; from host memory or a peer it is a read over the
  /// links, and the way between SM and port comes on top. One of a walk may find that its line has left the L2.
  /// @return the line's content at that time
  class Load final : private Initiator {
   public:
    Load(Thread& thread, Address address, Stage stage, bool walks)
        : thread_(thread), address_(address), stage_(stage), walks_(walks) {}
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program);
    Content await_resume();

   private:
    void on_transferred(Transfer& transfer) override;
    void go();

    Thread& thread_;
    Address address_;
    Stage stage_;
    bool walks_;
    Content content_;
    std::coroutine_handle<> program_;
  };
  Load load(Address address, Stage stage) { return Load(*this, address, stage, false); }
  Load walk(Address address, Stage stage) { return Load(*this, address, stage, true); }

  /// Begins a read or write of another memory and goes on: `told` hears when it is over, a write when it has arrived.
  void send(Transfer::Kind kind, Address address, Bytes length, Stage stage, Initiator& told);

  /// Adds to a word in own memory. @return what it held when the atomic reached the L2
  struct FetchAdd {
    Thread& thread;
    std::uint64_t* word;  ///< null: a line that devices see, too
    Address address;
    std::uint64_t addend;
    Stage stage;
    std::uint64_t before = 0;
    std::coroutine_handle<> program{};
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting);
    std::uint64_t await_resume();
    void on_memory();
  };
  FetchAdd fetch_add(std::uint64_t& word, std::uint64_t addend, Stage stage) {
    return {*this, &word, 0, addend, stage};
  }
  FetchAdd add_to(Address address, std::uint64_t addend, Stage stage) { return {*this, nullptr, address, addend, stage}; }
  /// Who hears of that.
  void tell(const Probe<AtomicDone>& atomics) { atomics_done_ = &atomics; }

  /// Polls a line until `wanted(content)`. Costs no events: the thread sleeps on the line. When it
  /// becomes visible, the next sample is taken half a period later (`spread.poll_phase`: anywhere in
  /// it); the sampled value needs half of the load's round trip to come back, then the loop ends. In host memory the
  /// round trip is that of the poll's first load, which is really made. A `cached` one fills the line into the SM's L1 and
  /// sees that content ever after: nothing that arrives invalidates it, and nothing else evicts it.
  class Poll final : public Obstacle, private Watcher, private Initiator {
   public:
    using Wanted = std::function<bool(const Content&)>;
    Poll(Thread& thread, Address address, Wanted wanted, Stage stage, std::string what, bool cached)
        : thread_(thread),
          address_(address),
          wanted_(std::move(wanted)),
          stage_(stage),
          what_(std::move(what)),
          cached_(cached) {}
    bool await_ready() noexcept { return false; }
    void await_suspend(Task::Handle program);
    void await_resume();
    std::string waits_for() const override { return what_; }

   private:
    void on_written(Picoseconds visible) override;
    void on_transferred(Transfer& transfer) override;
    void look(Picoseconds from);
    bool hits_l1(const Content* seen);
    Picoseconds round_trip() const;
    void end(Picoseconds at, bool by_device);

    Thread& thread_;
    Address address_;
    Wanted wanted_;
    Stage stage_;
    std::string what_;
    Task::Handle program_;
    Picoseconds began_{}, remote_round_trip_{};
    bool first_ = true, cached_;
  };
  Poll poll(Address address, Poll::Wanted wanted, Stage stage, std::string what, bool cached = false) {
    return Poll(*this, address, std::move(wanted), stage, std::move(what), cached);
  }

  /// Where a thread looks into host memory: set once by the system.
  void host_cells(Cells<Content>& cells) { host_cells_ = &cells; }

 private:
  /// Where a store goes, which says who acknowledges it.
  enum class Aperture { hbm, host, peer };
  Aperture aperture(Address a) const {
    return gpu_.owns(a) ? Aperture::hbm : a - host_base_ < host_size_ ? Aperture::host : Aperture::peer;
  }
  bool own(Address a) const { return gpu_.owns(a); }
  Cells<Content>& cells_at(Address a) { return own(a) ? gpu_.cells_ : *host_cells_; }
  Picoseconds issue(Bytes length, Address address, Picoseconds from);
  /// When the address's translation is there; what there is to wait is a stage of its own.
  Picoseconds translated(Address a);
  void on_translated();
  void post(Address address, Bytes length, Content content, Stage flight, Ledger* ledger);
  void read_remote(Address address, Stage stage, Initiator& initiator);
  void close(Stage stage) {
    if (ledger_) ledger_->close(stage, gpu_.name(), kernel_.now());
  }

  Kernel& kernel_;
  Gpu& gpu_;
  std::string who_;
  Address host_base_, host_size_;
  Cells<Content>* host_cells_ = nullptr;
  const Probe<AtomicDone>* atomics_done_ = nullptr;
  Ledger* ledger_ = nullptr;
  std::deque<Picoseconds> acks_;     ///< of stores that may still be outstanding, in order
  Picoseconds stored_at_{-1};        ///< when its last store was issued
  Picoseconds local_ack_{-1ms};      ///< of the last store to anywhere, by the GPU; none yet: long ago
  Picoseconds host_ack_{}, peer_ack_{};  ///< of the last one there, by its target
  Residence residence_;
  PollPhase phase_;
  DelayLine<Transfer*> untranslated_;  ///< wait for their page
  Picoseconds send_from_{};            ///< when the last of them goes
  bool polled_device_ = false;       ///< since the last fence
  std::map<Address, Content> l1_;    ///< lines that plain loads have brought there
};

}  // namespace gicsim::gpu
