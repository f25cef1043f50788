// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/result/read.h"

#include <charconv>

#include "traces/result/detail/json.h"

namespace gicsim {
namespace {

using detail::Json;
using detail::JsonError;

template <class Number>
std::optional<Number> number_in(const Json& value) {
  Number number{};
  const char* end = value.text.data() + value.text.size();
  const auto read = std::from_chars(value.text.data(), end, number);
  if (value.kind != Json::Kind::number || read.ec != std::errc() || read.ptr != end)
    return std::nullopt;
  return number;
}

/// The fields of one record, each fetched by name as what it has to be.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {
    if (object.kind != Json::Kind::object) throw JsonError("a record is a JSON object: {...}");
  }

  const Json& get(const std::string& name) const {
    if (const Json* value = object_.find(name)) return *value;
    throw JsonError("'" + name + "' is missing");
  }
  const std::string& text(const std::string& name) const {
    const Json& value = get(name);
    if (value.kind != Json::Kind::text) throw JsonError("'" + name + "' must be a text");
    return value.text;
  }
  double number(const std::string& name) const {
    if (const auto number = number_in<double>(get(name))) return *number;
    throw JsonError("'" + name + "' must be a number");
  }
  std::optional<double> number_if_any(const std::string& name) const {
    const Json* value = object_.find(name);
    if (value == nullptr || value->kind == Json::Kind::null) return std::nullopt;
    return number(name);
  }
  std::int64_t whole(const std::string& name) const {
    if (const auto number = number_in<std::int64_t>(get(name))) return *number;
    throw JsonError("'" + name + "' must be a whole number");
  }
  template <class Enum>
  Enum word(const std::string& name) const {
    const std::string& given = text(name);
    std::string known;
    const auto names = names_of(Enum{});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == given) return static_cast<Enum>(i);
      known += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    throw JsonError("'" + name + "' is '" + given + "'; known are " + known);
  }

 private:
  const Json& object_;
};

/// A line beside the records: a sweep's point without a figure; the machine, a measurement that was passed over and raw
/// samples, of the hardware back-end.
bool is_aside(const Json& object) {
  if (object.kind != Json::Kind::object) return false;
  const std::string& schema = Fields(object).text("schema");
  for (const std::string_view aside :
       {"gicsim.failure/1", "gicsim.environment/1", "gicsim.skipped/1", "gicsim.counters/1", "gicsim.note/1", "gicsim.samples/1"})
    if (schema == aside) return true;
  return false;
}

Record record_of(const Json& object) {
  const Fields fields(object);
  if (const std::string& schema = fields.text("schema"); schema != "gicsim.result/1")
    throw JsonError("'schema' is '" + schema + "'; this reads gicsim.result/1");
  Record record;
  record.origin = fields.word<Origin>("origin");
  record.system = fields.text("system");
  record.pattern = fields.word<Pattern>("pattern");
  record.path = fields.word<Path>("path");
  const Json& where = fields.get("where");
  if (where.kind != Json::Kind::object) throw JsonError("'where' must be an object: {...}");
  for (const auto& [key, value] : where.members) {
    if (const auto number = number_in<std::int64_t>(value))
      record.where.emplace_back(key, *number);
    else if (value.kind == Json::Kind::text)
      record.where.emplace_back(key, value.text);
    else
      throw JsonError("'where." + key + "' must be a whole number or a text");
  }
  record.quantity = fields.word<Quantity>("quantity");
  if (const std::string& unit = fields.text("unit"); unit != unit_of(record.quantity))
    throw JsonError("'unit' is '" + unit + "'; " + std::string(to_name(record.quantity)) +
                    " is given in " + std::string(unit_of(record.quantity)));
  record.value = fields.number("value");
  record.p50 = fields.number_if_any("p50");
  record.p99 = fields.number_if_any("p99");
  record.min = fields.number_if_any("min");
  record.max = fields.number_if_any("max");
  record.n = fields.whole("n");
  record.source = fields.text("source");
  if (const Json* repeats = object.find("repeats"); repeats != nullptr && repeats->kind == Json::Kind::object) {
    const Fields of(*repeats);
    record.repeats = Repeats{of.text("clock"), of.whole("count"), of.number("low"), of.number("high")};
  }
  return record;
}

}  // namespace

std::optional<Record> RecordReader::next() {
  std::string text;
  while (std::getline(in_, text)) {
    ++line_;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const Json object = detail::parse_json(text);
      if (is_aside(object)) continue;
      return record_of(object);
    } catch (const JsonError& error) {
      throw MalformedRecord(file_, line_, error.what());
    }
  }
  return std::nullopt;
}

std::vector<Record> read_records(std::istream& in, const std::string& file) {
  std::vector<Record> records;
  RecordReader reader(in, file);
  while (std::optional<Record> record = reader.next()) records.push_back(std::move(*record));
  return records;
}

}  // namespace gicsim
