// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/base/kernel.h"
#include "models/mechanisms/delay_line.h"
#include "models/protocol/sample.h"
#include "models/protocol/tlp.h"

namespace gicsim {

/// The far end of a link: notes what arrives and gives its credits back at once, unless told to
/// keep them.
struct TlpLog : TlpSink {
  struct Arrival {
    Tlp tlp;
    Picoseconds at;
  };
  Kernel& kernel;
  bool keep = false;
  std::vector<Arrival> all;

  explicit TlpLog(Kernel& k) : kernel(k) {}
  void arrive(const Tlp& tlp) override {
    all.push_back({tlp, kernel.now()});
    if (!keep && tlp.held) tlp.held->release(tlp, kernel.now());
  }
  std::vector<Picoseconds> times() const {
    std::vector<Picoseconds> list;
    for (const Arrival& arrival : all) list.push_back(arrival.at);
    return list;
  }
};

/// A link that only notes what it is given.
struct TlpTray : TlpPort {
  struct Given {
    Tlp tlp;
    Picoseconds ready;
  };
  std::vector<Given> all;
  void send(const Tlp& tlp, Picoseconds ready) override { all.push_back({tlp, ready}); }
};

/// A memory that answers reads after a fixed time.
struct SlowMemory : Target {
  Picoseconds latency;
  std::vector<std::pair<Transfer*, Picoseconds>> writes;
  std::vector<Picoseconds> samples;
  explicit SlowMemory(Picoseconds l = Picoseconds{}) : latency(l) {}
  void on_write(Transfer& transfer, Picoseconds now) override { writes.push_back({&transfer, now}); }
  Picoseconds on_read(const Transfer&, Bytes, Picoseconds now) override { return now + latency; }
  void sample(Transfer&, Picoseconds now) override { samples.push_back(now); }
};

/// Notes when transfers end, and how.
struct TransferLog : Initiator {
  Kernel& kernel;
  std::vector<Picoseconds> ends;
  std::vector<Transfer> all;
  explicit TransferLog(Kernel& k) : kernel(k) {}
  void on_transferred(Transfer& transfer) override {
    ends.push_back(kernel.now());
    all.push_back(transfer);
  }
};

/// A link of no width: what is sent arrives a fixed time later.
struct Way : TlpPort {
  Kernel& kernel;
  Picoseconds time;
  TlpSink* far = nullptr;
  std::vector<Tlp> all;
  Way(Kernel& k, Picoseconds t) : kernel(k), time(t) {}
  void send(const Tlp& tlp, Picoseconds ready) override {
    all.push_back(tlp);
    flying_.push(tlp, ready + time);
    kernel.at<&Way::on_arrived>(ready + time, this);
  }

 private:
  void on_arrived() { far->arrive(*flying_.pop_due(kernel.now())); }
  DelayLine<Tlp> flying_{"way"};
};

/// A memory of watched lines that answers reads and atomics after a fixed time.
struct CellMemory : SlowMemory {
  Cells<Content> cells;
  using SlowMemory::SlowMemory;
  void on_write(Transfer& transfer, Picoseconds now) override {
    SlowMemory::on_write(transfer, now);
    if (transfer.content.index() != 0) cells.write(transfer.address, transfer.content, now);
  }
  void sample(Transfer& transfer, Picoseconds now) override { sample_cells(cells, transfer, now); }
  std::optional<Picoseconds> on_atomic(const Transfer&, Picoseconds now) override { return now + latency; }
  void execute(Transfer& transfer, Picoseconds now) override { execute_on(cells, transfer, now); }
};

}  // namespace gicsim
