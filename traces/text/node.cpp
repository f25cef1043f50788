// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/text/node.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace gicsim::text {
namespace {

constexpr std::size_t max_depth = 64;
constexpr const char* never_closed = "a quote that is never closed";
constexpr std::size_t max_bytes = std::size_t{64} << 20;

/// Turns yaml-cpp's events into a tree. Its own Node forgets where keys stand and which were
/// given twice.
class Builder final : public YAML::EventHandler {
 public:
  Builder(std::string_view text, const std::string& file, std::vector<Mistake>& mistakes)
      : text_(text), file_(file), mistakes_(mistakes) {}
  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    Node node;
    node.at = place(mark);
    if (!open_.empty() && open_.back().has_key) node.at = open_.back().node.members.back().at;
    add(std::move(node));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    mistakes_.push_back({place(mark), "an alias ('*name'); write the value out"});
    OnNull(mark, {});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    if (tag == "!" && !closed(mark)) throw ConfigError(place(mark), never_closed);
    Node node;
    node.kind = Node::Kind::scalar;
    node.value = value;
    node.at = place(mark);
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, Node::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, Node::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    bool has_key = false;  ///< the last member waits for its value
  };

  Location place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  void open(const YAML::Mark& mark, Node::Kind kind) {
    if (open_.size() >= max_depth)
      throw ConfigError(place(mark), "nested deeper than " + std::to_string(max_depth) + " levels");
    Open frame;
    frame.node.kind = kind;
    frame.node.at = place(mark);
    open_.push_back(std::move(frame));
  }

  void close() {
    Node done = std::move(open_.back().node);
    open_.pop_back();
    if (done.kind == Node::Kind::map) drop_repeated(done);
    add(std::move(done));
  }

  void add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& top = open_.back();
    if (top.node.kind == Node::Kind::list) {
      top.node.items.push_back(std::move(node));
    } else if (top.has_key) {
      top.node.members.back().value = std::move(node);
      top.has_key = false;
    } else {
      if (node.kind != Node::Kind::scalar)
        mistakes_.push_back(
            {node.at, std::string(word_for(node.kind)) + " as a key; write a word and a ':'"});
      top.node.members.push_back({std::move(node.value), node.at, {}});
      top.has_key = true;
    }
  }

  void drop_repeated(Node& map) {
    std::vector<std::pair<std::string_view, std::size_t>> sorted;
    for (std::size_t i = 0; i < map.members.size(); ++i) sorted.emplace_back(map.members[i].key, i);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> repeated;
    for (std::size_t i = 1, first = 0; i < sorted.size(); ++i) {
      if (sorted[i].first != sorted[first].first) {
        first = i;
        continue;
      }
      const Member& again = map.members[sorted[i].second];
      const int line = map.members[sorted[first].second].at.line;
      mistakes_.push_back(
          {again.at, again.key + ": given twice (first on line " + std::to_string(line) + ")"});
      repeated.push_back(sorted[i].second);
    }
    std::sort(repeated.rbegin(), repeated.rend());
    for (const std::size_t i : repeated)
      map.members.erase(map.members.begin() + static_cast<std::ptrdiff_t>(i));
  }

  /// yaml-cpp reads an open quote to the end of the file and is content.
  bool closed(const YAML::Mark& mark) const {
    auto at = static_cast<std::size_t>(mark.pos);
    if (at >= text_.size() || (text_[at] != '\'' && text_[at] != '"')) return true;
    const char quote = text_[at];
    for (++at; at < text_.size(); ++at) {
      if (quote == '"' && text_[at] == '\\') {
        ++at;
      } else if (text_[at] == quote) {
        if (quote == '"' || text_.substr(at + 1, 1) != "'") return true;
        ++at;
      }
    }
    return false;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Mistake>& mistakes_;
  std::vector<Open> open_;
  Node root_;
};

