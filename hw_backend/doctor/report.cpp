// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/doctor/report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ostream>

#include "hw_backend/doctor/text.h"

namespace gicsim::hw::checkup {
namespace {

constexpr std::size_t width = 118;

std::string padded(std::string_view text, std::size_t to) {
  return std::string(text) + std::string(to > text.size() ? to - text.size() : 1, ' ');
}

/// `text` behind `head`, folded at blanks; later lines stand under its beginning.
void folded(const std::string& head, const std::string& text, std::ostream& out) {
  std::string line = head;
  bool begun = false;
  for (const std::string& word : words_of(text)) {
    if (begun && line.size() + 1 + word.size() > width) {
      out << line << '\n';
      line.assign(head.size(), ' ');
      begun = false;
    }
    line += (begun ? " " : "") + word;
    begun = true;
  }
  out << line << '\n';
}

std::string lower(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

/// A message of ours against one that somebody pasted: either holds the other, or the pasted one a telling part of
/// ours.
bool alike(const std::string& ours, const std::string& pasted) {
  constexpr std::size_t telling = 10;  // characters
  if (holds(ours, pasted)) return true;
  for (std::size_t begin = 0; begin < ours.size();) {
    const std::size_t end = std::min(ours.find(": ", begin), ours.size());
    if (end - begin >= telling && holds(pasted, ours.substr(begin, end - begin))) return true;
    begin = end + 2;
  }
  return false;
}

}  // namespace

void print_files(const std::vector<SavedFile>& files, std::ostream& out) {
  for (const SavedFile& file : files) {
    if (!file.kind.empty()) folded("read     " + file.name + ": ", file.kind + ", for " + file.feeds, out);
    if (!file.wrong.empty()) folded(file.kind.empty() ? "left out " : "         ", file.wrong, out);
  }
  out << '\n';
}

int print_report(const Evidence& e, std::ostream& out) {
  std::array<int, 5> count{};
  std::size_t longest = 0;
  for (const Check& check : checks()) longest = std::max(longest, check.key.size());
  for (const Check& check : checks()) {
    const Finding f = check.judge(e);
    ++count[static_cast<std::size_t>(f.verdict)];
    folded(padded(to_name(f.verdict), 12) + padded(check.key, longest + 2), f.seen, out);
    if (f.verdict < Verdict::warn) continue;
    const std::string indent(12 + longest + 2, ' ');
    folded(indent + "why: ", f.cause, out);
    folded(indent + "fix: ", f.fix, out);
    std::string mark = "seen as: ";
    for (const Message& m : check.messages) {  // never folded: whoever greps for one must find it
      out << indent << mark << '"' << m.text << "\"\n";
      mark = "         ";
    }
  }
  out << '\n' << checks().size() << " checks: ";
  for (const Verdict v : {Verdict::fail, Verdict::warn, Verdict::pass, Verdict::unknown, Verdict::skipped})
    out << (v == Verdict::fail ? "" : ", ") << count[static_cast<std::size_t>(v)] << ' ' << to_name(v);
  out << '\n';
  return count[static_cast<std::size_t>(Verdict::fail)] > 0 ? 1 : 0;
}

int explain(const std::string& message, std::ostream& out) {
  const std::string wanted = lower(message);
  bool any = false;
  for (const Check& check : checks())
    for (const Message& m : check.messages) {
      if (!alike(lower(m.text), wanted)) continue;
      any = true;
      folded(std::string(check.key) + ": ", "\"" + std::string(m.text) + "\"", out);
      folded("    why: ", std::string(m.cause), out);
      folded("    fix: ", std::string(m.fix), out);
    }
  if (!any) out << "no check knows this message; 'gicsim hw doctor' runs them all\n";
  return 0;
}

}  // namespace gicsim::hw::checkup
