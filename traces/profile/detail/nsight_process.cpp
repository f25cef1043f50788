// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/detail/nsight_process.h"

#include <fmt/format.h>

#include "models/base/errors.h"
#include "traces/profile/words.h"

namespace gicsim::profile::detail {
namespace {

constexpr std::int64_t process_mask = static_cast<std::int64_t>(0xffff'ffff'ff00'0000);  // of a globalTid: its process

}  // namespace

NsightProcess::NsightProcess(const std::string& file, ProcessKey key) : database_(file), key_(key) {}

/// The text of an NVTX event: in the event itself or among the strings.
std::string NsightProcess::texts() const {
  if (!database_.has("NVTX_EVENTS", {"textId"}) || !database_.has("StringIds")) return "n.text";
  return "coalesce(n.text, (SELECT value FROM StringIds WHERE id = n.textId))";
}

std::string NsightProcess::of_this(const std::string& table) const {
  std::string where = "1";
  if (key_.process && database_.has(table, {"globalPid"})) where += fmt::format(" AND globalPid = {}", *key_.process);
  if (key_.device && database_.has(table, {"deviceId"})) where += fmt::format(" AND deviceId = {}", *key_.device);
  return where;
}

std::map<std::string, NcclRange> NsightProcess::communicators() {
  std::map<std::string, NcclRange> found;
  if (!database_.has("NVTX_EVENTS", {"text", "start", "end"})) return found;
  std::string where = fmt::format("{} LIKE 'comm%commId%'", texts());
  if (key_.process && database_.has("NVTX_EVENTS", {"globalTid"}))
    where += fmt::format(" AND (n.globalTid & {}) = {}", process_mask, *key_.process);
  Database::Rows rows(database_, fmt::format("SELECT {} FROM NVTX_EVENTS n WHERE {}", texts(), where));
  while (rows.next()) {
    auto range = parse_nccl_range(rows.text(0));
    if (!range || !range->number("rank") || !range->number("nranks")) continue;
    const std::string name = range->said["commId"];
    for (const char* local : {"commHash", "comm"})
      if (const auto at = range->said.find(local); at != range->said.end()) names_.insert_or_assign(at->second, name);
    found.emplace(name, std::move(*range));
  }
  return found;
}

void NsightProcess::link(std::uint32_t self, std::shared_ptr<const Members> members, std::shared_ptr<Common> common) {
  self_ = self;
  members_ = std::move(members);
  common_ = std::move(common);
  const bool ranges = database_.has("NVTX_EVENTS", {"text", "start", "end", "globalTid"});
  const bool calls = database_.has("CUPTI_ACTIVITY_KIND_RUNTIME", {"correlationId", "start", "globalTid"});
  if (!ranges || !calls || !database_.has("CUPTI_ACTIVITY_KIND_KERNEL", {"correlationId"})) return;
  // Temporary tables, with an index: the export itself is only read.
  const std::string mine = key_.process ? fmt::format("(globalTid & {}) = {}", process_mask, *key_.process) : "1";
  database_.run(fmt::format(
      "CREATE TEMP TABLE nccl_ranges AS SELECT n.globalTid AS tid, n.start AS start, n.end AS stop, {0} AS text "
      "FROM NVTX_EVENTS n WHERE {0} LIKE 'nccl%data_size%' AND n.end IS NOT NULL AND {1};"
      "CREATE INDEX temp.of_ranges ON nccl_ranges(tid, start);",
      texts(), mine));
  Database::Rows any(database_, "SELECT 1 FROM temp.nccl_ranges LIMIT 1");
  if (!any.next()) return;
  database_.run(
      fmt::format("CREATE TEMP TABLE nccl_calls AS SELECT correlationId AS id, globalTid AS tid, start FROM "
                  "CUPTI_ACTIVITY_KIND_RUNTIME WHERE {};"
                  "CREATE INDEX temp.of_calls ON nccl_calls(id);",
                  mine));
  range_.emplace(database_,
                 "SELECT r.text FROM temp.nccl_calls c JOIN temp.nccl_ranges r ON r.tid = c.tid AND r.start <= c.start "
                 "AND r.stop >= c.start WHERE c.id = ?1 ORDER BY r.start DESC LIMIT 1");
}

void NsightProcess::rewind() {
  rows_.reset();
  done_ = false;
}

Location NsightProcess::location(std::uint64_t place) const {
  return {fmt::format("{}: at {} ns", database_.file(), place)};
}

bool NsightProcess::next(Work& work) {
  if (!rows_) {
    std::string sql;
    const auto add = [&](const std::string& table, const std::string& name, bool kernel) {
      if (!database_.has(table, {"start", "end"})) return;
      const std::string device = database_.has(table, {"deviceId"}) ? "deviceId" : "0";
      const std::string stream = database_.has(table, {"streamId"}) ? "streamId" : "0";
      const std::string correlation = kernel && database_.has(table, {"correlationId"}) ? "correlationId" : "NULL";
      sql += fmt::format("{}SELECT start, end, {}, {}, {}, {} FROM {} WHERE {}", sql.empty() ? "" : " UNION ALL ",
                         device, stream, name, correlation, table, of_this(table));
    };
    std::string id = database_.has("CUPTI_ACTIVITY_KIND_KERNEL", {"shortName"}) ? "shortName" : "NULL";
    if (database_.has("CUPTI_ACTIVITY_KIND_KERNEL", {"demangledName"}))
      id = fmt::format("coalesce({}, demangledName)", id);
    add("CUPTI_ACTIVITY_KIND_KERNEL",
        database_.has("StringIds") ? fmt::format("(SELECT value FROM StringIds WHERE id = {})", id) : "NULL", true);
    add("CUPTI_ACTIVITY_KIND_MEMCPY",
        database_.has("CUPTI_ACTIVITY_KIND_MEMCPY", {"bytes", "copyKind"})
            ? "'copy ' || CASE copyKind WHEN 1 THEN 'host to device' WHEN 2 THEN 'device to host' WHEN 8 THEN 'device "
              "to device' "
              "WHEN 10 THEN 'peer to peer' ELSE 'of kind ' || copyKind END || ', ' || bytes || ' B'"
            : "'copy'",
        false);
    add("CUPTI_ACTIVITY_KIND_MEMSET", "'fill'", false);
    rows_.emplace(database_, sql + " ORDER BY 1, 2");
  }
  while (!done_ && rows_->next()) {
    const auto begin = rows_->integer(0), end = rows_->integer(1);
    if (!begin || !end || *begin < 0 || *end < *begin) {
      common_->unused.add("kernels and copies without a time, or with one that can't be",
                          static_cast<std::uint64_t>(begin.value_or(0)));
      continue;
    }
    work.begin = *begin;
    work.end = *end;
    work.lane = fmt::format("device {} stream {}", rows_->integer(2).value_or(0), rows_->integer(3).value_or(0));
    work.name = rows_->text(4);
    work.place = static_cast<std::uint64_t>(*begin);
    if (work.name.starts_with("nccl")) take_message(work, rows_->integer(5).value_or(-1));
    return true;
  }
  done_ = true;
  return false;
}

/// Where it can't be taken apart it stays what it was: busy for as long as it took.
void NsightProcess::take_message(Work& work, std::int64_t correlation) {
  const auto stays = [&](const char* why) {
    common_->unused.add(std::string(why) + ": it takes the time that it took", work.place);
  };
  if (!range_ || !range_->restart().bind(1, correlation).next())
    return stays("an NCCL kernel whose sizes no NVTX range tells (stock NCCL doesn't)");
  const auto range = parse_nccl_range(range_->text(0));
  const auto meant = range ? meaning_of(range->what) : std::nullopt;
  const auto bytes = range ? range->number("data_size") : std::nullopt;
  if (!meant || !bytes || *bytes < 0 || *bytes > std::int64_t{1} << 50)
    return stays("an NCCL range that can't be understood");
  const auto local = range->said.contains("commHash") ? range->said.at("commHash")
                     : range->said.contains("comm")   ? range->said.at("comm")
                                                      : "";
  const auto name = names_.find(local);
  if (name == names_.end()) return stays("an NCCL call of a communicator whose set-up isn't in the trace");
  work.group = common_->groups.find(name->second);
  if (meant->message != Message::collective) {
    const bool send = meant->message == Message::send;
    const auto rank = range->number(send ? "receiver_rank" : "sender_rank");
    const auto peer = rank ? members_->find(name->second, *rank) : std::nullopt;
    if (!peer) return stays("a message whose other rank isn't given");
    work.kind = send ? Work::Kind::send : Work::Kind::receive;
    work.peer = *peer;
    work.bytes = Bytes(*bytes);
    return;
  }
  if (!work.group || !schedule::place_of(self_, *work.group)) {
    work.group = nullptr;
    return stays("a collective among ranks whose traces aren't given");
  }
  const bool comes_out = meant->operation == schedule::Operation::reduce_scatter;
  const auto none = std::optional<std::int64_t>();
  const auto whole =
      whole_of(meant->operation, comes_out ? none : bytes, comes_out ? bytes : none, work.group->ranks.size());
  if (!whole) return stays("a collective of no bytes");
  work.kind = Work::Kind::collective;
  work.operation = meant->operation;
  work.bytes = *whole;
  if (const auto root = range->number("root");
      root && *root >= 0 && *root < static_cast<std::int64_t>(work.group->ranks.size()))
    work.root = static_cast<std::size_t>(*root);
}

}  // namespace gicsim::profile::detail
