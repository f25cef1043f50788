// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/session.h"

#include <algorithm>
#include <cmath>

#include "hw_backend/core/error.h"

namespace gicsim::hw {
namespace {

Record record_of(const Figure& figure, const std::vector<Samples>& repeats) {
  Samples all, medians;
  for (const Samples& repeat : repeats) {
    all.insert(all.end(), repeat.begin(), repeat.end());
    medians.push_back(quantile(repeat, 0.5));
  }
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
  Record r;
  r.origin = Origin::measured;
  r.pattern = figure.pattern;
  r.path = figure.path;
  r.where = figure.where;
  r.quantity = figure.quantity;
  r.value = quantile(all, 0.5);
  r.p50 = r.value;
  if (all.size() >= 100) r.p99 = quantile(all, 0.99);
  r.min = *least;
  r.max = *most;
  r.n = static_cast<std::int64_t>(all.size());
  r.repeats = Repeats{figure.clock, static_cast<std::int64_t>(repeats.size()), *low, *high};
  return r;
}

std::string point_of(const Figure& figure) {
  std::string point;
  for (const auto& [key, value] : figure.where) {
    const auto* number = std::get_if<std::int64_t>(&value);
    point += (point.empty() ? "" : " ") + key + "=" + (number != nullptr ? std::to_string(*number) : std::get<std::string>(value));
  }
  return point;
}

}  // namespace

double quantile(Samples samples, double q) {
  std::sort(samples.begin(), samples.end());
  const double rank = q * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] + (rank - std::floor(rank)) * (samples[above] - samples[below]);
}

void Session::measure(const Figure& figure, const std::function<Samples()>& once) {
  measure(std::vector<Figure>{figure}, [&] { return std::vector<Samples>{once()}; });
}

void Session::measure(const std::vector<Figure>& figures, const std::function<std::vector<Samples>()>& once) {
  std::vector<std::vector<Samples>> repeats(figures.size());
  once();
  for (int i = 0; i < options.repeats; ++i) {
    std::vector<Samples> samples = once();
    for (std::size_t f = 0; f < figures.size(); ++f) {
      if (samples[f].empty()) throw HardwareError("a repeat of " + std::string(to_name(figures[f].pattern)) + " gave no sample");
      repeats[f].push_back(std::move(samples[f]));
    }
  }
  for (std::size_t f = 0; f < figures.size(); ++f) output_.record(record_of(figures[f], repeats[f]), repeats[f]);
}

void Session::skip(const Figure& figure, const std::string& reason) {
  output_.skipped(std::string(to_name(figure.pattern)), point_of(figure), reason);
}

void Session::note(const Figure& figure, const std::string& text) {
  output_.note(std::string(to_name(figure.pattern)), point_of(figure), text);
}

}  // namespace gicsim::hw
