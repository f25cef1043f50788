// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/cells.h"
#include "traces/import/detail/machine_format.h"

/// nvidia-smi topo -m and -mp: how far each GPU and NIC is from each other one.
namespace gicsim::imports::detail {
namespace {

bool is_label(std::string_view word) {
  return (begins(word, "GPU") || begins(word, "NIC")) ? whole(word.substr(3)).has_value() : begins(word, "mlx5_");
}

bool is_distance(std::string_view word) {
  return word == "X" || word == "PIX" || word == "PXB" || word == "PHB" || word == "NODE" || word == "SYS" ||
         (begins(word, "NV") && whole(word.substr(2))) || word == "PSB" || word == "SOC";
}

/// Without what makes a terminal underline.
std::string plain(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b') {
      at = std::min(line.find('m', at), line.size());
    } else {
      text += line[at];
    }
  }
  return text;
}

std::vector<std::string> titles_of(std::string_view line) {
  std::vector<std::string> found;
  for (const Cell& cell : cells(line)) {
    if (!is_label(cell.text)) break;
    found.emplace_back(cell.text);
  }
  return found;
}

bool is_header(std::string_view line) {
  const auto titles = titles_of(plain(line));
  return !titles.empty() && begins(titles.front(), "GPU") && (titles.size() > 1 || has(line, "Affinity"));
}

class Reader {
 public:
  explicit Reader(MachineFile& found) : found_(found) {}

  void line(std::string_view text, int line) {
    const std::vector<Cell> words = cells(text);
    if (words.empty()) return;
    if (titles_.empty()) {
      titles_ = titles_of(text);
      numa_column_ = has(text, "NUMA Affinity");
      matrix_.seen = found_.at(line);
    } else if (words.size() == 2 && ends(words[0].text, ":") && begins(words[0].text, "NIC")) {
      legend_[std::string(words[0].text.substr(0, words[0].text.size() - 1))] = words[1].text;
    } else if (is_label(words[0].text) && words.size() > 1 && is_distance(words[1].text)) {
      row(words, line);
    }
  }

  Matrix take() {
    if (matrix_.rows.empty()) found_.mistake(matrix_.seen.line, 1, "a header without rows; give nvidia-smi topo -m whole");
    Matrix named = std::move(matrix_);
    const auto name = [&](std::string& label) {
      if (const auto known = legend_.find(label); known != legend_.end()) label = known->second;
    };
    decltype(named.cells) cells;
    for (const auto& [pair, cell] : named.cells) {
      auto [row, column] = pair;
      name(row);
      name(column);
      cells.insert_or_assign({row, column}, cell);
    }
    named.cells = std::move(cells);
    for (std::string& row : named.rows) name(row);
    return named;
  }

 private:
  void row(const std::vector<Cell>& words, int line) {
    const std::string label(words[0].text);
    if (words.size() <= titles_.size())
      return found_.mistake(line, words.back().column,
                            fmt::format("{}: {} distances, but the header names {} columns", label, words.size() - 1,
                                        titles_.size()));
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      const Cell& cell = words[i + 1];
      if (!is_distance(cell.text))
        return found_.mistake(line, cell.column, fmt::format("'{}' is no distance; they are X, NV#, PIX, PXB, PHB, NODE, SYS", cell.text));
      matrix_.cells.insert_or_assign({label, titles_[i]}, Fact<std::string>{std::string(cell.text), found_.at(line, "topo -m")});
    }
    matrix_.rows.push_back(label);
    const std::size_t at = titles_.size() + 2;  // behind the CPU affinity
    if (!numa_column_ || words.size() <= at) return;
    const auto node = whole(words[at].text.substr(0, words[at].text.find_first_of("-,")));
    if (node && *node < 256) matrix_.numa.insert_or_assign(label, Fact<int>{static_cast<int>(*node), found_.at(line, "NUMA Affinity")});
  }

  MachineFile& found_;
  Matrix matrix_;
  std::vector<std::string> titles_;
  std::map<std::string, std::string> legend_;
  bool numa_column_ = false;
};

bool detect(std::string_view head) { return any_line(head, is_header); }

void read(Input& in, MachineFile& found) {
  Reader reader(found);
  bool begun = false;
  while (in.next()) {
    begun = begun || is_header(in.line());
    if (begun) reader.line(plain(in.line()), in.number());
  }
  Matrix matrix = reader.take();
  if (!found.facts.matrix) found.facts.matrix = std::move(matrix);
}

}  // namespace

const MachineFormat smi_topo{"nvidia-smi topo -m", detect, read};

}  // namespace gicsim::imports::detail