/// yaml-cpp's words are terse; these say what to do.
std::string explained(const std::string& message) {
  static constexpr std::array<std::array<std::string_view, 2>, 9> known{{
      {"end of map not found", "indented unlike the lines above, or a ':' is missing"},
      {"end of map flow not found", "a '{' without its '}'"},
      {"end of sequence not found", "indented unlike the list above, or a '-' is missing"},
      {"end of sequence flow not found", "a '[' without its ']'"},
      {"illegal map value", "a ': ' that doesn't belong here; put a text that holds one in quotes"},
      {"illegal EOF in scalar", never_closed},
      {"the referenced anchor is not defined", "an alias ('*name'); write the value out"},
      {"unknown token", "a character that can't begin a value; put the text in quotes"},
      {"illegal block entry", "a '- ' that doesn't belong here"},
  }};
  for (const auto& [from, to] : known)
    if (message.compare(0, from.size(), from) == 0) return std::string(to);
  return message;
}

/// Tabs read as blanks here and as a syntax error there; they are refused before.
bool indented_by_tab(std::string_view text, const std::string& file,
                     std::vector<Mistake>& mistakes) {
  bool any = false;
  int line = 1;
  for (std::size_t start = 0; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view row = text.substr(start, end - start);
    start = end + 1;
    const std::size_t tab = row.find_first_not_of(' ');
    if (tab == row.npos || row[tab] != '\t') continue;
    const std::size_t word = row.find_first_not_of(" \t\r");
    if (word == row.npos || row[word] == '#') continue;
    mistakes.push_back({{file, line, static_cast<int>(tab) + 1}, "a tab; indent with blanks"});
    any = true;
  }
  return any;
}

template <class Read>
Node whole(Read read) {
  std::vector<Mistake> mistakes;
  std::optional<Node> node = read(mistakes);
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  return *std::move(node);
}

}  // namespace

const Member* Node::find(std::string_view key) const {
  for (const Member& member : members)
    if (member.key == key) return &member;
  return nullptr;
}

std::string_view word_for(Node::Kind kind) {
  static constexpr std::array<std::string_view, 4> words{"nothing", "a value", "a list", "a map"};
  return words[static_cast<std::size_t>(kind)];
}

std::optional<Node> parse(std::string_view text, const std::string& filename,
                          std::vector<Mistake>& mistakes) {
  if (text.size() > max_bytes) {
    mistakes.push_back({{filename, 0, 0}, "larger than 64 MiB; not a file of ours"});
    return std::nullopt;
  }
  if (text.find('\0') != text.npos) {
    mistakes.push_back({{filename, 0, 0}, "not a text file"});
    return std::nullopt;
  }
  if (indented_by_tab(text, filename, mistakes)) return std::nullopt;
  try {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Builder builder(text, filename, mistakes);
    parser.HandleNextDocument(builder);
    Node root = builder.take();
    Builder next(text, filename, mistakes);
    if (parser.HandleNextDocument(next))
      mistakes.push_back({next.take().at, "a second document; write one a file"});
    if (root.kind != Node::Kind::null) return root;
    mistakes.push_back({{filename, 0, 0}, "is empty"});
  } catch (const YAML::Exception& e) {
    mistakes.push_back({{filename, std::max(e.mark.line, 0) + 1, std::max(e.mark.column, 0) + 1},
                        explained(e.msg)});
  } catch (const ConfigError& e) {
    mistakes.insert(mistakes.end(), e.mistakes().begin(), e.mistakes().end());
  }
  return std::nullopt;
}

std::optional<Node> load(const std::string& path, std::vector<Mistake>& mistakes,
                         const std::string& shown) {
  const std::string& name = shown.empty() ? path : shown;
  const auto fail = [&](std::string what) {
    mistakes.push_back({{name, 0, 0}, std::move(what)});
    return std::nullopt;
  };
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return fail("no such file");
  if (std::filesystem::is_directory(path, ignored)) return fail("a directory; give a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(std::string("can't be read: ") + std::strerror(errno));
  std::string text;
  std::array<char, 1 << 14> piece;
  while (text.size() <= max_bytes && (file.read(piece.data(), piece.size()) || file.gcount() > 0))
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return fail(std::string("can't be read: ") + std::strerror(errno));
  return parse(text, name, mistakes);
}

Node parse(std::string_view text, const std::string& filename) {
  return whole([&](std::vector<Mistake>& mistakes) { return parse(text, filename, mistakes); });
}

Node load(const std::string& path) {
  return whole([&](std::vector<Mistake>& mistakes) { return load(path, mistakes); });
}

}  // namespace gicsim::text
