// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "traces/chakra/node.h"
#include "traces/stream/input.h"
#include "traces/stream/items.h"

namespace gicsim::chakra {

/// One rank's file, node by node: protobuf messages, or one of the two JSON forms.
class Nodes {
 public:
  enum class Form : std::uint8_t { protobuf, json };
  explicit Nodes(std::string file);

  /// @return false at the end of the file
  /// @throws ConfigError, with the octet
  bool next(Node& node);
  void rewind();
  Form form() const { return form_; }
  const std::string& file() const { return in_.file(); }
  double progress() const { return in_.progress(); }
  [[noreturn]] void fail(const Node& node, const std::string& what) const;

 private:
  bool next_message(Node& node);
  bool next_object(Node& node);

  stream::Input in_;
  Form form_ = Form::protobuf;
  stream::Items::Of of_ = stream::Items::Of::values;
  std::unique_ptr<stream::Items> items_;
  stream::Item item_;
  std::string message_;
  bool first_ = true;
};

/// What a file's first octets look like.
bool looks_like_protobuf(std::string_view head);
bool looks_like_json(std::string_view head);

}  // namespace gicsim::chakra
