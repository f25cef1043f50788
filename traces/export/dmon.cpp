// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/dmon.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/units/text.h"
#include "traces/export/places.h"

namespace gicsim::exports {
namespace {

constexpr std::string_view header =
    "# gpu     sm    mem    enc    dec    jpg    ofa  rxpci  txpci \n"
    "# Idx      %      %      %      %      %      %   MB/s   MB/s \n";

/// Whole, as nvidia-smi prints them.
long long rounded(double value) { return std::llround(value); }

/// "gpu0_pcie_up" is of gpu0, and goes up; links of others have no GPU.
std::string_view gpu_of(std::string_view link) {
  return link.starts_with("gpu") && (link.ends_with("_up") || link.ends_with("_down")) ? link.substr(0, link.find('_'))
                                                                                        : std::string_view{};
}

}  // namespace

void Dmon::listen(const Probes& probes) {
  gpus_.clear(), links_.clear(), text_.clear();
  first_ = rows_ = left_out_ = 0;
  sampled_ = {};
  for (std::size_t i = 0; i < probes.gauges.size(); ++i) {
    const Gauge& gauge = probes.gauges[i];
    const Place place = place_of(gauge.module);
    if (gauge.what == "kernel") gpus_.push_back({std::string(place.process), std::string(place.name), i});
    if (gauge.what == "memory" && !gpus_.empty() && gauge.module == gpus_.back().node + "." + gpus_.back().name)
      gpus_.back().memory = i;
  }
  for (const Gpu& gpu : gpus_)
    text_[gpu.node] =
        fmt::format("# gicsim.dmon/1: {}, a sample each {} of simulated time\n", gpu.node, text::write(interval_)) +
        std::string(header);
  probes.tlps.listen([this](const TlpSent& sent) { on_tlp(sent); });
}

void Dmon::on_tlp(const TlpSent& sent) {
  const bool data = sent.tlp.kind == TlpKind::write || sent.tlp.kind == TlpKind::completion;
  if (!data || left_out_ > 0) return;
  auto found = links_.find(sent.link);
  if (found == links_.end()) {
    const Place place = place_of(sent.link);
    const std::string_view name = gpu_of(place.name);
    const auto gpu = std::find_if(gpus_.begin(), gpus_.end(),
                                  [&](const Gpu& g) { return g.node == place.process && g.name == name; });
    found = links_
                .emplace(std::string(sent.link),
                         std::pair{static_cast<std::size_t>(gpu - gpus_.begin()), sent.link.ends_with("_down")})
                .first;
  }
  const auto [gpu, towards] = found->second;
  if (gpu == gpus_.size()) return;
  std::deque<Moved>& moved = gpus_[gpu].moved;
  const auto at = static_cast<std::size_t>(std::max<Count>(0, sent.begin / interval_ - first_));
  if (moved.size() <= at) moved.resize(at + 1);
  (towards ? moved[at].received : moved[at].sent) += sent.tlp.length;
}

/// The last one is shorter: the run was over.
void Dmon::sample(const Sample& sample) {
  const Picoseconds elapsed = sample.at - sampled_;
  if (elapsed > Picoseconds{}) {
    const auto ps = static_cast<double>(elapsed.count());
    for (Gpu& gpu : gpus_) {
      const auto share = [&](std::size_t gauge, Busy& busy) {
        busy.ahead += sample.values[gauge] - std::exchange(busy.counted, sample.values[gauge]);
        const std::int64_t spent = std::min(busy.ahead, elapsed.count());
        busy.ahead -= spent;
        return rounded(100 * static_cast<double>(spent) / ps);
      };
      const Moved moved = gpu.moved.empty() ? Moved{} : gpu.moved.front();
      if (!gpu.moved.empty()) gpu.moved.pop_front();
      const auto rate = [ps](Bytes bytes) { return rounded(static_cast<double>(bytes.count()) * 1e6 / ps); };
      const long long sm = share(gpu.kernel, gpu.kernel_busy), memory = share(gpu.memory, gpu.memory_busy);
      const std::string row =
          fmt::format("{:>5} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} \n", gpu.name.substr(3), sm, memory, "-",
                      "-", "-", "-", rate(moved.received), rate(moved.sent));
      std::string& text = text_[gpu.node];
      if (left_out_ > 0 || static_cast<std::int64_t>(text.size() + row.size()) > limit_.count()) ++left_out_;
      else text += row, ++rows_;
    }
    ++first_;
  }
  sampled_ = sample.at;
}

Files Dmon::files() {
  Files files;
  for (auto& [node, text] : text_) files.emplace_back("dmon." + node + ".txt", std::move(text));
  return files;
}

std::vector<LeftOut> Dmon::left_out() const {
  if (left_out_ == 0) return {};
  return {{"dmon.*.txt", "rows", left_out_, left_out_ + rows_}};
}

}  // namespace gicsim::exports
