// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads every #include in the tree and holds the arrows between rooms: those of cmake/rooms.cmake,
// which CMake spells out into the file named by GICSIM_ROOMS, and the finer rules below, which no
// link line can say.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Room {
  std::set<std::string> uses, takes;
};
using Rooms = std::map<std::string, Room>;

struct Include {
  std::string file;  // from the root
  int line;
  std::string target;
  bool quoted;
};

struct Library {
  std::string_view prefix, name;
};
// First match counts. A header of the standard library has neither dot nor folder; what matches
// nothing is unknown.
constexpr std::array libraries = {
    Library{"systemc", "systemc"},
    Library{"sysc/", "systemc"},
    Library{"tlm", "systemc"},
    Library{"boost/", "boost"},
    Library{"fmt/", "fmt"},
    Library{"spdlog/", "spdlog"},
    Library{"yaml-cpp/", "yaml-cpp"},
    Library{"expat.h", "expat"},
    Library{"CLI/", "cli11"},
    Library{"nlohmann/", "json"},
    Library{"sqlite3.h", "sqlite"},
    Library{"zlib.h", "zlib"},
    Library{"pcap", "pcap"},
    Library{"google/protobuf/", "protobuf"},
    Library{"nlopt", "nlopt"},
    Library{"mpi.h", "mpi"},
    Library{"doctest/", "doctest"},
    Library{"benchmark/", "benchmark"},
    Library{"cuda", "hardware"},
    Library{"cublas", "hardware"},
    Library{"nvml", "hardware"},
    Library{"infiniband/", "hardware"},
    Library{"sys/", "posix"},
    Library{"unistd.h", "posix"},
    Library{"fcntl.h", "posix"},
    Library{"signal.h", "posix"},
    Library{"spawn.h", "posix"},
    Library{"poll.h", "posix"},
    Library{"glob.h", "posix"},
    Library{"dlfcn.h", "posix"},
    Library{"pthread.h", "posix"},
    Library{"sched.h", "posix"},
    Library{"arpa/", "posix"},
    Library{"netinet/", "posix"},
    Library{"netdb.h", "posix"},
};
const std::set<std::string> only_in_cpp = {"json", "sqlite", "zlib", "pcap", "protobuf"};
const std::set<std::string> only_in_one_file = {"cli11", "spdlog"};
// Of a room on the left, a user on the right sees these headers and no others.
const std::map<std::pair<std::string, std::string>, std::set<std::string>> only_these = {
    {{"scenarios/workloads", "scenarios/paths"}, {"scenarios/paths/channel.h"}},
};
const std::map<std::string, std::string> only_in_this_file = {{"cli systemc", "cli/main.cpp"}};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}
bool is_header(const std::string& file) { return fs::path(file).extension() != ".cpp"; }

std::set<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

Rooms read_rooms(std::istream& in) {
  Rooms rooms;
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(" : ");
    const auto second = line.find(" : ", first + 1);
    REQUIRE(second != std::string::npos);
    rooms[line.substr(0, first)] = {words(line.substr(first + 3, second - first - 3)),
                                    words(line.substr(second + 3))};
  }
  return rooms;
}

/// The longest row that the file lies under: models/base for models/base/detail/heap.h. Empty:
/// none.
std::string room_of(const Rooms& rooms, std::string_view file) {
  std::string best;
  for (const auto& [name, room] : rooms)
    if (starts_with(file, name + "/") && name.size() > best.size()) best = name;
  return best;
}

/// The name of a third-party library, "std", or empty where the table doesn't know the header.
std::string library_of(const Include& include) {
  for (const auto& [prefix, name] : libraries)
    if (starts_with(include.target, prefix)) return std::string(name);
  return include.target.find_first_of("./") == std::string::npos ? "std" : "";
}

std::vector<Include> includes_of(const std::string& file, std::istream& in) {
  std::vector<Include> found;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const auto word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
    const auto open = line.find_first_of("<\"", word);
    if (open == std::string::npos) continue;
    const auto close = line.find_first_of(">\"", open + 1);
    found.push_back({file, number, line.substr(open + 1, close - open - 1), line[open] == '"'});
  }
  return found;
}

