// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <CLI/CLI.hpp>

#include "cli/version.h"
#include "models/base/errors.h"
#include "scenarios/schema/hint.h"
#include "traces/export/registry.h"

namespace gicsim::cli {
namespace {

/// Each command's options, bound to its struct. One object a parse, as CLI11 keeps references.
class Parser {
 public:
  Parser() {
    app_.set_version_flag("--version", "gicsim " + std::string(version()) + "\n");
    app_.set_help_flag("-h,--help", "print this, or what a command takes");
    app_.require_subcommand(0, 1);
    declare_run();
    declare_sweep();
    app_.add_subcommand("list", "the scenarios, systems, parts and profiles there are");
    declare_params();
    app_.add_subcommand("new", "print a commented scenario to start from")
        ->add_option("PATTERN", new_.pattern, "what is done: put, ping_pong, ...")
        ->required();
    declare_compare();
    CLI::App* kit = app_.add_subcommand("kit", "write what the model predicts for a machine, to be filled in there");
    kit->add_option("--system", kit_.system, "a name from 'gicsim list', or a file")->required();
    kit->add_option("-o,--out", kit_.out, "folder to write to")->required();
    declare_import();
    declare_trace();
    declare_replay();
    app_.add_subcommand("help", "print this, or what a command takes")->add_option("COMMAND", topic_, "a command");
  }

  Command parse(int argc, const char* const* argv) {
    if (argc < 2 || (argc == 2 && std::string(argv[1]) == "help")) return Say{app_.help()};
    const std::string first = argv[1];
    if (first.rfind('-', 0) != 0) known(first);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return Say{app_.help()};
    } catch (const CLI::CallForVersion& said) {
      return Say{said.what()};
    } catch (const CLI::ExtrasError&) {
      throw wrong("'" + app_.remaining(true).front() + "' means nothing here; see 'gicsim " + asked(" ") + "--help'");
    } catch (const CLI::ParseError& error) {
      throw wrong(std::string(error.what()) + "; see 'gicsim " + asked(" ") + "--help'");
    }
    return chosen();
  }

 private:
  /// What all that write exports take beside their names.
  static void declare_exports(CLI::App* command, Written& written, CLI::Option* exports) {
    command
        ->add_option("--export-limit", written.export_limit,
                     "how large each of their files may become; left out: 64 MiB")
        ->needs(exports);
    command
        ->add_option("--export-interval", written.export_interval,
                     "simulated time between samples; left out: 1 us for timeline, 100 ns for vcd, 10 us for dmon")
        ->needs(exports);
    command
        ->add_option("--signals", written.signals,
                     "of --export vcd: names with * and ?, commas between them: 'node0.nic0*,*.tags'; left out: busy "
                     "links, credits, "
                     "tags, ring indices, pauses")
        ->needs(exports);
  }

  void declare_run() {
    CLI::App* run = app_.add_subcommand("run", "run a scenario and say where the time goes");
    run->add_option("SCENARIO", run_.scenario, "a name from 'gicsim list', or a file");
    run->add_option("--set", run_.set, "KEY=VALUE: a scenario key or a parameter; may be repeated")
        ->allow_extra_args(false);
    run->add_flag("--json", run_.json, "print gicsim.report/1 and nothing else");
    CLI::Option* out =
        run->add_option("-o,--out", run_.out, "write report.json, config.yaml and run.json to this folder");
    CLI::Option* counters =
        run->add_flag("--counters", run_.counters,
                      "print what ports and queue pairs counted, by mlx5's names, instead of the report");
    CLI::Option* traffic =
        run->add_flag("--list-traffic", run_.list_traffic, "print each TLP and packet of one operation");
    run->add_option("--paths", run_.paths, "side by side: 'all' submission paths, or names with commas between them")
        ->excludes(out)
        ->excludes(traffic)
        ->excludes(counters);
    CLI::Option* log =
        run->add_option("--tlp-log", run_.tlp_log, "write every TLP of the run to this file, a line each")
            ->excludes(traffic)
            ->excludes("--paths");
    run->add_option("--tlp-log-limit", run_.tlp_log_limit, "how large that file may become; left out: 64 MiB")
        ->needs(log);
    CLI::Option* exports =
        run->add_option("--export", run_.exports,
                        "write these to -o's folder, names with commas between them: " + exports::names())
            ->excludes(traffic)
            ->excludes("--paths");
    declare_exports(run, run_, exports);
  }

