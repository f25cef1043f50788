// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/detail/evaluate.h"

#include <fmt/format.h>

#include "models/units/text.h"

namespace gicsim::compare {
namespace {

std::optional<double> result(const std::vector<Record>& results, Quantity quantity) {
  for (const Record& record : results) {
    if (record.quantity == quantity) return record.p50.value_or(record.value);
  }
  return std::nullopt;
}

/// A rate that a run doesn't report follows from its bandwidth and the size of a message.
std::optional<double> figure_of(const std::vector<Record>& results, const reference::Term& term) {
  if (const auto found = result(results, term.quantity)) return found;
  const auto bandwidth = result(results, Quantity::bandwidth);
  const auto size = text::read<Bytes>(term.run.key("bytes")).value;
  if (term.quantity != Quantity::message_rate || !bandwidth || !size) return std::nullopt;
  return *bandwidth * 1e3 / static_cast<double>(size->raw());
}

double number(const std::string& text) {
  if (const auto bytes = text::read<Bytes>(text).value) return static_cast<double>(bytes->raw());
  return std::stod(text);
}

}  // namespace

const Evaluator::Outcome& Evaluator::outcome_of(const ScenarioRequest& request) {
  const auto known = outcomes_.find(request);
  if (known != outcomes_.end()) return known->second;
  const report::Finished finished = simulate_(request);
  Outcome outcome{finished.results, ""};
  if (finished.status != Status::done) {
    outcome.wrong = fmt::format("the run ended {}", to_name(finished.status));
    if (finished.diagnosis) outcome.wrong += ": " + finished.diagnosis->what;
  }
  return outcomes_.emplace(request, std::move(outcome)).first->second;
}

Figure Evaluator::sum(std::vector<reference::Term> terms, const Change& change) {
  Figure figure;
  for (reference::Term& term : terms) {
    if (change.in_set)
      term.run.set[change.key] = change.value;
    else if (!change.key.empty())
      term.run.keys[change.key] = change.value;
    const Outcome& outcome = outcome_of(term.run);
    if (!outcome.wrong.empty()) return {0, outcome.wrong};
    const auto value = figure_of(outcome.results, term);
    if (!value) return {0, fmt::format("the run reports no {}", to_name(term.quantity))};
    figure.value += term.times * *value;
  }
  return figure;
}

Figure Evaluator::part(const reference::Expression& expression, const Change& change) {
  Figure figure = sum(expression.terms, change);
  if (!expression.over || !figure.wrong.empty()) return figure;
  const Figure whole = sum({*expression.over}, {});
  if (!whole.wrong.empty()) return whole;
  figure.value /= whole.value;
  return figure;
}

Figure Evaluator::fitted(const reference::Expression& expression) {
  const auto& fit = *expression.clock_fit;
  const Figure slow = sum(expression.terms, {"gpu.clock", fit.slow, true});
  const Figure fast = sum(expression.terms, {"gpu.clock", fit.fast, true});
  if (!slow.wrong.empty()) return slow;
  if (!fast.wrong.empty()) return fast;
  const auto period = [](const std::string& clock) {  // ns
    const auto read = text::read<Frequency>(clock);
    if (!read.value) throw ConfigError({"clock_fit"}, read.wrong);
    return 1e9 / static_cast<double>(read.value->hertz());
  };
  const double cycles = (slow.value - fast.value) / (period(fit.slow) - period(fit.fast));
  return {fit.part == reference::ClockFit::Part::cycles ? cycles
                                                        : fast.value - cycles * period(fit.fast),
          ""};
}

Figure Evaluator::first(const reference::Expression& expression) {
  const auto& first = *expression.first;
  double last = 0;
  for (const std::string& value : first.among) {
    const Figure figure = part(expression, {first.key, value, false});
    if (!figure.wrong.empty()) return figure;
    last = figure.value;
    if (first.at_most ? last <= first.at_least : last >= first.at_least) return {number(value), ""};
  }
  return {0, fmt::format("{:.4g} at {} {}, and {:.4g} is never reached", last, first.key,
                         first.among.back(), first.at_least)};
}

Figure Evaluator::evaluate(const reference::Expression& expression) {
  if (expression.clock_fit) return fitted(expression);
  if (expression.first) return first(expression);
  return part(expression, {});
}

}  // namespace gicsim::compare
