// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/gpu/engine_params.h"
#include "models/gpu/gpu.h"

namespace gicsim::gpu {

/// A stream as the GPU's front end executes it: one channel, whose commands lie in host memory. A
/// doorbell in the GPU's window tells how many there are; the front end fetches them at once, and its
/// program takes them one by one.
/// Not modelled: a second stream's use of the same front end, commands of several entries.
class Stream final : private Watcher, private Initiator {
 public:
  /// @param number  of this GPU's streams
  /// @param host_base,host_size,host_cells  the node's DRAM in its address space
  Stream(Kernel& kernel, Gpu& gpu, const FrontEndParams& params, std::size_t number, Address host_base,
         Address host_size, Cells<Content>& host_cells);

  const std::string& who() const { return who_; }
  Kernel& kernel() { return kernel_; }
  const FrontEndParams& params() const { return params_; }
  /// Takes the number of commands that there are so far.
  Address doorbell() const { return doorbell_; }
  /// The ledger that the next operations close stages of; null: none.
  void follow(Ledger* ledger) { ledger_ = ledger; }

  /// Until command `number`, from 1, has been fetched.
  class Command final : public Obstacle {
   public:
    Command(Stream& stream, std::uint64_t number) : stream_(stream), number_(number) {}
    bool await_ready() const noexcept { return stream_.fetched_ >= number_; }
    void await_suspend(Task::Handle program);
    void await_resume();
    std::string waits_for() const override { return "command " + std::to_string(number_); }

   private:
    Stream& stream_;
    std::uint64_t number_;
    Task::Handle program_;
  };
  Command command(std::uint64_t number) { return {*this, number}; }

  /// Ends a stage of the followed ledger at this instant.
  void close(Stage stage) {
    if (ledger_) ledger_->close(stage, gpu_.name(), kernel_.now());
  }

  /// Ends at a known time and closes `stage`.
  struct Until {
    Stream& stream;
    Picoseconds at;
    Stage stage;
    bool await_ready() const noexcept { return at <= stream.kernel_.now(); }
    void await_suspend(std::coroutine_handle<> program) { stream.kernel_.resume(at, program); }
    void await_resume() { stream.close(stage); }
  };
  Until kernel_start() { return {*this, kernel_.now() + params_.kernel_start, Stage::launch}; }
  Until kernel_end(Stage stage) { return {*this, kernel_.now() + params_.kernel_end, stage}; }

  /// A write-value command, or a release after another one: `stage` until the store leaves. It begins
  /// with a barrier, so it waits until the store of the one before has got through.
  struct Write {
    Stream& stream;
    Address address;
    Bytes length;
    Content content;
    Stage stage;
    Stage flight;  ///< of the posted write; as `stage`: nobody waits for it
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program);
    void await_resume();
  };
  Write write(Address address, Bytes length, Content content, Stage stage, Stage flight) {
    return {*this, address, length, std::move(content), stage, flight};
  }

  /// A wait-value command: looks until `wanted(content)`, every `wait_period` and the look's own way
  /// (in own memory none, in host memory a read that is really sent the first time). Later looks cost
  /// no events: content that becomes visible meanwhile is seen after half of a turn on average, and
  /// half of the way for the value to come back.
  class Wait final : public Obstacle, private Watcher, private Initiator {
   public:
    using Wanted = std::function<bool(const Content&)>;
    Wait(Stream& stream, Address address, Wanted wanted, Stage stage, std::string what)
        : stream_(stream), address_(address), wanted_(std::move(wanted)), stage_(stage), what_(std::move(what)) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(Task::Handle program);
    void await_resume();
    std::string waits_for() const override { return what_; }

   private:
    void on_transferred(Transfer& transfer) override;
    void on_written(Picoseconds visible) override;

    Stream& stream_;
    Address address_;
    Wanted wanted_;
    Stage stage_;
    std::string what_;
    Task::Handle program_;
    Picoseconds began_{}, way_{};
  };
  Wait wait(Address address, Wait::Wanted wanted, Stage stage, std::string what) {
    return {*this, address, std::move(wanted), stage, std::move(what)};
  }

 private:
  bool at_host(Address a) const { return a - host_base_ < host_size_; }
  Cells<Content>& cells_at(Address a) { return at_host(a) ? host_cells_ : gpu_.cells_; }
  void read(Address address, Bytes length, Initiator& initiator);
  void on_written(Picoseconds visible) override;
  void on_rung();
  void on_transferred(Transfer& transfer) override;

  Kernel& kernel_;
  Gpu& gpu_;
  const FrontEndParams& params_;
  std::string who_;
  Address host_base_, host_size_, doorbell_;
  Cells<Content>& host_cells_;
  Ledger* ledger_ = nullptr;
  std::uint64_t fetching_ = 0, fetched_ = 0;  ///< commands
  Count reads_left_ = 0;                      ///< of the fetch under way
  Picoseconds flushed_{};                     ///< the last write's store has got through
  Task::Handle waiting_;
};

}  // namespace gicsim::gpu