  void declare_sweep() {
    CLI::App* sweep = app_.add_subcommand("sweep", "run a scenario at each combination of some values");
    sweep->add_option("SCENARIO", sweep_.scenario, "a name from 'gicsim list', or a file")->required();
    sweep->add_option("--vary", sweep_.vary, "KEY=VALUES: a,b,c or 8B..1MiB:*2 or 1..9:+2; may be repeated")
        ->allow_extra_args(false)
        ->required();
    sweep->add_option("--set", sweep_.set, "KEY=VALUE: a scenario key or a parameter; may be repeated")
        ->allow_extra_args(false);
    sweep->add_option("-j,--jobs", sweep_.jobs, "points at once; left out: as many as there are processors")
        ->check(CLI::Range(1, 4096));
    sweep->add_option("-o,--out", sweep_.out, "write records.jsonl, sweep.csv and config.yaml to this folder");
  }

  void declare_params() {
    CLI::App* params = app_.add_subcommand("params", "parameters: value, unit, bounds, source");
    params->add_option("NAME", params_.words,
                       "a system or scenario, then what of it: a kind ('nic') or a path ('node0.nic0')");
    CLI::Option* markdown = params->add_flag("--markdown", params_.markdown, "print docs/parameters.md");
    params->add_flag("--schema", params_.schema, "print the JSON Schema of a scenario file")->excludes(markdown);
  }

  void declare_compare() {
    CLI::App* compare = app_.add_subcommand("compare", "hold the models against published figures");
    compare->add_option("TABLE", compare_.tables, "only these tables");
    compare->add_option("--system", compare_.system, "only rows of this system");
    compare
        ->add_option("--records", compare_.records,
                     "hold them against these records instead (gicsim.result/1, of 'gicsim hw run' or 'import'); may "
                     "be repeated")
        ->allow_extra_args(false);
    compare->add_flag("--strict", compare_.strict, "exit code 1 if DEVIATIONS.md lacks a miss or has a stale one");
    CLI::Option* json = compare->add_flag("--json", compare_.json, "print gicsim.compare/1");
    CLI::Option* deviations =
        compare->add_flag("--deviations", compare_.deviations, "print the table of DEVIATIONS.md as it is now");
    deviations->excludes(json);
    compare->add_flag("--evidence", compare_.evidence, "print validate/evidence/evidence.yaml as it is now")
        ->excludes(json)
        ->excludes(deviations);
  }

  void declare_import() {
    CLI::App* import =
        app_.add_subcommand("import", "what perftest, nvshmem, nccl-tests, nvbandwidth or gdrcopy printed, as records");
    import->add_option("FILE", import_.files, "their output, text or JSON, or records");
    import->add_option("-o,--out", import_.out, "write to this file, whole or not at all; left out: standard output");
    import->add_option("--system", import_.system, "the machine it was measured on; left out: the file's name");
    import->add_option("--pattern", import_.pattern, "what a table measures that doesn't say: all_reduce, ...");
    import->add_option("--path", import_.path, "who initiates, where the tool doesn't print it: gpu_direct, ...");
    import->add_option("--format", import_.format,
                       "records, or tables as perftest, nvshmem or nccl-tests print them; left out: records");
    declare_import_machine(import);
    declare_import_topology(import);
  }

  void declare_import_machine(CLI::App* import) {
    CLI::App* machine = import->add_subcommand("machine", "a machine as its own tools show it, as a system file");
    machine
        ->add_option(
            "FILE", machine_.files,
            "of one machine: lspci -vvv or -tv, nvidia-smi -q or topo -m, ibstat, ibv_devinfo -v, NCCL's topology")
        ->required();
    machine->add_option("-o,--out", machine_.out, "write to this file, whole or not at all; left out: standard output");
    machine->add_option("--nodes", machine_.nodes, "machines alike, with one switch between them")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    machine->add_option("--sockets", machine_.sockets, "of a machine; left out: by its NUMA nodes")
        ->check(CLI::Range(1, 4));
    machine
        ->add_option("--set", machine_.set,
                     "KEY=VALUE: instead of what the files say, gpu0.pcie.lanes=16; may be repeated")
        ->allow_extra_args(false);
  }

