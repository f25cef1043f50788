// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/tlp_log.h"

#include <fmt/format.h>

#include <string_view>

#include "models/units/text.h"
#include "traces/export/sender.h"

namespace gicsim::exports {
namespace {

constexpr std::string_view header =
    "# gicsim.tlp_log/1: one line a TLP, when its first symbol left a link's sender\n"
    "time_ns\tlink\tdirection\ttype\trequester\ttag\taddress\tlength\tlast\tstage\tsent_ns\tflags\n";

std::string nanoseconds(Picoseconds t) { return fmt::format("{}.{:03}", t.count() / 1000, t.count() % 1000); }

std::string_view type_of(const Tlp& tlp) {
  return tlp.kind == TlpKind::completion && tlp.length == Bytes{} ? "Cpl" : name_of(tlp.kind);
}

std::string flags_of(const Tlp& tlp) {
  std::string flags;
  const auto add = [&](bool set, std::string_view name) {
    if (set) flags += (flags.empty() ? "" : ",") + std::string(name);
  };
  add(tlp.relaxed, "RO");
  add(tlp.by_id, "IDO");
  add(tlp.poisoned, "EP");
  add(tlp.address_type == AddressType::translation_request, "AT=request");
  add(tlp.address_type == AddressType::translated, "AT=translated");
  add(tlp.status != CompletionStatus::successful, name_of(tlp.status));
  return flags.empty() ? "-" : flags;
}

std::string line_of(const TlpSent& sent) {
  const Tlp& tlp = sent.tlp;
  const auto [link, direction] = link_and_direction(sent.link);
  const std::string tag = flow_of(tlp.kind) == Flow::posted ? "-" : std::to_string(tlp.tag);
  return fmt::format("{}\t{}\t{}\t{}\t{:#06x}\t{}\t{:#x}\t{}\t{}\t{}\t{}\t{}\n", nanoseconds(sent.begin), link, direction,
                     type_of(tlp), tlp.requester, tag, tlp.address, tlp.length.count(), tlp.last ? 1 : 0,
                     tlp.transfer ? name_of(tlp.transfer->stage) : "-", nanoseconds(sent.end), flags_of(tlp));
}

}  // namespace

void TlpLog::listen(Probe<TlpSent>& sent, const Kernel& kernel) {
  text_ = header;
  ahead_.clear();
  written_ = left_out_ = 0;
  sent.listen([this, &kernel](const TlpSent& one) { note(one, kernel.now()); });
}

void TlpLog::note(const TlpSent& sent, Picoseconds now) {
  ahead_.before(now, [this](const std::string& line) { write(line); });
  if (left_out_ != 0) ++left_out_;
  else ahead_.add(sent.begin, line_of(sent));
}

void TlpLog::write(const std::string& line) {
  if (left_out_ != 0 || static_cast<std::int64_t>(text_.size() + line.size()) > limit_.count()) {
    ++left_out_;
    return;
  }
  text_ += line;
  ++written_;
}

void TlpLog::finish() {
  ahead_.before(never, [this](const std::string& line) { write(line); });
  if (left_out_ != 0)
    text_ += fmt::format("# cut at {}: {} of {} TLPs are left out\n", text::write(limit_), left_out_,
                         left_out_ + written_);
}

}  // namespace gicsim::exports