/// What is wrong with one include; empty when nothing is.
std::string fault(const Rooms& rooms, const Include& include, const fs::path& root) {
  const auto from = room_of(rooms, include.file);
  if (from.empty()) return "lies in no room of cmake/rooms.cmake";
  const auto& room = rooms.at(from);

  if (include.quoted) {
    const auto to = room_of(rooms, include.target);
    if (to.empty())
      return "'" + include.target + "' isn't written from the root, or lies in no room";
    if (!root.empty() && !fs::exists(root / include.target))
      return "'" + include.target + "' doesn't exist";
    if (to == from) return "";
    const auto arrow = from + " -> " + to;
    if (room.uses.count(to) == 0) return arrow + " isn't allowed";
    if (include.target.find("/detail/") != std::string::npos && from != "tests")
      return arrow + ": a header in detail/ is for its own room";
    const auto few = only_these.find({from, to});
    if (few != only_these.end() && few->second.count(include.target) == 0)
      return arrow + " is allowed for " + *few->second.begin() + " alone";
    return "";
  }

  const auto library = library_of(include);
  if (library == "std") return "";
  if (library.empty()) return "<" + include.target + "> is of no library that this test knows";
  const auto arrow = from + " -> " + library;
  if (room.takes.count(library) == 0) return arrow + " isn't allowed";
  if (only_in_cpp.count(library) != 0 && is_header(include.file))
    return arrow + " is allowed in .cpp files alone";
  const auto here = only_in_this_file.find(from + " " + library);
  if (here != only_in_this_file.end() && here->second != include.file)
    return arrow + " is allowed in " + here->second + " alone";
  return "";
}

std::vector<std::string> faults(const Rooms& rooms, const std::vector<Include>& includes,
                                const fs::path& root) {
  std::vector<std::string> said;
  std::map<std::string, std::string> first_user;
  for (const auto& include : includes) {
    const auto at = include.file + ":" + std::to_string(include.line) + ": ";
    if (const auto what = fault(rooms, include, root); !what.empty()) said.push_back(at + what);
    const auto library = include.quoted ? "" : library_of(include);
    if (only_in_one_file.count(library) == 0) continue;
    const auto& user = first_user.try_emplace(library, include.file).first->second;
    if (user != include.file)
      said.push_back(at + library + " lives in one file, and " + user + " has it already");
  }
  return said;
}

std::string env(const char* name) {
  const char* value = std::getenv(name);
  REQUIRE_MESSAGE(value != nullptr, name, " isn't set: run this through ctest");
  return value;
}

