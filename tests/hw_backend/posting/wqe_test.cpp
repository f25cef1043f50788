// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/wqe.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

#include "hw_backend/posting/queue.h"

// The arrays are worked out by hand from the layout of mlx5dv.h, never taken from the encoder.
namespace gicsim::hw::posting {
namespace {

template <class T>
std::vector<unsigned> bytes_of(const T& value) {
  std::array<unsigned char, sizeof(T)> raw{};
  std::memcpy(raw.data(), &value, sizeof(T));
  return {raw.begin(), raw.end()};
}
using Bytes = std::vector<unsigned>;

TEST_CASE("wqe: control segment") {
  // opmod 00, index 0x1234, opcode RDMA_WRITE 08; QPN 0x00abcd, ds 3; no signature, stream 0, flag 08: CQE; immediate 0
  CHECK(bytes_of(control(Opcode::write, 0x1234, 0xabcd, 3, want_cqe)) ==
        Bytes{0x00, 0x12, 0x34, 0x08, 0x00, 0xab, 0xcd, 0x03, 0, 0, 0, 0x08, 0, 0, 0, 0});
  // opcode 09 with immediate 0xdeadbeef; flags CQE 08 and fence 80 make 88
  CHECK(bytes_of(control(Opcode::write_imm, 1, 0x123456, 4, want_cqe | after_reads, 0xdeadbeef)) ==
        Bytes{0x00, 0x00, 0x01, 0x09, 0x12, 0x34, 0x56, 0x04, 0, 0, 0, 0x88, 0xde, 0xad, 0xbe, 0xef});
  // index 65536 + 2 travels as 2: the byte before it is the opcode's modifier
  CHECK(bytes_of(control(Opcode::read, 0x10002, 1, 3, 0)) == Bytes{0x00, 0x00, 0x02, 0x10, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("wqe: addresses, keys, lengths") {
  // 8 bytes of address, 4 of key, 4 reserved
  CHECK(bytes_of(remote_address(0x0102030405060708, 0x11223344)) ==
        Bytes{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x11, 0x22, 0x33, 0x44, 0, 0, 0, 0});
  // 4 of length (4096 = 0x1000), 4 of key, 8 of address
  CHECK(bytes_of(local_data(4096, 0xaabbccdd, 0x7f00000000001000)) ==
        Bytes{0x00, 0x00, 0x10, 0x00, 0xaa, 0xbb, 0xcc, 0xdd, 0x7f, 0, 0, 0, 0, 0, 0x10, 0x00});
  // swap or add first, then compare
  CHECK(bytes_of(atomic_operands(1, 0x8000000000000002)) == Bytes{0, 0, 0, 0, 0, 0, 0, 1, 0x80, 0, 0, 0, 0, 0, 0, 2});
}

TEST_CASE("wqe: inline payload") {
  // header 0x80000008: inline flag and 8 bytes; the payload keeps the order of the poster's memory (0x0807…01 little-endian)
  CHECK(bytes_of(inline_data(8, 0x04030201, 0x08070605, 0)) == Bytes{0x80, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0});
  // 28 = 0x1c: the most that ends with byte 63
  CHECK(bytes_of(inline_data(28, 0, 0, 0)) == Bytes{0x80, 0, 0, 0x1c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("wqe: size in units of 16 B") {
  CHECK(wqe_size(Opcode::write, false, 1 << 20) == 3);  // control, remote address, data
  CHECK(wqe_size(Opcode::read, false, 8) == 3);
  CHECK(wqe_size(Opcode::cas, false, 8) == 4);  // and operands
  CHECK(wqe_size(Opcode::fadd, false, 8) == 4);
  CHECK(wqe_size(Opcode::write, true, 12) == 3);  // 4 + 12 = 16
  CHECK(wqe_size(Opcode::write, true, 13) == 4);
  CHECK(wqe_size(Opcode::write_imm, true, inline_most) == 4);  // 4 + 28 = 32
}

TEST_CASE("wqe: doorbell record and doorbell") {
  CHECK(bytes_of(record_of(0x1235)) == Bytes{0x00, 0x00, 0x12, 0x35});
  CHECK(bytes_of(record_of(0x10000)) == Bytes{0, 0, 0, 0});  // 16 bits
  const Segment c = control(Opcode::write, 0xff00, 0x42, 3, want_cqe, 7);
  CHECK(bytes_of(doorbell_of(c)) == Bytes{0x00, 0xff, 0x00, 0x08, 0x00, 0x00, 0x42, 0x03});  // as the WQE starts
}

TEST_CASE("wqe: a control segment is read") {
  const Segment s = [] {
    const unsigned char raw[16] = {0x01, 0xff, 0xfe, 0x12, 0x00, 0x00, 0x42, 0x04, 0, 0, 0, 0x88, 0, 0, 0, 9};
    Segment segment{};
    std::memcpy(&segment, raw, sizeof raw);
    return segment;
  }();
  const Control c = decode(s);
  CHECK(c.opmod == 1);
  CHECK(c.index == 0xfffe);
  CHECK(c.opcode == 0x12);
  CHECK(c.qpn == 0x42);
  CHECK(c.size == 4);
  CHECK(c.flags == 0x88);
  CHECK(c.immediate == 9);
  CHECK(decode_doorbell(doorbell_of(s)).index == 0xfffe);
}

TEST_CASE("cqe: bytes 44 to 63") {
  const Control wqe{0, 0x08, 0x1234, 0x42, 3, want_cqe, 0};
  const Bytes good = bytes_of(cqe_of(wqe, 8, 1));
  // byte count; opcode and QPN of the WQE; counter; signature; opcode 0 << 4 | owner 1
  CHECK(Bytes(good.begin() + 44, good.begin() + 48) == Bytes{0, 0, 0, 8});
  CHECK(Bytes(good.begin() + 56, good.end()) == Bytes{0x08, 0x00, 0x00, 0x42, 0x12, 0x34, 0x00, 0x01});
  const Cqe wrong = error_cqe_of(wqe, 0x13, 0x07, 0);
  const Bytes bad = bytes_of(wrong);
  // vendor 54, syndrome 55; opcode 13 << 4
  CHECK(Bytes(bad.begin() + 54, bad.end()) == Bytes{0x07, 0x13, 0x08, 0x00, 0x00, 0x42, 0x12, 0x34, 0x00, 0xd0});
  CHECK(cqe_syndrome(wrong.word[13]) == 0x13);
  CHECK(cqe_vendor(wrong.word[13]) == 0x07);
}

TEST_CASE("cqe: the last word is read") {
  std::uint32_t tail = 0;
  const unsigned char raw[4] = {0xab, 0xcd, 0x00, 0xd1};
  std::memcpy(&tail, raw, 4);
  CHECK(decode_tail(tail).opcode == CqeOpcode::request_error);
  CHECK(decode_tail(tail).owner == 1);
  CHECK(decode_tail(tail).counter == 0xabcd);
  CHECK(decode_tail(0xffffffff).opcode == CqeOpcode::unused);
}

TEST_CASE("cqe: the owner bit flips each time round, counters wrap") {
  CHECK(cqe_owner(0, 4) == 0);
  CHECK(cqe_owner(3, 4) == 0);
  CHECK(cqe_owner(4, 4) == 1);
  CHECK(cqe_owner(8, 4) == 0);
  CHECK(reached(5, 5));
  CHECK(reached(6, 5));
  CHECK_FALSE(reached(4, 5));
  CHECK(reached(0, 65535));
  CHECK(reached(2, 0x1fffe));
  CHECK_FALSE(reached(0xfffd, 0x1fffe));
}

TEST_CASE("queue: only the CQE that is due is taken") {
  Queue q;
  q.depth = q.completion_depth = 4;
  QueueState s{};
  s.posted = 3;
  CHECK(take(q, s, 0xffffffff) == Seen::nothing);                                  // never written
  CHECK(take(q, s, cqe_tail(CqeOpcode::request, 1, 0)) == Seen::nothing);          // the owner bit of a turn ago
  CHECK(take(q, s, cqe_tail(CqeOpcode::request, 0, 3)) == Seen::nothing);          // a counter that wasn't posted
  CHECK(take(q, s, cqe_tail(CqeOpcode::request, 0, 1)) == Seen::done);             // 0 and 1 are done
  CHECK(s.completed == 2);
  CHECK(s.cqes == 1);
  CHECK(take(q, s, cqe_tail(CqeOpcode::request, 0, 1)) == Seen::nothing);          // the same again
  CHECK(take(q, s, cqe_tail(CqeOpcode::request_error, 0, 2)) == Seen::error);
  CHECK(s.completed == 2);
}

TEST_CASE("queue: a collapsed CQE is told by its counter, modulo 65536") {
  Cqe only{};
  Queue q;
  q.depth = q.completion_depth = 1024;
  q.collapsed = true;
  q.completions = &only;
  QueueState s{};
  s.completed = 0x1fffe, s.posted = 0x20003, s.cqes = 77;
  CHECK(due(q, s) == &only);
  CHECK(take(q, s, cqe_tail(CqeOpcode::request, 0, 0xfffd)) == Seen::nothing);  // known
  CHECK(take(q, s, cqe_tail(CqeOpcode::request, 1, 3)) == Seen::nothing);       // 0x20003 wasn't posted
  CHECK(take(q, s, cqe_tail(CqeOpcode::request, 1, 2)) == Seen::done);
  CHECK(s.completed == 0x20003);
}

TEST_CASE("stuck: says what was waited for") {
  CHECK(to_text({Stuck::completion, 2, 17, cqe_tail(CqeOpcode::request, 1, 16), 0}) ==
        "queue 2: waited in vain for the CQE of WQE 17; the one that is due reads opcode 0, owner 1, counter 16");
  CHECK(to_text({Stuck::inbox, 0, 5, 4, 0}) == "queue 0: waited in vain for the value 5 in the inbox; it holds 4");
}

}  // namespace
}  // namespace gicsim::hw::posting
