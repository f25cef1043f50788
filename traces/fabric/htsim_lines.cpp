// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/fabric/detail/triggers.h"

namespace gicsim::fabric {
namespace {

constexpr std::uint64_t most_bytes = 1ull << 60, most_id = 0xffff'ffff;

}  // namespace

Connection read_connection(const WordLines& in, std::uint64_t nodes) {
  Connection one;
  const Word first = in.words()[0];
  const std::size_t arrow = first.text.find("->");
  if (nodes == 0) in.fail(0, "'Nodes N' has to come first");
  if (arrow == first.text.npos || !whole(first.text.substr(0, arrow), one.from) ||
      !whole(first.text.substr(arrow + 2), one.to))
    in.fail(0,
            "begins no line; write '0->1 start 0 size 4096', 'trigger id 1 oneshot', Nodes, Connections or Triggers");
  if (one.from >= nodes || one.to >= nodes)
    in.fail(0, fmt::format("there are {} nodes; write 0 .. {}", nodes, nodes - 1));
  if (one.from == one.to) in.fail(0, "a flow to its own sender; write another node");
  one.place = in.lines().number();
  bool sized = false;
  for (std::size_t i = 1; i < in.words().size(); ++i) {
    const std::string_view word = in.words()[i].text;
    if (word == "start") {
      one.start = in.time(++i, "the begin in ps", 1);
      one.starts = true;
    } else if (word == "size") {
      one.bytes = in.number(++i, "bytes", most_bytes);
      sized = true;
    } else if (word == "prio") {
      in.number(++i, "the priority", most_id);
    } else if (word == "id" || word == "trigger" || word == "send_done_trigger" || word == "recv_done_trigger") {
      std::uint64_t& number = word == "id"                  ? one.id
                              : word == "trigger"           ? one.trigger
                              : word == "send_done_trigger" ? one.send_done
                                                            : one.recv_done;
      number = in.number(++i, "its number, from 1", most_id);
      if (number == 0) in.fail(i, "write its number, from 1");
    } else if (word != "addon") {
      in.fail(i,
              "means nothing here; a flow has id, start or trigger, size, prio, send_done_trigger, recv_done_trigger");
    }
  }
  if (one.starts == (one.trigger > 0)) in.fail(in.words().size(), "a flow has either 'start PS' or 'trigger ID'");
  if (!sized) in.fail(in.words().size(), "a flow has a 'size BYTES'");
  return one;
}

void read_trigger(const WordLines& in, Triggers& to) {
  std::uint64_t id = 0, count = 0;
  auto type = Triggers::Type::none;
  for (std::size_t i = 1; i < in.words().size(); ++i) {
    const std::string_view word = in.words()[i].text;
    if (word == "id")
      id = in.number(++i, "the trigger's number, from 1", most_id);
    else if (word == "count")
      count = in.number(++i, "how many flows it waits for", most_id);
    else if (word == "oneshot" || word == "multishot" || word == "barrier")
      type = word == "oneshot"   ? Triggers::Type::oneshot
             : word == "barrier" ? Triggers::Type::barrier
                                 : Triggers::Type::multishot;
    else
      in.fail(i, "means nothing here; write 'trigger id 1 oneshot', multishot, or 'barrier count 4'");
  }
  if (id == 0 || type == Triggers::Type::none)
    in.fail(in.words().size(), "write 'trigger id 1 oneshot', multishot, or 'barrier count 4'");
  to.declare(in, id, type, count);
}

}  // namespace gicsim::fabric
