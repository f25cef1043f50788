// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "models/base/kernel.h"
#include "models/mechanisms/cells.h"
#include "models/protocol/sample.h"

namespace gicsim {

/// A memory system without links: reads see `cells` half-way and are back after `round_trip`;
/// writes are noted, seen by later reads if `stores` is set, and tell an initiator, if they have one,
/// half a round trip later. What `fails` says so of ends as `ending`.
struct Dma : MemoryPort {
  struct Access {
    Stage stage;
    Address address;
    Bytes length;
    Content content;
    Picoseconds at;
  };
  Kernel& kernel;
  Picoseconds round_trip;
  Cells<Content> cells;
  TransferPool pool;
  bool stores = false;
  CompletionStatus ending = CompletionStatus::unsupported;
  std::function<bool(const Transfer&)> fails;  ///< asked when it is submitted
  std::vector<Access> reads, writes;

  Dma(Kernel& k, Picoseconds r) : kernel(k), round_trip(r) {}
  Transfer& make() override { return pool.take(); }
  void submit(Transfer& transfer) override {
    auto& list = transfer.kind == Transfer::Kind::write ? writes : reads;
    list.push_back({transfer.stage, transfer.address, transfer.length, transfer.content, kernel.now()});
    if (fails && fails(transfer)) {
      transfer.status = ending;
      transfer.ended_by = "memory";
    }
    if (transfer.kind == Transfer::Kind::write) {
      if (transfer.status != CompletionStatus::successful) {
        written_.push_back(&transfer);
        return kernel.at<&Dma::on_written>(kernel.now(), this);
      }
      if (stores) cells.write(transfer.address, transfer.content, kernel.now());
      if (!transfer.initiator) return pool.give(transfer);
      written_.push_back(&transfer);
      return kernel.at<&Dma::on_written>(kernel.now() + round_trip / 2, this);
    }
    there_.push_back(&transfer);
    back_.push_back(&transfer);
    kernel.at<&Dma::on_there>(kernel.now() + round_trip / 2, this);
    kernel.at<&Dma::on_back>(kernel.now() + round_trip, this);
  }
  static std::vector<Picoseconds> times(const std::vector<Access>& list) {
    std::vector<Picoseconds> all;
    for (const Access& access : list) all.push_back(access.at);
    return all;
  }

 private:
  void on_there() {
    if (there_.front()->kind == Transfer::Kind::atomic) execute_on(cells, *there_.front(), kernel.now());
    else sample_cells(cells, *there_.front(), kernel.now());
    there_.pop_front();
  }
  void on_written() {
    Transfer& transfer = *written_.front();
    written_.pop_front();
    if (!stores && transfer.content.index() != 0 && transfer.status == CompletionStatus::successful)
      cells.write(transfer.address, transfer.content, kernel.now());
    if (transfer.initiator) transfer.initiator->on_transferred(transfer);
    pool.give(transfer);
  }
  void on_back() {
    Transfer& transfer = *back_.front();
    back_.pop_front();
    transfer.initiator->on_transferred(transfer);
    pool.give(transfer);
  }
  std::deque<Transfer*> there_, back_, written_;
};

}  // namespace gicsim
