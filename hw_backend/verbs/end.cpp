// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/verbs/end.h"

#include "hw_backend/core/payload.h"

namespace gicsim::hw::verbs {
namespace {

std::string_view gdr(bool read, bool write) {
  if (read) return to_name(write ? Gdr::both : Gdr::read);
  return to_name(write ? Gdr::write : Gdr::none);
}

}  // namespace

std::string to_text(const Shape& s) {
  return "queues=" + std::to_string(s.queues) + " depth=" + std::to_string(s.depth) +
         " bytes=" + std::to_string(s.bytes) + " variant=" + std::to_string(s.variant);
}

Shape shape_of(const std::string& line) {
  return {static_cast<unsigned>(number_in(line, "queues")), static_cast<unsigned>(number_in(line, "depth")),
          number_in(line, "bytes"), static_cast<unsigned>(number_in(line, "variant"))};
}

End::End(const Shape& wanted, Device opened, std::unique_ptr<Memory> memory)
    : shape(wanted),
      device(std::move(opened)),
      pd(GICSIM_VERBS_NEW(ibv_alloc_pd(device.context.get()))),
      registered(pd.get(), std::move(memory)) {}

const Endpoint& End::trade(Meeting& meeting, Endpoint ours) {
  ours.rkey = registered.rkey();
  ours.address = registered.address();
  ours.bytes = shape.bytes;
  ours.gpu = memory().gpu();
  meeting.send(to_text(ours));
  return far.emplace_back(endpoint_of(meeting.receive()));
}

void End::fill(std::uint32_t seed, std::size_t bytes) {
  const std::vector<std::uint8_t> made = payload(seed, bytes);
  memory().write(out(), made.data(), bytes);
}

std::string_view End::gdr_of_puts() const { return gdr(memory().gpu(), far[0].gpu); }
std::string_view End::gdr_of_gets() const { return gdr(far[0].gpu, memory().gpu()); }

std::vector<std::pair<std::string, Record::Plain>> partner_of(const Options& options) {
  if (options.meet != Options::Meet::alone) return {};
  return {{"partner", std::string("self")}};
}

VerbsEnd::VerbsEnd(const Machine& machine, const Options& options, const Shape& wanted)
    : End(wanted, open_device(machine, options),
          options.gpu_memory ? gpu_memory(options.gpu, 2 * wanted.bytes) : host_memory(2 * wanted.bytes)) {
  for (unsigned i = 0; i < shape.queues; ++i) links.push_back(std::make_unique<Link>(device, pd.get(), shape.depth));
}

void VerbsEnd::meet(Meeting& meeting) {
  for (const auto& link : links) link->connect(device, trade(meeting, link->endpoint(device)));
  meeting.send("connected");
  meeting.receive();  // nobody sends before both can answer
}

Operation VerbsEnd::put(std::size_t bytes, bool inlined, unsigned link) const {
  Operation o;
  o.local = registered.address() + out();
  o.lkey = registered.lkey();
  o.remote = far_in(link);
  o.rkey = far[link].rkey;
  o.bytes = static_cast<std::uint32_t>(bytes);
  o.inlined = inlined;
  return o;
}

Operation VerbsEnd::get(std::size_t bytes) const {
  Operation o;
  o.opcode = IBV_WR_RDMA_READ;
  o.local = registered.address() + in();
  o.lkey = registered.lkey();
  o.remote = far[0].address;
  o.rkey = far[0].rkey;
  o.bytes = static_cast<std::uint32_t>(bytes);
  return o;
}

void VerbsEnd::answer(const std::string& line, Meeting& meeting) {
  if (memory().gpu())
    throw HardwareError("a CPU can't look into GPU memory: run ping_pong without --memory gpu at both ends");
  const std::size_t bytes = number_in(line, "bytes"), n = number_in(line, "n");
  const Operation reply = put(bytes, number_in(line, "inlined") != 0);
  std::uint8_t* last_out = memory().data() + out() + bytes - 1;
  const volatile std::uint8_t* last_in = memory().data() + in() + bytes - 1;
  Link& link = *links[0];
  meeting.send("ready");
  for (unsigned i = 1; i <= n; ++i) {
    spin("no ping", [&] { return *last_in == mark(i); });
    *last_out = mark(i);
    link.post(reply);
    link.wait();
  }
  meeting.send("answered");
}

}  // namespace gicsim::hw::verbs