std::vector<std::string> sources_under(const fs::path& root) {
  std::vector<std::string> files;
  for (const char* top :
       {"models", "scenarios", "traces", "validate", "hw_backend", "cli", "bench", "examples", "tests"}) {
    if (!fs::exists(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto kind = entry.path().extension();
      if (kind == ".h" || kind == ".cpp" || kind == ".cu" || kind == ".cuh")
        files.push_back(entry.path().lexically_relative(root).generic_string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Rooms rooms_as_built() {
  std::ifstream in(env("GICSIM_ROOMS"));
  auto rooms = read_rooms(in);
  REQUIRE(rooms.size() > 20);
  return rooms;
}

}  // namespace

TEST_CASE("rooms: every include in the tree follows an arrow") {
  const auto rooms = rooms_as_built();
  const fs::path root = env("GICSIM_ROOT");
  std::vector<Include> includes;
  for (const auto& file : sources_under(root)) {
    std::ifstream in(root / file);
    const auto found = includes_of(file, in);
    includes.insert(includes.end(), found.begin(), found.end());
  }
  CHECK(includes.size() > 20);
  for (const auto& what : faults(rooms, includes, root)) FAIL_CHECK(what);
}

TEST_CASE("rooms: every source file is one that the build sees") {
  const auto rooms = rooms_as_built();
  for (const auto& file : sources_under(env("GICSIM_ROOT"))) {
    const auto room = room_of(rooms, file);
    CHECK_MESSAGE(!room.empty(), file, " lies in no room of cmake/rooms.cmake");
    if (room == "tests" || room == "hw_backend" || is_header(file)) continue;
    const auto folder = fs::path(file).parent_path().generic_string();
    CHECK_MESSAGE((folder == room || folder == room + "/detail"), file,
                  " lies too deep: sources are in ", room, " or its detail/");
  }
}

TEST_CASE("rooms: the table keeps the order of the design") {
  const auto rooms = rooms_as_built();
  const auto rank = [](const std::string& room) {
    const std::vector<std::string_view> order = {"models/units",
                                                 "traces/result",
                                                 "models/base",
                                                 "models/mechanisms",
                                                 "models/protocol",
                                                 "models/",
                                                 "scenarios/",
                                                 "validate/",
                                                 "cli",
                                                 "examples",
                                                 "bench",
                                                 "tests"};
    if (room == "hw_backend") return 2;
    if (starts_with(room, "traces/") && room != "traces/result") return 5;  // beside the devices
    for (std::size_t i = 0; i < order.size(); ++i)
      if (starts_with(room, order[i])) return static_cast<int>(i);
    return -1;
  };
  const auto device = [&](const std::string& room) {
    return rank(room) == 5 && starts_with(room, "models/");
  };
  for (const auto& row : rooms) {
    const auto& from = row.first;  // no structured bindings: clang 14 lets no lambda see them
    const auto& room = row.second;
    for (const auto& to : room.uses) {
      CAPTURE(from);
      CAPTURE(to);
      const bool siblings = rank(from) == rank(to) && !device(from) && !device(to);
      CHECK((rank(to) < rank(from) || siblings));
      CHECK(to != "cli");
      if (from == "hw_backend") CHECK((to == "models/units" || to == "traces/result"));
      if (from == "traces/result") CHECK(to == "models/units");
      if (from == "scenarios/workloads" || from == "scenarios/report") {
        CHECK_FALSE(device(to));
        CHECK(to != "scenarios/system");
      }
    }
    const auto taken_only_by = [&](const char* library, const std::set<std::string>& allowed) {
      CAPTURE(from);
      CAPTURE(library);
      CHECK((room.takes.count(library) == 0 || allowed.count(from) != 0));
    };
    taken_only_by("yaml-cpp", {"traces/text", "tests"});
    taken_only_by("expat", {"traces/text"});
    taken_only_by("cli11", {"cli"});
    taken_only_by("doctest", {"tests"});
    if (!starts_with(from, "models/"))
      taken_only_by("systemc", {"scenarios/system", "traces/export", "examples", "tests", "bench", "cli"});
    if (!starts_with(from, "models/")) taken_only_by("boost", {"tests", "bench"});
  }
}

TEST_CASE("rooms: a wrong arrow is named with file and line") {
  std::istringstream table(
      "models/units :  : \n"
      "models/base : models/units : systemc fmt spdlog json\n"
      "models/link : models/units models/base : systemc\n"
      "scenarios/paths : models/link : fmt\n"
      "scenarios/workloads : scenarios/paths : fmt json\n"
      "cli : scenarios/paths : systemc cli11 spdlog\n");
  const auto rooms = read_rooms(table);
  const auto of = [&](const std::string& file, const std::string& text) {
    std::istringstream in(text);
    const auto said = faults(rooms, includes_of(file, in), {});
    return said.empty() ? std::string() : said.front();
  };
  CHECK(of("models/link/wire.h", "#include <vector>\n#include \"models/base/kernel.h\"\n").empty());
  CHECK(of("models/base/kernel.h", "\n\n# include \"models/link/wire.h\"\n") ==
        "models/base/kernel.h:3: models/base -> models/link isn't allowed");
  CHECK(of("models/units/time.h", "#include <systemc>") ==
        "models/units/time.h:1: models/units -> systemc isn't allowed");
  CHECK(of("models/link/wire.cpp", "#include \"models/base/detail/heap.h\"") ==
        "models/link/wire.cpp:1: models/link -> models/base: a header in detail/ is for its own "
        "room");
  CHECK(of("models/base/detail/heap.cpp", "#include \"models/base/detail/heap.h\"").empty());
  CHECK(of("scenarios/workloads/put.cpp", "#include \"scenarios/paths/channel.h\"").empty());
  CHECK(of("scenarios/workloads/put.cpp", "#include \"scenarios/paths/proxy.h\"") ==
        "scenarios/workloads/put.cpp:1: scenarios/workloads -> scenarios/paths is allowed for "
        "scenarios/paths/channel.h alone");
  CHECK(of("models/base/log.h", "#include <nlohmann/json.hpp>") ==
        "models/base/log.h:1: models/base -> json is allowed in .cpp files alone");
  CHECK(of("cli/run.cpp", "#include <systemc>") ==
        "cli/run.cpp:1: cli -> systemc is allowed in cli/main.cpp alone");
  CHECK(of("models/base/log.cpp", "#include \"log.h\"") ==
        "models/base/log.cpp:1: 'log.h' isn't written from the root, or lies in no room");
  CHECK(of("models/base/log.cpp", "#include <curl/curl.h>") ==
        "models/base/log.cpp:1: <curl/curl.h> is of no library that this test knows");
  const std::vector<Include> twice = {{"models/base/log.cpp", 4, "spdlog/spdlog.h", false},
                                      {"cli/main.cpp", 2, "spdlog/spdlog.h", false}};
  CHECK(faults(rooms, twice, {}) ==
        std::vector<std::string>{
            "cli/main.cpp:2: spdlog lives in one file, and models/base/log.cpp has it already"});
}
