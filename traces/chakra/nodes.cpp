// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/chakra/nodes.h"

#include <algorithm>

#include "models/base/errors.h"
#include "traces/chakra/wire.h"

namespace gicsim::chakra {
namespace {

constexpr std::size_t head_size = 4096;

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

bool looks_like_json(std::string_view head) {
  const auto first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == head.npos || head[first] != '{') return false;
  if (has(head, "\"workload_graph\"")) return true;
  if (has(head, "\"traceEvents\"")) return false;
  return has(head, "_NODE\"") || has(head, "\"durationMicros\"") || has(head, "\"ctrlDeps\"") ||
         has(head, "\"dataDeps\"") || (has(head, "\"schema\"") && has(head, "chakra"));
}

bool looks_like_protobuf(std::string_view head) {
  const auto control = [](char c) { return c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t'; };
  if (std::none_of(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(64, head.size())),
                   control))
    return false;  // a text
  std::size_t at = 0;
  for (int n = 0; n < 2; ++n) {
    if (at == head.size()) return n > 0;
    std::uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at == head.size() || shift > 28) return false;
      const auto c = static_cast<unsigned char>(head[at++]);
      length |= std::uint64_t{c & 0x7fu} << shift;
      if (c < 0x80) break;
    }
    if (length > largest_message) return false;
    const std::string_view message = head.substr(at, length);
    const bool whole = message.size() == length;
    Fields field(message, at);
    std::uint32_t seen = 0;
    while (field.next()) {
      using Kind = Fields::Kind;
      if (field.number > 11 || field.kind == Kind::fixed32 || field.kind == Kind::fixed64) return false;
      const bool number = field.kind == Kind::varint, id = field.number == 1;
      const bool numbers = field.number == 3 || field.number == 6 || field.number == 7;
      if (numbers != number && !(id || field.number == 4 || field.number == 5)) return false;
      ++seen;
    }
    if (whole && field.broken()) return false;
    if (!whole) return n > 0 || seen > 0 || (!message.empty() && (message[0] == 0x0a || message[0] == 0x12));
    at += length;
  }
  return true;
}

Nodes::Nodes(std::string file) : in_(std::move(file)) {
  const std::string head = in_.head(head_size);
  if (head.empty()) throw ConfigError(Location{in_.file()}, "is empty");
  const auto first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == head.npos || head[first] != '{' || looks_like_protobuf(head)) return;
  form_ = Form::json;
  if (has(head, "\"workload_graph\""))
    of_ = stream::Items::Of::members;
  else if (has(head, "\"schema\"") && has(head, "\"nodes\""))
    throw ConfigError(Location{in_.file()},
                      "an execution trace as PyTorch's observer writes it, without times or messages; link it with its "
                      "Kineto trace (chakra_trace_link) and convert it (chakra_converter), or give the Kineto trace");
  items_ = std::make_unique<stream::Items>(in_, of_);
}

void Nodes::rewind() {
  in_.rewind();
  first_ = true;
  if (form_ == Form::json) items_ = std::make_unique<stream::Items>(in_, of_);
}

void Nodes::fail(const Node& node, const std::string& what) const { in_.fail(node.at, what); }

bool Nodes::next(Node& node) { return form_ == Form::json ? next_object(node) : next_message(node); }

bool Nodes::next_message(Node& node) {
  std::uint64_t at = 0;
  if (!read_message(in_, message_, at)) return false;
  if (std::exchange(first_, false) && is_metadata(message_, at)) return next_message(node);
  if (const std::string why = decode(message_, at, node); !why.empty()) throw ConfigError(Location{in_.file()}, why);
  return true;
}

bool Nodes::next_object(Node& node) {
  while (items_->next(item_)) {
    if (of_ == stream::Items::Of::members && !(item_.element && (item_.key == "workload_graph"))) continue;
    const stream::Value object = items_->parse(item_);
    // protobuf's form begins with the metadata, which has neither type nor dependencies.
    if (std::exchange(first_, false) && of_ == stream::Items::Of::values && !object.find("type") &&
        !object.find("NodeType"))
      continue;
    if (const std::string why = decode(object, item_.at, node); !why.empty()) in_.fail(item_.at, why);
    return true;
  }
  return false;
}

}  // namespace gicsim::chakra
