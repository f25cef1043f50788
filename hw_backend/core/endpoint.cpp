// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/endpoint.h"

#include <charconv>
#include <sstream>
#include <vector>

#include "hw_backend/core/error.h"

namespace gicsim::hw {
namespace {

constexpr std::string_view protocol = "1";

std::string_view value_in(std::string_view line, std::string_view name) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::string_view word = line.substr(at, end - at);
    if (word.size() > name.size() && word.substr(0, name.size()) == name && word[name.size()] == '=')
      return word.substr(name.size() + 1);
    at = end + 1;
  }
  throw HardwareError("the other end left out '" + std::string(name) + "' in '" + std::string(line) + "'");
}

std::uint64_t number_of(std::string_view text, int base, std::string_view line) {
  std::uint64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size())
    throw HardwareError("the other end sent '" + std::string(text) + "' for a number in '" + std::string(line) + "'");
  return value;
}

template <class T>
void take(T& field, std::string_view line, std::string_view name) {
  const std::uint64_t value = number_in(line, name);
  field = static_cast<T>(value);
  if (static_cast<std::uint64_t>(field) != value)
    throw HardwareError("the other end sent " + std::string(name) + "=" + std::to_string(value) +
                        ", which is too large");
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::uint64_t number_in(std::string_view line, std::string_view name) {
  return number_of(value_in(line, name), 10, line);
}

std::string to_text(const Endpoint& e) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string gid;
  for (const std::uint8_t byte : e.gid) (gid += hex[byte >> 4U]) += hex[byte & 15U];
  std::ostringstream out;
  out << "qpn=" << e.qpn << " psn=" << e.psn << " lid=" << e.lid << " gid=" << gid << " mtu=" << e.mtu
      << " reads=" << e.reads << " rkey=" << e.rkey << " address=" << e.address << " bytes=" << e.bytes
      << " gpu=" << (e.gpu ? 1 : 0);
  return out.str();
}

Endpoint endpoint_of(const std::string& line) {
  Endpoint e;
  take(e.qpn, line, "qpn");
  take(e.psn, line, "psn");
  take(e.lid, line, "lid");
  take(e.mtu, line, "mtu");
  take(e.reads, line, "reads");
  take(e.rkey, line, "rkey");
  take(e.address, line, "address");
  take(e.bytes, line, "bytes");
  e.gpu = number_in(line, "gpu") != 0;
  const std::string_view gid = value_in(line, "gid");
  if (gid.size() != 2 * e.gid.size())
    throw HardwareError("the other end sent a GID of " + std::to_string(gid.size()) + " digits, not 32");
  for (std::size_t i = 0; i < e.gid.size(); ++i)
    e.gid[i] = static_cast<std::uint8_t>(number_of(gid.substr(2 * i, 2), 16, line));
  return e;
}

std::string greeting(std::string_view version, std::string_view key) {
  return "gicsim-hw " + std::string(protocol) + " " + std::string(version) + " " + std::string(key);
}

std::string misfit(const std::string& ours, const std::string& theirs) {
  const std::vector<std::string> we = words_of(ours), they = words_of(theirs);
  if (they.size() != 4 || they[0] != we[0])
    return "what is at the other end isn't gicsim-hw: it said '" + theirs.substr(0, 40) + "'";
  if (they[1] != we[1] || they[2] != we[2])
    return "this end is version " + we[2] + ", the other " + they[2] + ": build both from one tree";
  if (they[3] != we[3])
    return "this end runs " + we[3] + ", the other " + they[3] + ": name the same experiments at both ends";
  return {};
}

}  // namespace gicsim::hw
