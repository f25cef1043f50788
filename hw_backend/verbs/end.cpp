// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/verbs/end.h"

#include <exception>
#include <thread>

namespace gicsim::hw::verbs {
namespace {

std::unique_ptr<Memory> memory_for(const Options& options, std::size_t bytes) {
  return options.gpu_memory ? gpu_memory(options.gpu, bytes) : host_memory(bytes);
}

std::string_view gdr(bool read, bool write) { return to_name(read ? (write ? Gdr::both : Gdr::read) : write ? Gdr::write : Gdr::none); }

void serve_one(const Machine& machine, const Options& options, Meeting& meeting) {
  const std::string wanted = meeting.receive();
  Shape shape;
  shape.links = static_cast<unsigned>(number_in(wanted, "links"));
  shape.depth = static_cast<unsigned>(number_in(wanted, "depth"));
  shape.bytes = number_in(wanted, "bytes");
  End end(machine, options, shape);
  end.meet(meeting);
  serve(end, meeting);
}

void measure_with(Session& session, Meeting& meeting, const Shape& shape, const Measure& measure) {
  meeting.send("links=" + std::to_string(shape.links) + " depth=" + std::to_string(shape.depth) + " bytes=" + std::to_string(shape.bytes));
  End end(session.machine, session.options, shape);
  end.meet(meeting);
  FarEnd far(meeting);
  measure(end, far);
  far.bye();
}

/// What breaks here is told there, so that neither end waits for the other.
template <class Part>
void take_part(Meeting meeting, Part part) {
  try {
    part(meeting);
  } catch (const std::exception& e) {
    meeting.give_up(e.what());
    throw;
  }
}

void alone(Session& session, const Shape& shape, const Measure& measure) {
  auto [here, there] = Meeting::in_process();
  std::thread other(
      [&session](Meeting meeting) {
        try {
          take_part(std::move(meeting), [&](Meeting& m) { serve_one(session.machine, session.options, m); });
        } catch (const std::exception&) {  // this end has been told why
        }
      },
      std::move(there));
  try {
    take_part(std::move(here), [&](Meeting& m) { measure_with(session, m, shape, measure); });
  } catch (...) {
    other.join();
    throw;
  }
  other.join();
}

}  // namespace

End::End(const Machine& machine, const Options& options, const Shape& wanted)
    : shape(wanted),
      device(open_device(machine, options)),
      pd(GICSIM_VERBS_NEW(ibv_alloc_pd(device.context.get()))),
      registered(pd.get(), memory_for(options, 2 * wanted.bytes)) {
  for (unsigned i = 0; i < shape.links; ++i) links.push_back(std::make_unique<Link>(device, pd.get(), shape.depth));
}

void End::meet(Meeting& meeting) {
  for (const auto& link : links) {
    Endpoint ours = link->endpoint(device);
    ours.rkey = registered.rkey();
    ours.address = registered.address();
    ours.bytes = shape.bytes;
    ours.gpu = registered.memory().gpu();
    meeting.send(to_text(ours));
    far.push_back(endpoint_of(meeting.receive()));
    link->connect(device, far.back());
  }
  meeting.send("connected");
  meeting.receive();  // nobody sends before both can answer
}

Operation End::put(std::size_t bytes, bool inlined, unsigned link) const {
  Operation o;
  o.local = registered.address() + out();
  o.lkey = registered.lkey();
  o.remote = far[link].address + far[link].bytes;
  o.rkey = far[link].rkey;
  o.bytes = static_cast<std::uint32_t>(bytes);
  o.inlined = inlined;
  return o;
}

Operation End::get(std::size_t bytes) const {
  Operation o;
  o.opcode = IBV_WR_RDMA_READ;
  o.local = registered.address() + in();
  o.lkey = registered.lkey();
  o.remote = far[0].address;
  o.rkey = far[0].rkey;
  o.bytes = static_cast<std::uint32_t>(bytes);
  return o;
}

std::string_view End::gdr_of_puts() const { return gdr(registered.memory().gpu(), far[0].gpu); }
std::string_view End::gdr_of_gets() const { return gdr(far[0].gpu, registered.memory().gpu()); }

std::vector<std::pair<std::string, Record::Plain>> partner_of(const Options& options) {
  if (options.meet != Options::Meet::alone) return {};
  return {{"partner", std::string("self")}};
}

void with_partner(Session& session, std::string_view key, const Shape& shape, const Measure& measure) {
  if (session.options.meet == Options::Meet::alone) return alone(session, shape, measure);
  take_part(Meeting::over_tcp(session.options, key), [&](Meeting& m) {
    if (session.options.meet == Options::Meet::listen) serve_one(session.machine, session.options, m);
    else measure_with(session, m, shape, measure);
  });
}

}  // namespace gicsim::hw::verbs
