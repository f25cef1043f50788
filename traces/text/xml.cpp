// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/text/xml.h"

#include <expat.h>

#include <memory>
#include <utility>

namespace gicsim::text {
namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_bytes = std::size_t{64} << 20;
constexpr int max_elements = 1 << 16;

struct Freed {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};
using Parser = std::unique_ptr<std::remove_pointer_t<XML_Parser>, Freed>;

/// Expat's events as a tree.
class Builder {
 public:
  Builder(XML_Parser parser, const std::string& file) : parser_(parser), file_(file) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
  }

  Location place() const {
    return {file_, static_cast<int>(XML_GetCurrentLineNumber(parser_)),
            static_cast<int>(XML_GetCurrentColumnNumber(parser_)) + 1};
  }
  Node take() { return std::move(root_); }
  const std::optional<Mistake>& refused() const { return refused_; }
  const Node* innermost() const { return open_.empty() ? nullptr : &open_.back(); }

 private:
  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    static_cast<Builder*>(self)->start(name, attributes);
  }
  static void on_end(void* self, const XML_Char*) { static_cast<Builder*>(self)->end(); }
  static void on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    static_cast<Builder*>(self)->refuse("a document type ('<!DOCTYPE'); remove it");
  }

  void refuse(std::string what) {
    if (!refused_) refused_ = Mistake{place(), std::move(what)};
    XML_StopParser(parser_, XML_FALSE);
  }

  void start(const XML_Char* name, const XML_Char** attributes) {
    if (refused_) return;
    if (open_.size() >= max_depth) return refuse("nested deeper than " + std::to_string(max_depth) + " levels");
    if (++elements_ > max_elements) return refuse("more than " + std::to_string(max_elements) + " elements");
    Node node;
    node.kind = Node::Kind::map;
    node.value = name;
    node.at = place();
    for (; *attributes != nullptr; attributes += 2) {
      Node value;
      value.kind = Node::Kind::scalar;
      value.value = attributes[1];
      value.at = node.at;
      node.members.push_back({attributes[0], node.at, std::move(value)});
    }
    open_.push_back(std::move(node));
  }

  void end() {
    if (refused_ || open_.empty()) return;
    Node done = std::move(open_.back());
    open_.pop_back();
    if (open_.empty())
      root_ = std::move(done);
    else
      open_.back().items.push_back(std::move(done));
  }

  XML_Parser parser_;
  const std::string& file_;
  std::vector<Node> open_;
  Node root_;
  std::optional<Mistake> refused_;
  int elements_ = 0;
};

std::string what_is_wrong(XML_Error error, const Node* innermost) {
  const std::string inside =
      innermost == nullptr ? "" : "<" + innermost->value + "> of line " + std::to_string(innermost->at.line);
  switch (error) {
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
      return inside.empty() ? "ends before its first element; give the whole file"
                            : "ends inside " + inside + "; give the whole file";
    case XML_ERROR_TAG_MISMATCH: return "closes another element than " + inside;
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: return "goes on behind its last '>'; give one document a file";
    case XML_ERROR_DUPLICATE_ATTRIBUTE: return "an attribute that is given twice";
    default: return std::string("no XML: ") + XML_ErrorString(error);
  }
}

}  // namespace

std::optional<Node> parse_xml(std::string_view text, const std::string& filename, std::vector<Mistake>& mistakes) {
  if (text.size() > max_bytes) {
    mistakes.push_back({{filename, 0, 0}, "larger than 64 MiB; not a file of ours"});
    return std::nullopt;
  }
  const Parser parser(XML_ParserCreate(nullptr));
  if (!parser) throw std::bad_alloc();
  Builder builder(parser.get(), filename);
  const auto status = XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
  if (builder.refused()) {
    mistakes.push_back(*builder.refused());
  } else if (status != XML_STATUS_OK) {
    mistakes.push_back({builder.place(), what_is_wrong(XML_GetErrorCode(parser.get()), builder.innermost())});
  } else {
    return builder.take();
  }
  return std::nullopt;
}

}  // namespace gicsim::text
