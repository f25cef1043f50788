// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/prm.h"

#include <doctest/doctest.h>

#include <map>

namespace gicsim::hw::prm {
namespace {

/// All bytes that aren't 0, by their place: worked out by hand from the field tables, so that a field that is off by a bit,
/// or one that is set though it shouldn't be, shows.
using Bytes = std::map<unsigned, unsigned>;
Bytes set_in(const Command& c) {
  Bytes found;
  for (unsigned i = 0; i < c.size(); ++i)
    if (c[i] != 0) found[i] = c[i];
  return found;
}

TEST_CASE("prm: CREATE_CQ") {
  CompletionQueue q;
  q.umem = 0x01020304;
  q.uar_page = 0x0a0b0c;
  q.event_queue = 0x11;
  q.log_entries = 10;
  q.ring = 0x10000;
  q.record = 0x20040;
  const Command c = create_cq(q);
  CHECK(c.size() == 272);
  CHECK(set_in(c) == Bytes{{0, 0x04},                                             // opcode 0x400
                           {16, 0x02}, {17, 0x02},                                // record in a umem; overrun ignored
                           {20, 1}, {21, 2}, {22, 3}, {23, 4},                    // the record's umem
                           {28, 10}, {29, 0x0a}, {30, 0x0b}, {31, 0x0c},          // entries, UAR page
                           {39, 0x11}, {40, 4},                                   // event queue, 64 KiB pages
                           {77, 0x02}, {79, 0x40},                                // the record's offset
                           {85, 0x01},                                            // the ring's offset
                           {88, 1}, {89, 2}, {90, 3}, {91, 4}, {92, 0x80}});      // the ring's umem
}

TEST_CASE("prm: CREATE_QP") {
  QueuePair q;
  q.umem = 0x01020304;
  q.uar_page = 0x0a0b0c;
  q.pd = 0x0d0e0f;
  q.cq = 0x212223;
  q.log_entries = 15;
  q.record = 0x20080;
  const Command c = create_qp(q);
  CHECK(c.size() == 272);
  CHECK(set_in(c) == Bytes{{0, 0x05},                                                        // opcode 0x500
                           {26, 0x18},                                                       // path migrated
                           {29, 0x0d}, {30, 0x0e}, {31, 0x0f},                               // PD
                           {34, 0x78},                                                       // 2^15 entries
                           {37, 0x0a}, {38, 0x0b}, {39, 0x0c},                               // UAR page
                           {149, 0x21}, {150, 0x22}, {151, 0x23},                            // send CQ
                           {181, 0x21}, {182, 0x22}, {183, 0x23},                            // receive CQ
                           {189, 0x02}, {191, 0x80},                                         // the record's offset
                           {196, 0x03},                                                      // no receive queue
                           {232, 0x10}, {252, 1}, {253, 2}, {254, 3}, {255, 4},              // the record's umem
                           {264, 1}, {265, 2}, {266, 3}, {267, 4}, {268, 0x80}});            // the ring's umem
}

TEST_CASE("prm: RST2INIT") {
  CHECK(set_in(reset_to_init(0x313233, 2)) == Bytes{{0, 0x05}, {1, 0x02}, {9, 0x31}, {10, 0x32}, {11, 0x33},
                                                    {26, 0x18},                 // path migrated
                                                    {85, 0x02},                 // port
                                                    {169, 0x01}, {170, 0xe0}}); // atomics; reads, writes, atomics allowed
}

ReadyToReceive ready() {
  ReadyToReceive r;
  r.qpn = 0x313233;
  r.far_qpn = 0x414243;
  r.far_psn = 0x515253;
  r.mtu = 5;
  r.log_reads = 4;
  return r;
}

TEST_CASE("prm: INIT2RTR over InfiniBand, by LID") {
  ReadyToReceive r = ready();
  r.route.lid = 0x0607;
  CHECK(set_in(init_to_rtr(r)) == Bytes{{0, 0x05}, {1, 0x03}, {9, 0x31}, {10, 0x32}, {11, 0x33},
                                        {32, 0xbe},                                        // MTU 4096, messages up to 2^30
                                        {45, 0x41}, {46, 0x42}, {47, 0x43},                // far QPN
                                        {54, 0x06}, {55, 0x07},                            // LID
                                        {85, 0x01},                                        // port
                                        {169, 0x80},                                       // 16 reads
                                        {172, 0x0c}, {173, 0x51}, {174, 0x52}, {175, 0x53}});  // RNR timer, PSN
}

TEST_CASE("prm: INIT2RTR over RoCE") {
  ReadyToReceive r = ready();
  r.route.ethernet = true;
  r.route.gid = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 2};
  r.route.mac = {0x61, 0x62, 0x63, 0x64, 0x65, 0x66};
  r.route.gid_index = 3;
  CHECK(set_in(init_to_rtr(r)) == Bytes{{0, 0x05}, {1, 0x03}, {9, 0x31}, {10, 0x32}, {11, 0x33},
                                        {32, 0xbe},
                                        {45, 0x41}, {46, 0x42}, {47, 0x43},
                                        {57, 0x03}, {59, 0x40},                            // own GID, hop limit
                                        {74, 0xff}, {75, 0xff}, {76, 10}, {79, 2},         // far GID
                                        {82, 0xf2}, {83, 0x33},                            // UDP source port
                                        {85, 0x01},
                                        {86, 0x61}, {87, 0x62}, {88, 0x63}, {89, 0x64}, {90, 0x65}, {91, 0x66},  // far MAC
                                        {169, 0x80},
                                        {172, 0x0c}, {173, 0x51}, {174, 0x52}, {175, 0x53}});
}

TEST_CASE("prm: RTR2RTS") {
  CHECK(set_in(rtr_to_rts({0x313233, 0x515253, 4})) == Bytes{{0, 0x05}, {1, 0x04}, {9, 0x31}, {10, 0x32}, {11, 0x33},
                                                             {56, 0x70},                                // 67 ms
                                                             {136, 0x80},                               // an ACK each 256 packets
                                                             {137, 0x87}, {138, 0xe0},                  // 16 reads, 7 and 7 retries
                                                             {145, 0x51}, {146, 0x52}, {147, 0x53}});   // PSN
}

TEST_CASE("prm: what the firmware answers") {
  const Answer good = answer_of({0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x12, 0x34, 0x56, 0, 0, 0, 0});
  CHECK(good.status == 0);
  CHECK(good.number == 0x123456);
  const Answer bad = answer_of({3, 0, 0, 0, 0x00, 0xab, 0xcd, 0xef});
  CHECK(bad.status == 3);
  CHECK(bad.syndrome == 0xabcdef);
}

}  // namespace
}  // namespace gicsim::hw::prm
