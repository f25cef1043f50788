// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/detail/layer.h"

#include <algorithm>

namespace gicsim::reference {
namespace {

std::optional<Quantity> read_quantity(const Node& node, std::vector<Mistake>& mistakes) {
  const auto names = names_of(Quantity{});
  const auto found = std::find(names.begin(), names.end(), text_of(node));
  if (found != names.end()) return static_cast<Quantity>(found - names.begin());
  mistakes.push_back({node.at, "'" + text_of(node) + "' is no quantity of a run"});
  return std::nullopt;
}

std::vector<std::string> texts(const Node& list) {
  std::vector<std::string> found;
  for (const Node& item : list.items) found.push_back(text_of(item));
  return found;
}

std::optional<First> read_first(const Node& node, std::vector<Mistake>& mistakes) {
  const Node* key = field(node, "key");
  const Node* among = field(node, "among");
  const Node* at_least = field(node, "at_least");
  const Node* at_most = field(node, "at_most");
  const Node* threshold = at_least ? at_least : at_most;
  if (!key || !among || !threshold || (at_least && at_most) || !number_of(*threshold)) {
    mistakes.push_back({node.at, "first takes key, among (a list) and at_least or at_most (a number)"});
    return std::nullopt;
  }
  return First{text_of(*key), texts(*among), *number_of(*threshold), at_most != nullptr};
}

/// How many of the model's units are one published unit.
std::optional<double> scale_of(std::string_view model, std::string_view published) {
  struct Known {
    std::string_view model, published;
    double scale;
  };
  constexpr Known known[] = {{"ns", "ns", 1},     {"ns", "us", 1e3},       {"ns", "ms", 1e6},
                             {"GB/s", "GB/s", 1}, {"GB/s", "Gb/s", 0.125}, {"Mmsg/s", "Mmsg/s", 1}, {"B", "bytes", 1},
                             {"B", "B", 1},       {"cycles", "cycles", 1},
                             {"1", "fraction", 1}, {"B", "connections", 1}};
  for (const Known& pair : known) {
    if (pair.model == model && pair.published == published) return pair.scale;
  }
  return std::nullopt;
}

std::vector<Term> terms_of(const Layer& layer, const Location& at, std::vector<Mistake>& mistakes) {
  std::vector<Term> terms;
  const auto take = [&](const Layer& of, double times, const Location& where) {
    if (of.quantity)
      terms.push_back({times, *of.quantity, of.run});
    else
      mistakes.push_back({where, "no quantity"});
  };
  if (!layer.sum) {
    take(layer, 1, at);
    return terms;
  }
  for (const Node& item : layer.sum->items) {
    Layer one = layer;
    one.add(item, {"times"}, mistakes);
    const Node* times = field(item, "times");
    if (times && !number_of(*times)) mistakes.push_back({times->at, "times is a number"});
    take(one, times ? number_of(*times).value_or(1) : 1, item.at);
  }
  return terms;
}

}  // namespace

void Layer::add(const Node& entry, const std::vector<std::string>& own,
                std::vector<Mistake>& mistakes) {
  for (const auto& [key, at, node] : entry.members) {
    if (std::find(own.begin(), own.end(), key) != own.end()) continue;
    if (key == "quantity")
      quantity = read_quantity(node, mistakes);
    else if (key == "unit")
      unit = text_of(node);
    else if (key == "sum")
      sum = field(entry, "sum");
    else if (key == "over")
      over = field(entry, "over");
    else if (key == "first")
      first = read_first(node, mistakes);
    else if (key == "ends")
      ends = texts(node);
    else if (key == "clock_fit") {
      part = text_of(node) == "fixed" ? ClockFit::Part::fixed : ClockFit::Part::cycles;
      if (text_of(node) != "fixed" && text_of(node) != "cycles") {
        mistakes.push_back({node.at, "clock_fit is cycles or fixed"});
      }
    } else if (key == "set") {
      for (const auto& [name, place, value] : node.members) run.set[name] = text_of(value);
    } else if (is_scalar(node)) {
      run.keys[key] = text_of(node);
    } else {
      mistakes.push_back({node.at, key + ": a scenario key takes one value"});
    }
  }
}

Expressed to_expressed(const Layer& layer, Spot spot, const Dataset& dataset, const Location& at,
                       std::vector<Mistake>& mistakes) {
  Expressed made{std::move(spot), "", layer.unit.empty() ? dataset.unit : layer.unit, 1, {}};
  made.expression.terms = terms_of(layer, at, mistakes);
  if (made.expression.terms.empty()) return made;
  const Quantity quantity = made.expression.terms.front().quantity;
  std::string unit(unit_of(quantity));
  made.quantity = to_name(quantity);
  for (const Term& term : made.expression.terms) {
    if (unit_of(term.quantity) != unit) mistakes.push_back({at, "sums figures of different units"});
    if (term.run.key("system").empty()) mistakes.push_back({at, "names no system"});
  }
  if (layer.over) {
    Layer one = layer;
    one.sum = one.over = nullptr;
    one.add(*layer.over, {}, mistakes);
    if (one.quantity) made.expression.over = Term{1, *one.quantity, one.run};
    unit = "1";
  }
  if (layer.part) {
    if (layer.ends.size() != 2)
      mistakes.push_back({at, "clock_fit needs ends: [a clock, a higher clock]"});
    else
      made.expression.clock_fit = ClockFit{*layer.part, layer.ends[0], layer.ends[1]};
    const bool cycles = *layer.part == ClockFit::Part::cycles;
    if (cycles) unit = "cycles";
    made.quantity += cycles ? " C" : " B";
  } else if (layer.first) {
    made.expression.first = layer.first;
    made.quantity = layer.first->key;
    unit = "B";
  }
  if (const auto scale = scale_of(unit, made.unit))
    made.scale = *scale;
  else
    mistakes.push_back(
        {at, "a figure in " + unit + " can't be held against '" + made.unit + "'; give its unit"});
  return made;
}

}  // namespace gicsim::reference