  void declare_import_topology(CLI::App* import) {
    CLI::App* topology = import->add_subcommand("topology", "a topology of ns-3 (HPCC, SimAI) as a system file");
    topology->add_option("FILE", topology_.file, "nodes, switches and links, as HPCC or SimAI read them")->required();
    topology->add_option("-o,--out", topology_.out,
                         "write to this file, whole or not at all; left out: standard output");
  }

  void declare_trace() {
    CLI::App* trace = app_.add_subcommand(
        "trace", "captures and schedules: what is in them, whether the model does the same; make some");
    trace->require_subcommand(1);
    CLI::App* info =
        trace->add_subcommand("info",
                              "of captures what each queue pair did, or what went over each PCIe link; of schedules "
                              "ranks, messages, bytes");
    info->add_option("FILE", trace_info_.files, "whatever 'replay' takes; a TLP log, a capture of NetTLP")->required();
    info->add_option("--delivered", trace_info_.delivered,
                     "of one FILE: the same run behind the place of loss; says what got lost");
    info->add_flag("--json", trace_info_.json, "print gicsim.trace/1");
    CLI::App* check = trace->add_subcommand("check", "replay each queue pair against the NIC model, packet by packet");
    check->add_option("FILE", trace_check_.files, "pcap or pcapng")->required();
    check
        ->add_option("--delivered", trace_check_.delivered,
                     "of one FILE: the same run behind the place of loss; may be repeated")
        ->allow_extra_args(false);
    check->add_option("--role", trace_check_.role, "requester or responder; left out: both");
    check->add_option("--like", trace_check_.like, "whose habits the model has: soft_roce, or spec (the model's own)")
        ->capture_default_str();
    check->add_option("--set", trace_check_.set, "KEY=VALUE: a habit, by its name under nic.transport; may be repeated")
        ->allow_extra_args(false);
    declare_trace_make(trace);
    CLI::App* convert =
        trace->add_subcommand("convert", "a schedule as GOAL, or as gicsim.schedule/1, which keeps all");
    convert->add_option("FILE", convert_.files, "whatever 'replay' takes: of some formats a file a rank")->required();
    convert->add_option("--format", convert_.format, "goal or jsonl")->capture_default_str();
    convert->add_option("-o,--out", convert_.out, "write to this file, whole or not at all; left out: standard output");
  }

  void declare_trace_make(CLI::App* trace) {
    CLI::App* make =
        trace->add_subcommand("make", "a schedule as GOAL: an all-reduce, all-to-all, pipeline or mixture of experts");
    make->add_option("WORKLOAD", make_.workload, "ring_all_reduce, tree_all_reduce, all_to_all, pipeline or moe")
        ->required();
    make->add_option("--ranks", make_.ranks, "how many take part")->required()->check(CLI::Range(1, 1 << 20));
    make->add_option("--bytes", make_.bytes, "the vector; pipeline: a micro-batch between stages; moe: a rank's tokens")
        ->capture_default_str();
    make->add_option("--compute", make_.compute, "time before each collective, of a layer; left out: none");
    make->add_option("--iterations", make_.iterations, "how often")
        ->check(CLI::Range(1, 1 << 30))
        ->capture_default_str();
    make->add_option("--layers", make_.layers, "of a pipeline, in all; left out: one a rank; of a moe; left out: one")
        ->check(CLI::Range(1, 1 << 20));
    make->add_option("--micro-batches", make_.micro_batches, "of a pipeline; left out: as many as ranks")
        ->check(CLI::Range(1, 1 << 20));
    make->add_option("--experts", make_.experts, "of a moe, in all; left out: one a rank")
        ->check(CLI::Range(1, 1 << 20));
    make->add_option("--top-k", make_.top_k, "experts of a token")
        ->check(CLI::Range(1, 1 << 10))
        ->capture_default_str();
    make->add_option("--tokens", make_.tokens, "of a rank of a moe")
        ->check(CLI::Range(1, 1 << 16))
        ->capture_default_str();
    make->add_option("--seed", make_.seed, "of the experts' loads")->capture_default_str();
    make->add_option("--format", make_.format, "goal or jsonl (gicsim.schedule/1)")->capture_default_str();
    make->add_option("-o,--out", make_.out, "write to this file, whole or not at all; left out: standard output");
  }

