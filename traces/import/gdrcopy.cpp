// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/format.h"

/// gdrcopy's copylat, copybw and pplat. copylat times the CPU's call: a store through the BAR isn't yet at the GPU when
/// it returns, a load is at the CPU. pplat times a word there and back.
namespace gicsim::imports::detail {
namespace {

struct Copy {
  std::string_view test, direction, engine;
  Quantity quantity;
};
constexpr Copy copies[] = {{"gdr_copy_to_mapping", "h2d", "cpu", Quantity::issue},
                           {"gdr_copy_from_mapping", "d2h", "cpu", Quantity::completion},
                           {"cuMemcpy_H2D", "h2d", "driver", Quantity::synced},
                           {"cuMemcpy_D2H", "d2h", "driver", Quantity::synced}};

Record copy_record(Quantity quantity, double value, std::int64_t n, std::int64_t bytes, std::string_view direction,
                   std::string_view engine, std::string source) {
  Record record = measured(Pattern::copy_engine, Path::none, quantity, value, std::move(source));
  record.n = n;
  put(record, "bytes", bytes);
  put(record, "direction", direction);
  put(record, "engine", engine);
  return record;
}

class Gdrcopy {
 public:
  Gdrcopy(Input& in, Found& found) : in_(in), found_(found) {}

  void line(std::string_view text) {
    if (const auto n = number_after(text, "num iters for each size:")) n_ = *n;
    if (begins(text, "Test") && has(text, "Size(B)")) header_ = titles(text).size();
    if (begins(text, "Test") && has(text, "Size(B)")) median_ = has(text, "Median");
    if (has(text, "test, size=")) {
      bytes_ = number_after(text, "size=");
      n_ = number_after(text, "num_iters=").value_or(0);
    }
    if (const auto n = number_after(text, "Running "); n && has(text, "data size")) {
      bytes_ = number_after(text, "data size ");
      n_ = *n;
    }
    for (const Copy& copy : copies)
      if (const auto words = cells(text); words.size() > 1 && words[0].text == copy.test && !has(text, "num iters"))
        latency(copy, words);
    for (const bool write : {true, false})
      if (begins(text, write ? "write BW:" : "read BW:")) bandwidth(text, write);
    if (has(text, "Round-trip latency per iteration is")) round_trip(text);
    if (begins(text, "WARNING")) found_.leave(in_.number(), "warnings of the tool");
  }

 private:
  void latency(const Copy& copy, const std::vector<Cell>& words) {
    const int at = in_.number();
    if (words.size() != header_)
      return found_.mistake(at, 1,
                            fmt::format("{} words, but the header names {} columns: the text is cut or two are "
                                        "mixed; give the whole row",
                                        words.size(), header_));
    const auto bytes = found_.count(at, words[1], "size");
    const auto usec = found_.figure(at, words[2], median_ ? "Median Time" : "Avg.Time");
    if (!bytes || !usec) return;
    Record record = copy_record(
        copy.quantity, *usec * 1000, n_, *bytes, copy.direction, copy.engine,
        fmt::format("gdrcopy copylat {}, {} in us, the CPU's call{}", copy.test, median_ ? "median" : "mean",
                    copy.quantity == Quantity::issue ? "; not yet visible to the GPU" : ""));
    if (median_) record.p50 = record.value;
    if (words.size() > 3)
      if (const auto least = found_.figure(at, words[3], "Min. Time")) record.min = *least * 1000;
    found_.record(std::move(record));
  }

  void bandwidth(std::string_view text, bool write) {
    std::string_view number = word_after(text, "BW:");
    if (!ends(number, "MB/s")) return found_.mistake(in_.number(), 1, "'MB/s' is expected behind the figure");
    number.remove_suffix(4);
    const auto value = found_.figure(in_.number(), {number, 1}, "BW");
    if (!bytes_) return found_.mistake(in_.number(), 1, "no line 'writing test, size=…' above; give the whole output");
    if (value)
      found_.record(
          copy_record(Quantity::bandwidth, *value * 1048576e-9, n_, *bytes_, write ? "h2d" : "d2h", "cpu",
                      fmt::format("gdrcopy copybw {}, MB/s (2^20 B/s), by a CPU core", write ? "write" : "read")));
  }

  void round_trip(std::string_view text) {
    const std::string_view number = word_after(text, "iteration is");
    const auto usec = found_.figure(in_.number(), {number, 1}, "round trip");
    if (!usec) return;
    Record record =
        measured(Pattern::doorbell_echo, Path::none, Quantity::rtt, *usec * 1000,
                 "gdrcopy pplat, mean in us, round trip: a CPU stores to GPU memory, the GPU to the host's");
    record.n = n_;
    put(record, "bytes", bytes_.value_or(4));
    put(record, "initiator", std::string_view("cpu"));
    found_.record(std::move(record));
  }

  Input& in_;
  Found& found_;
  std::int64_t n_ = 0;
  std::size_t header_ = 0;
  bool median_ = false;
  std::optional<std::int64_t> bytes_;
};

bool detect(std::string_view head) {
  return has(head, "gdr_copy_") || has(head, "cuMemcpy_H2D") || has(head, "write BW:") ||
         has(head, "Round-trip latency per");
}

void read(Input& in, Found& found) {
  Gdrcopy gdrcopy(in, found);
  while (in.next()) gdrcopy.line(trimmed(in.line()));
}

}  // namespace

const Format gdrcopy{"gdrcopy", detect, read};

}  // namespace gicsim::imports::detail
