// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw_backend/core/cores.h"
#include "hw_backend/core/session.h"
#include "hw_backend/gpu/cuda.h"

namespace gicsim::hw::gpu {

constexpr unsigned most_samples = 4096;  ///< of one kernel: they stay in shared memory until it ends
constexpr unsigned own_samples = 64;
constexpr unsigned long long give_up = 2'000'000'000;  ///< ns that a kernel waits for anything

/// What a kernel of one thread has timed, in cycles of its SM's clock.
struct Stamps {
  unsigned took[most_samples];
  unsigned own[own_samples];  ///< the same two clock reads with nothing between
  unsigned long long last;    ///< kept from run to run
  unsigned expired;           ///< it gave up
};

/// When a block began and ended, in ns of the GPU's timer.
struct Span {
  unsigned long long begin, end;
};

/// The kinds of memory that a record's `memory` names, as the measuring GPU sees them.
enum class Place { hbm, host, peer };
const char* name_of(Place place);

/// Zeroed memory of a kind.
class Memory {
 public:
  /// @param peer  the GPU that Place::peer is of
  Memory(Place place, std::size_t bytes, std::optional<int> peer = {});
  char* data() const { return place_ == Place::host ? host_.data() : device_.data(); }

 private:
  Place place_;
  HostArray<char> host_;
  DeviceArray<char> device_;
};

/// One GPU may touch another's memory, for a scope.
class PeerAccess {
 public:
  PeerAccess(int from, int to);
  ~PeerAccess();
  PeerAccess(const PeerAccess&) = delete;
  PeerAccess& operator=(const PeerAccess&) = delete;

 private:
  int from_, to_;
};

/// The GPU that plays the other one, and why there is none.
struct Peer {
  std::optional<int> gpu;
  std::string link;    ///< to it, as the machine names it
  std::string reason;  ///< where there is none
};
Peer find_peer(const Machine& machine, const Options& options);

/// What every probe of a GPU stands on: the device, a core for this thread, a stream, and the two clocks.
class Bench {
 public:
  explicit Bench(Session& session);

  Session& session;
  const int gpu;
  const Peer peer;
  const std::vector<int> cores;  ///< this thread is on the first

  unsigned sms() const;
  bool quick() const { return session.options.quick; }
  /// Of a repeat, so that all repeats together have `full`, or `quick` with --quick.
  unsigned samples(unsigned full, unsigned quick) const;
  /// 1, 2, 4 … and all of them; with --quick three.
  std::vector<unsigned> sm_counts() const;
  cudaStream_t stream() const { return stream_; }
  double ghz() const { return ghz_; }  ///< of the SMs, when last measured

  /// Times of single events: `start` launches one block of one thread that fills `n` stamps. Each is given in ns less
  /// what the clock reads cost, divided by `events`. The clock's rate is measured before every figure.
  void stamped(Figure figure, unsigned n, const std::function<void(Stamps*)>& start, double events = 1);
  /// Rates: `start` launches `blocks` blocks which do `amount` of work; first begin to last end.
  void spanned(Figure figure, double amount, unsigned blocks, const std::function<void(Span*)>& start);

 private:
  struct Clocks {
    double ghz;               ///< cycles of an SM a ns of the timer
    unsigned long long step;  ///< of the timer, ns
  };
  Clocks clocks(unsigned long long ns) const;
  void finish() const;

  OnDevice device_;
  OnCore core_;
  Stream stream_;
  DeviceArray<Stamps> stamps_{1};
  DeviceArray<Span> spans_;
  unsigned long long step_;
  double ghz_;
};

/// Where a figure stands.
using Where = std::vector<std::pair<std::string, Record::Plain>>;
inline Record::Plain plain(std::int64_t n) { return n; }
inline Record::Plain plain(const char* text) { return std::string(text); }

}  // namespace gicsim::hw::gpu
