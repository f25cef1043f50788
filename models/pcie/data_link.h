// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <queue>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/serialiser.h"
#include "models/mechanisms/slot.h"
#include "models/pcie/bit_errors.h"
#include "models/pcie/link_stats.h"
#include "models/pcie/params.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

/// Whether a link needs a DataLink: bits fail, the replay buffer may fill, or credit updates take their time.
inline bool needs_data_link(const LinkParams& p) {
  return p.ber.raw() != 0 || p.replay_buffer > 0_B || p.credit_updates;
}

/// The data link layer of one direction, where it can't be left out: at its sender sequence numbers, replay buffer,
/// replay timer and the choice of what the lanes carry next; at its receiver the check of each TLP and DLLP. It works
/// for the transaction layer above, and with the one of the other direction, which carries its Acks and Naks.
///
/// Lanes carry first a Nak or Ack, then a credit update, then replays, then what is new. A bad TLP is NAKed once until
/// the one expected has come: what follows is dropped, and the sender goes back. One more error of the same TLP is left
/// to the replay timer. Four replays without progress send the link through Recovery, as does a framing error from
/// Gen 3 on, behind which a receiver of 128b/130b finds no next packet.
/// Not modelled: errors of idle symbols and of ordered sets, an Ack held back for more TLPs.
/// Source: PCIe Base 5.0, 3.6 (LCRC, retry), 2.6.1.2 (UpdateFC), 4.2.2.3 (framing errors)
class DataLink {
 public:
  /// The transaction layer at both ends.
  class User {
   public:
    virtual void on_sent(Tlp& tlp, Picoseconds ready, Slot slot) = 0;  ///< for the first time
    virtual void on_replayed(const Tlp& tlp, Slot slot) = 0;           ///< and not yet accepted
    /// At the far end, in order. `replayed`: from the first time that it was sent to this one.
    virtual void on_accepted(const Tlp& tlp, Picoseconds waited, Picoseconds replayed) = 0;
    virtual void on_credits(Flow flow, Count headers, Count data) = 0;

   protected:
    ~User() = default;
  };

  DataLink(Kernel& kernel, const LinkParams& params, BitRate rate, Kernel::Lane lane, const std::string& name,
           LinkStats& stats, User& user);

  void acknowledged_by(DataLink& back) { back_ = &back; }
  bool connected() const { return back_ != nullptr; }
  void seed(std::uint64_t seed) { errors_ = BitErrors(params_.ber, seed, name_); }

  /// Takes a TLP that has its credits.
  void take(const Tlp& tlp, Picoseconds ready, Bytes wire);
  /// The far end's buffer has a TLP no more from `at` on, which may lie in the future: an UpdateFC goes back.
  void release(Flow flow, Count headers, Count data, Picoseconds at);
  /// When the lanes are through with what they have.
  Picoseconds free_at() const { return fresh_.empty() ? lanes_.free_at() : Picoseconds::max(); }
  std::size_t inside() const { return fresh_.size() + unacked_.size() + flying_tlps_; }

 private:
  enum class Damage : std::uint8_t { none, content, framing };
  struct Sent {
    Tlp tlp;
    Picoseconds ready;
    Bytes wire;
    Picoseconds first{};  ///< on the lanes
  };
  struct Credit {
    Flow flow = Flow::posted;
    Count headers = 0, data = 0;
  };
  struct Flying {
    enum class What : std::uint8_t { tlp, ack, nak, credit } what;
    Damage damage;
    Tlp tlp{};
    std::uint64_t sequence = 0;  ///< of a TLP; of an Ack or Nak the first one that it doesn't acknowledge
    Picoseconds waited{}, replayed{};
    Credit credit{};
  };
  struct Later {
    Picoseconds at;
    Credit credit;
    bool operator>(const Later& o) const { return at > o.at; }
  };

  // The sender's side.
  void go();
  void on_turn();
  void wake(Picoseconds t);
  Slot occupy(Bytes length);
  void fly(const Flying& flying, Picoseconds sent);
  void send_dllp(Flying flying);
  Damage damage_of(Bytes length, Bytes framing);
  void send_tlp(Sent& sent, std::uint64_t sequence, bool again);
  void send_ack();
  void send_credit();
  bool has_room(const Sent& next) const;
  void acknowledged(std::uint64_t up_to);
  void replay();
  Picoseconds timer_limit() const;
  void start_timer(Picoseconds from);
  void stop_timer();
  void on_timer();
  void retrain(DataLink& deaf);

  // The receiver's side.
  void on_arrived();
  void receive_tlp(const Flying& flying);
  void refuse();
  void owe(Credit credit);
  void on_released();
  void on_refresh();

  Kernel& kernel_;
  const LinkParams& params_;
  Kernel::Lane lane_;
  std::string name_;
  LinkStats& stats_;
  User& user_;
  DataLink* back_ = nullptr;
  BitErrors errors_;
  Serialiser lanes_;

  std::deque<Sent> fresh_;           ///< have their credits, not yet sent
  std::deque<Sent> unacked_;         ///< the replay buffer: from base_ on
  std::uint64_t base_ = 0, resend_ = 0, next_ = 0;  ///< sequence numbers: oldest kept, next to repeat, next new
  Bytes kept_{};
  Bytes largest_ = 128_B;
  int replays_ = 0;                  ///< REPLAY_NUM
  Picoseconds deadline_{}, down_until_{}, wake_at_{}, full_since_{-1};
  bool timing_ = false, ticking_ = false;

  DelayLine<Flying> flying_;
  std::size_t flying_tlps_ = 0;

  std::uint64_t expected_ = 0;       ///< the receiver's: next in order
  bool nak_scheduled_ = false;
  Picoseconds deaf_until_{};
  bool owes_ack_ = false, owes_nak_ = false;  ///< to the other direction's sender, on these lanes
  std::array<Credit, 3> owed_{}, lost_{};     ///< by Flow
  bool owes_credit_ = false;
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
};

}  // namespace gicsim::pcie
