// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <deque>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/dma/params.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/server.h"
#include "models/protocol/transfer.h"

namespace gicsim::dma {

struct DmaStats {
  Count reads = 0, writes = 0, failed = 0;
  Bytes read, written;
  Picoseconds in_busy{}, out_busy{}, memory_busy{}, read_time{}, write_time{};
};
template <class V>
constexpr void describe(V&& v, DmaStats& s) {
  v("reads", s.reads, "reads done");
  v("writes", s.writes, "writes handed to the port");
  v("failed", s.failed, "of these, ended other than successfully");
  v("read", s.read, "bytes read");
  v("written", s.written, "bytes written");
  v("in_busy", s.in_busy, "time the path to the device's own memory was busy");
  v("out_busy", s.out_busy, "time the path from it was busy");
  v("memory_busy", s.memory_busy, "time the device's own memory was busy");
  v("read_time", s.read_time, "time that reads were under way, summed");
  v("write_time", s.write_time, "time that writes were under way, summed");
}
static_assert(fully_described<DmaStats>());

enum class Kind : std::uint8_t { read, write, write_read };

struct Job;

/// Whoever gives an engine work.
class Client {
 public:
  virtual void on_done(Job& job) = 0;

 protected:
  ~Client() = default;
};

/// A descriptor. A read is done once it is in the device's own memory, a write once the port has it: writes are
/// posted. `write_read` writes, then reads the same bytes back with the next request.
/// `ledger`: from when the job was submitted; of a posted write up to the port, or with `visible` to its target.
struct Job {
  Kind kind = Kind::read;
  bool visible = false;  ///< done when a write has reached its target: a fact for bookkeeping, no hardware sees it
  Address address = 0;
  Bytes length{};
  Ledger* ledger = nullptr;
  Client* client = nullptr;
  void* cookie = nullptr;  ///< the client's own
  CompletionStatus status = CompletionStatus::successful;
};

/// A bus-mastering device: takes descriptors in order, keeps so many reads and writes under way, moves data between
/// port and own memory in bursts. Data of a read go to own memory once all are there; a write leaves once all are out.
/// Not modelled: rings of descriptors in host memory, interrupts, the medium behind a storage controller.
class Engine final : public sc_core::sc_module, private Target, private Initiator {
 public:
  sc_core::sc_port<MemoryPort> port{"port"};
  sc_core::sc_export<Target> target{"target"};

  Engine(sc_core::sc_module_name name, Kernel& kernel, const DmaParams& params);

  Kernel& kernel() { return kernel_; }
  const DmaParams& params() const { return params_; }
  DmaStats stats() const;
  /// Any number may wait; `job` is copied.
  void submit(const Job& job);

  /// One access of a program: `co_await engine.read(address, 64_B)` gives how it ended.
  class Access : public Obstacle, private Client {
   public:
    Access(Engine& engine, const Job& job) : engine_(engine), job_(job) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(Task::Handle program);
    CompletionStatus await_resume() noexcept;
    std::string waits_for() const override;

   private:
    void on_done(Job& job) override;
    Engine& engine_;
    Job job_;
    Task::Handle program_;
  };
  Access read(Address address, Bytes length, Ledger* ledger = nullptr) {
    return {*this, {.kind = Kind::read, .address = address, .length = length, .ledger = ledger}};
  }
  Access write(Address address, Bytes length, Ledger* ledger = nullptr) {
    return {*this, {.kind = Kind::write, .address = address, .length = length, .ledger = ledger}};
  }
  Access write_then_read(Address address, Bytes length, Ledger* ledger = nullptr) {
    return {*this, {.kind = Kind::write_read, .address = address, .length = length, .ledger = ledger}};
  }

  /// An access that didn't end well, for a run's diagnosis.
  struct Failure {
    std::string who;
    Kind kind = Kind::read;
    Address address = 0;
    CompletionStatus status = CompletionStatus::successful;
    Picoseconds at{};
  };
  const std::vector<Failure>& failures() const { return failures_; }
  /// @throws ModelError when a job is still inside
  void check_books() const;

 private:
  struct Lane {
    explicit Lane(const char* who) : issuing(who) {}
    std::deque<Job*> given;     ///< wait to start
    DelayLine<Job*> issuing;
    std::deque<Job*> ready;     ///< issued, wait for one of `outstanding`
    Picoseconds next_start{};
    bool waiting = false;       ///< for next_start
    Count under_way = 0;
    Picoseconds accounted{}, time{};
  };

  void end_of_elaboration() override { port_ = port.operator->(); }
  void on_write(Transfer&, Picoseconds) override {}
  Picoseconds on_read(const Transfer&, Bytes, Picoseconds now) override { return now; }
  void sample(Transfer&, Picoseconds) override {}
  void on_transferred(Transfer& transfer) override;

  void start(Lane& lane, Picoseconds interval);
  void on_read_gap() { reads_.waiting = false, start(reads_, params_.read_interval); }
  void on_write_gap() { writes_.waiting = false, start(writes_, params_.write_interval); }
  void on_read_issued();
  void on_write_issued();
  void pump_reads();
  void pump_writes();
  void on_opened();
  void on_fetched();
  void on_stored();
  void on_seen();
  void hand_over(Job& job, Transfer::Kind kind);
  void count(Lane& lane, Count change);
  void end(Job& job);
  Picoseconds move(Server& path, Bytes length);

  Kernel& kernel_;
  const DmaParams& params_;
  MemoryPort* port_ = nullptr;
  Server in_, out_, memory_;
  Picoseconds in_through_{}, out_through_{};  ///< when the last access of that way is
  Lane reads_, writes_;
  DelayLine<Job*> opening_, fetching_, storing_;
  DelayLine<Job*> committing_;  ///< at their target, not seen yet
  std::deque<Job> jobs_;
  std::vector<Job*> free_;
  std::vector<Failure> failures_;
  DmaStats stats_;
};

}  // namespace gicsim::dma
