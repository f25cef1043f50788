// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/options.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "hw_backend/core/error.h"

namespace gicsim::hw {
namespace {

/// The words behind a command, taken one by one.
class Words {
 public:
  Words(int argc, const char* const* argv) : words_(argv + std::min(argc, 1), argv + argc) {}
  bool empty() const { return at_ == words_.size(); }
  std::string_view next() { return words_[at_++]; }
  std::string text(std::string_view option, std::string_view wanted) {
    if (empty()) throw UsageError(std::string(option) + ": nothing follows; write '" + std::string(option) + " " + std::string(wanted) + "'");
    return std::string(next());
  }
  int number(std::string_view option, int least, int most) {
    const std::string given = text(option, "N");
    int value = 0;
    const auto end = std::from_chars(given.data(), given.data() + given.size(), value);
    if (end.ec != std::errc{} || end.ptr != given.data() + given.size() || value < least || value > most)
      throw UsageError(std::string(option) + ": '" + given + "' is no whole number from " + std::to_string(least) +
                       " to " + std::to_string(most));
    return value;
  }

 private:
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

void meet(Options& o, Options::Meet how, const std::string& given) {
  if (o.meet != Options::Meet::alone) throw UsageError("--listen and --connect: one end listens, the other connects");
  o.meet = how;
  const std::size_t colon = given.rfind(':');
  const std::string port = colon == given.npos ? given : given.substr(colon + 1);
  o.address = colon == given.npos ? "" : given.substr(0, colon);
  const auto end = std::from_chars(port.data(), port.data() + port.size(), o.port);
  if (end.ec != std::errc{} || end.ptr != port.data() + port.size() || o.port < 1 || o.port > 65535 ||
      (how == Options::Meet::connect && o.address.empty()))
    throw UsageError(how == Options::Meet::listen ? "--listen: '" + given + "' is no port; write '--listen 18515'"
                                                  : "--connect: '" + given + "' is no HOST:PORT; write '--connect node2:18515'");
}

void run_option(Options& o, std::string_view word, Words& words) {
  if (word == "-o" || word == "--out") o.out = words.text(word, "FILE.jsonl");
  else if (word == "--samples") o.samples = words.text(word, "FILE.jsonl");
  else if (word == "--kit") o.kit = words.text(word, "FILE.jsonl");
  else if (word == "--system") o.system = words.text(word, "NAME");
  else if (word == "--repeats") o.repeats = words.number(word, 1, 1000);
  else if (word == "--quick") o.quick = true;
  else if (word == "--gpu") o.gpu = words.number(word, 0, 63);
  else if (word == "--peer-gpu") o.peer_gpu = words.number(word, 0, 63);
  else if (word == "--nic") o.nic = words.text(word, "mlx5_0");
  else if (word == "--nic-port") o.nic_port = words.number(word, 1, 255);
  else if (word == "--gid") o.gid = words.number(word, 0, 255);
  else if (word == "--memory") {
    const std::string where = words.text(word, "gpu");
    if (where != "gpu" && where != "host") throw UsageError("--memory: '" + where + "' is neither; write 'gpu' or 'host'");
    o.gpu_memory = where == "gpu";
  }
  else if (word == "--listen") meet(o, Options::Meet::listen, words.text(word, "18515"));
  else if (word == "--connect") meet(o, Options::Meet::connect, words.text(word, "HOST:18515"));
  else throw UsageError("run: no option '" + std::string(word) + "'; 'gicsim hw --help' lists them");
}

}  // namespace

Options parse(int argc, const char* const* argv) {
  Options o;
  Words words(argc, argv);
  if (words.empty()) return o;
  const std::string_view command = words.next();
  if (command == "--help" || command == "-h" || command == "help") return o;
  if (command == "list") {
    o.command = Options::Command::list;
  } else if (command == "run") {
    o.command = Options::Command::run;
    while (!words.empty()) {
      const std::string_view word = words.next();
      if (word == "--help" || word == "-h") return Options{};
      if (word.size() > 1 && word[0] == '-') run_option(o, word, words);
      else o.keys.emplace_back(word);
    }
  } else if (command == "doctor") {
    o.command = Options::Command::doctor;
    while (!words.empty()) {
      const std::string_view word = words.next();
      if (word == "--from") o.from = words.text(word, "DIR");
      else if (word == "--explain") o.explain = words.text(word, "MESSAGE");
      else if (word == "--help" || word == "-h") return Options{};
      else throw UsageError("doctor: no option '" + std::string(word) + "'; write 'doctor', 'doctor --from DIR' or 'doctor --explain MESSAGE'");
    }
  } else {
    throw UsageError("'" + std::string(command) + "' is no command; write list, run, doctor or kit");
  }
  if (!words.empty()) throw UsageError(std::string(command) + ": takes no '" + std::string(words.next()) + "'");
  return o;
}

const char* usage() {
  return
      "gicsim hw: the simulator's patterns on the machine under it\n"
      "\n"
      "  list                         every experiment, and whether it can run here or why not\n"
      "  run [KEY...] [OPTIONS]       runs them (all that can) and writes records, one JSON object a line\n"
      "  doctor [--from DIR]          what keeps GPU and NIC from working together; with --from from saved outputs\n"
      "                               (lspci.txt, nvidia-smi.txt, topo.txt, ibstat.txt, ibv_devinfo.txt)\n"
      "  doctor --explain MESSAGE     which check an error message of some program belongs to\n"
      "  kit --system S -o DIR        the model's predictions for a system, and the command that fills in the rest\n"
      "\n"
      "Of run:\n"
      "  -o, --out FILE.jsonl         records (else: standard output)\n"
      "  --samples FILE.jsonl         every raw sample as well\n"
      "  --kit FILE.jsonl             predictions of a kit; prints them beside what is measured\n"
      "  --system NAME                name in the records (else made from the machine)\n"
      "  --repeats N                  of each measurement (5)\n"
      "  --quick                      fewer points and samples: a look, no data\n"
      "  --gpu N, --peer-gpu N        which GPUs (0, and the next)\n"
      "  --nic DEVICE, --nic-port N, --gid N   which NIC, port and GID (first that is up)\n"
      "  --memory host|gpu            memory that the verbs experiments register (host)\n"
      "  --listen [ADDRESS:]PORT, --connect HOST:PORT   two machines: start the listener first\n"
      "\n"
      "Exit codes: 0 done, or nothing to do here; 1 a check of doctor failed, or an experiment did; 2 the command line;\n"
      "4 the machine.\n";
}

}  // namespace gicsim::hw