  void declare_replay() {
    CLI::App* replay = app_.add_subcommand("replay", "play a trace on a system and say how long it takes, and why");
    replay
        ->add_option("FILE", replay_.files,
                     "a trace, a TLP log or a capture of NetTLP; its format is found by what is in it")
        ->required();
    replay->add_option("--system", replay_.system, "a name from 'gicsim list', or a file; left out: h200_cx7_ib");
    replay->add_option("--path", replay_.path, "who posts: gpu_direct (left out), cpu_proxy, cpu_post, ...");
    replay->add_option("--map", replay_.map,
                       "ranks to GPUs: hosts (if the trace names them), gpus, nodes, a list '0=node0.gpu1, "
                       "1=node1.gpu0', or a file of lines '0 node0.gpu1'; of TLPs: links to what is below them, "
                       "'LINK=node0.nic0'");
    replay
        ->add_option("--start", replay_.start,
                     "dependencies: a step begins when what it needs has come; captured: nor before it "
                     "did in the trace")
        ->capture_default_str();
    replay->add_option("--compute", replay_.compute, "factor on computing times")->capture_default_str();
    replay->add_option("--set", replay_.set, "KEY=VALUE: a scenario key or parameter; may be repeated")
        ->allow_extra_args(false);
    replay->add_flag("--json", replay_.json, "print gicsim.replay/1");
    replay->add_flag("--no-gain", replay_.no_gain, "don't replay again with what binds twice as fast");
    replay->add_option("-o,--out", replay_.out, "folder for replay.json, and for what --export names");
    CLI::Option* exports = replay->add_option(
        "--export", replay_.exports, "write these to -o's folder, names with commas between them: " + exports::names());
    declare_exports(replay, replay_, exports);
  }

  static ConfigError wrong(const std::string& what) { return {Location{"gicsim"}, what}; }

  void known(const std::string& command) const {
    std::vector<std::string> names;
    for (const CLI::App* sub : app_.get_subcommands(nullptr)) names.push_back(sub->get_name());
    if (std::find(names.begin(), names.end(), command) != names.end()) return;
    const std::string hint = schema::nearest(command, names);
    throw wrong("'" + command + "' is no command; " +
                (hint.empty() ? "see 'gicsim help'" : "did you mean '" + hint + "'?"));
  }

  std::string asked(const std::string& after) const {
    const auto subs = app_.get_subcommands();
    return subs.empty() ? "" : subs.front()->get_name() + after;
  }

  Command chosen() {
    const std::string name = asked("");
    if (name == "run") return run_;
    if (name == "sweep") return sweep_;
    if (name == "list") return List{};
    if (name == "params") return params_;
    if (name == "new") return new_;
    if (name == "compare") return compare_;
    if (name == "kit") return kit_;
    if (name == "import") {
      if (!machine_.files.empty()) return machine_;
      if (!topology_.file.empty()) return topology_;
      if (import_.files.empty()) throw wrong("import: FILE is required; see 'gicsim import --help'");
      return import_;
    }
    if (name == "trace") {
      if (!trace_check_.files.empty()) return trace_check_;
      if (!make_.workload.empty()) return make_;
      if (!convert_.files.empty()) return convert_;
      return trace_info_;
    }
    if (name == "replay") return replay_;
    if (topic_.empty()) return Say{app_.help("", CLI::AppFormatMode::All)};
    known(topic_);
    return Say{app_.get_subcommand(topic_)->help("gicsim")};
  }

  CLI::App app_{"Where the time goes between two GPUs, from a thread's store to the far side's memory", "gicsim"};
  Run run_;
  Sweep sweep_;
  Params params_;
  New new_;
  Compare compare_;
  Kit kit_;
  Import import_;
  ImportMachine machine_;
  ImportTopology topology_;
  TraceInfo trace_info_;
  TraceCheck trace_check_;
  Replay replay_;
  TraceMake make_;
  TraceConvert convert_;
  std::string topic_;
};

}  // namespace

Command parse(int argc, const char* const* argv) { return Parser().parse(argc, argv); }

}  // namespace gicsim::cli
