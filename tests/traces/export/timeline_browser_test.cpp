// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The timeline in a browser: a page reads it as viewers do, in floating numbers, and tells what it found.
#include <doctest/doctest.h>

#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "scenarios/whatif/results.h"
#include "tests/traces/export/support.h"

namespace gicsim::exports {
namespace {

constexpr const char* page = R"(<!DOCTYPE html><pre id="said"></pre><script>
const trace = JSON.parse(document.getElementById('trace').textContent);
const says = [], tracks = new Map(), named = new Set(), arrows = new Map(), stages = new Map();
for (const e of trace.traceEvents) {
  const track = e.pid + ' ' + e.tid;
  if (e.ph === 'M') { if (e.name === 'thread_name') named.add(track); continue; }
  if (!named.has(track)) says.push('nameless ' + track);
  if (e.ph === 'X') {
    if (!tracks.has(track)) tracks.set(track, []);
    tracks.get(track).push(e);
    if (e.args.branch && e.args.branch !== 'delivery') {
      const sum = stages.get(e.name) || {ps: 0, us: 0};
      sum.ps += e.args.ps, sum.us += e.dur;
      stages.set(e.name, sum);
    }
  }
  if ('stf'.includes(e.ph)) {
    if (!arrows.has(e.id)) arrows.set(e.id, []);
    arrows.get(e.id).push(e);
  }
}
let cut = 0, loose = 0, slices = 0;
for (const all of tracks.values()) {
  all.sort((a, b) => a.ts - b.ts);
  slices += all.length;
  for (let i = 1; i < all.length; ++i)
    if (all[i - 1].ts + all[i - 1].dur > all[i].ts && all[i - 1].args.ps % 1000 !== 0) ++cut;
}
for (const arrow of arrows.values()) {
  if (arrow[0].ph !== 's' || arrow[arrow.length - 1].ph !== 'f') ++loose;
  for (const end of arrow)
    if (!(tracks.get(end.pid + ' ' + end.tid) || []).some(e => e.ts <= end.ts && end.ts <= e.ts + e.dur)) ++loose;
}
for (const [name, sum] of stages)
  says.push('stage ' + name + ' ' + sum.ps + ' ' + Math.round(sum.us * 1e6));
says.push('slices ' + slices, 'arrows ' + arrows.size, 'cut ' + cut, 'loose ' + loose, 'end');
document.getElementById('said').textContent = '\n' + says.join('\n') + '\n';
</script>
)";

std::string output_of(const std::string& command) {
  std::string out;
  if (FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r")) {
    for (int c = std::getc(pipe); c != EOF; c = std::getc(pipe)) out += static_cast<char>(c);
    pclose(pipe);
  }
  return out;
}

std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (!output_of("command -v " + std::string(name)).empty()) return name;
  return "";
}

/// The page's words after it has loaded.
std::string shown(const std::string& browser, const std::string& timeline) {
  const Folder folder;
  const std::string file =
      folder.write("page.html", R"(<script id="trace" type="application/json">)" + timeline + "</script>" + page);
  return output_of("timeout 120 " + browser + " --headless --no-sandbox --disable-gpu --user-data-dir=" +
                   folder.path() + "/profile --dump-dom file://" + file);
}

TEST_CASE(
    "timeline: in a browser its slices lie beside each other, its arrows end on them, stages last as in the ledgers") {
  const std::string with = browser();
  if (with.empty()) {
    MESSAGE("skipped: no browser (Debian: chromium)");
    return;
  }
  for (const char* differs :
       {"iterations: 20\n", "pattern: put_bw\npayload: read\nbytes: 4 KiB\niterations: 40\nbatch: 4\n"}) {
    CAPTURE(differs);
    const Exported run = exported("timeline", differs);
    std::map<std::string, std::int64_t> ledgers;
    for (const Recorder::Ended& message : run.heard.messages)
      for (const report::Row& row : whatif::rows(message.completion)) ledgers[row.stage] += row.time.count();
    std::istringstream lines(shown(with, run.file("timeline.json")));
    std::map<std::string, std::int64_t> said, stages;
    bool whole = false;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string what, name;
      std::int64_t ps = 0, shown_ps = 0;
      words >> what;
      if (what == "end")
        whole = true;
      else if (what == "nameless")
        FAIL_CHECK(line);
      else if (what == "stage" && words >> name >> ps >> shown_ps) {
        stages[name] = ps;
        CHECK(std::abs(shown_ps - ps) <= 1);
      } else if (words >> ps)
        said[what] = ps;
    }
    REQUIRE_MESSAGE(whole, "the browser showed nothing");
    CHECK(stages == ledgers);
    CHECK(said["slices"] > 100);
    CHECK(said["arrows"] > 0);
    CHECK(said["cut"] == 0);
    CHECK(said["loose"] == 0);
  }
}

}  // namespace
}  // namespace gicsim::exports
