#include "command_line.hpp"

#include "examples.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>
#include <yoke/number_range.hpp>
#include <yoke/text.hpp>
#include <yoke/version.hpp>

namespace tools {

namespace {

constexpr const char* cus_text = "NxM, NxM+G or +G: N CPU compute units of M CPUs each, G GPU compute units";

std::string version_text() {
  std::string backends;
  for (const yoke::backend& each : yoke::all_backends())
    if (each.built()) backends += fmt::format("{}{}", backends.empty() ? "" : ", ", each.name);
  const yoke::build_options& build = yoke::options_of_build();
  std::string text =
      fmt::format("yoke {}\nbackends: {}\ncompiler: {}\n", yoke::version(), backends, build.compiler);
  if (!build.gpu_compiler.empty())
    text += fmt::format("compiler of kernels: {} {}\n", build.gpu, build.gpu_compiler);
  text += fmt::format("build type: {}\nchecks: {}", build.type, build.checks ? "on" : "off");
  if (!build.sanitizers.empty()) text += fmt::format("\nsanitizers: {}", build.sanitizers);
  return text;
}

void add_json(CLI::App& command, bool& json) { command.add_flag("--json", json, "print JSON"); }

void add_machine(CLI::App& command, machine_option& machine) {
  command.add_option("--machine", machine.text,
                     "another machine: a file written by lstopo, or an hwloc synthetic description");
  command.add_option("--cpus", machine.cpus, "only these CPUs of it, as 0-3,8");
  command.add_flag("--smt", machine.smt, "use all hardware threads of a core, as YOKE_SMT=1");
}

const CLI::Validator not_empty{[](const std::string& value) {
                                 return value.empty() ? "is empty; leave it out, or give it a value" : "";
                               },
                               ""};
using yoke::detail::amounts;

const CLI::Validator above_zero{
    [](const std::string& value) {
      return amounts.read(value) ? "" : value + " is not accepted; " + amounts.accepted();
    },
    ""};

/// What is empty is mostly a variable of a script that was not set.
void refuse_empty_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options())
      if (option->get_items_expected_max() > 0) option->check(not_empty);
}

CLI::App& add_command(CLI::App& app, const char* name, const char* meaning, const char* examples) {
  CLI::App& command = *app.add_subcommand(name, meaning);
  command.footer(examples);
  return command;
}

void add_info(command_line& all) {
  CLI::App& command = add_command(
      all.app, "info", "the machine, its devices, and the compute units it would have", info_examples);
  add_machine(command, all.info.machine);
  command.add_flag("--links", all.info.links, "measure the bandwidth between the memories of this machine");
  add_json(command, all.info.json);
}

void add_places(command_line& all) {
  CLI::App& command =
      add_command(all.app, "places", "the CPUs of each compute unit, as OMP_PLACES", places_examples);
  command.add_option("configuration", all.places.cus, cus_text)->required();
  command.add_option("--devices", all.places.devices, "the GPU compute units' devices, as YOKE_DEVICES");
  add_machine(command, all.places.machine);
  add_json(command, all.places.json);
}

void add_exec(command_line& all) {
  CLI::App& command =
      add_command(all.app, "exec", "run a program on compute units: -- program argument…", exec_examples);
  command.add_option("configuration", all.exec.cus, cus_text)->required();
  command.add_option("--schedule", all.exec.schedule, "as YOKE_SCHEDULE");
  command.add_option("--devices", all.exec.devices, "as YOKE_DEVICES");
  command.add_flag("--smt", all.exec.smt, "use all hardware threads of a core, as YOKE_SMT=1");
  add_json(command, all.exec.json);
}

void add_check(command_line& all) {
  CLI::App& command = add_command(
      all.app, "check", "contradictions in the environment, and how to correct them", check_examples);
  command.add_option("--cus", all.check.cus, "a configuration, instead of YOKE_CUS");
  add_json(command, all.check.json);
}

void add_profile(command_line& all) {
  CLI::App& command =
      add_command(all.app, "profile", "show or delete what earlier runs learnt", profile_examples);
  command.add_option("action", all.profile.action, "show or clear")
      ->required()
      ->check(CLI::IsMember({"show", "clear"}));
  command.add_option(
      "words", all.profile.words,
      "only entries that have all of these in their machine, build, program, work, schedule or "
      "configuration; case matters");
  command.add_option("--file", all.profile.file,
                     "a file, instead of YOKE_PROFILE or that in the cache folder");
  add_json(command, all.profile.json);
}

void add_several(CLI::App& command, const char* name, std::vector<std::string>& to, const char* meaning) {
  command.add_option(name, to, meaning)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_order(CLI::App& command, std::string& to) {
  command
      .add_option(
          "--order", to,
          "what a unit waits for before its next pass: all others (barrier), or the tasks that exchange "
          "with its own, as in NPB-MZ (dataflow)")
      ->check(CLI::IsMember({"barrier", "dataflow"}))
      ->capture_default_str();
}

void add_simulate(command_line& all) {
  CLI::App& command =
      add_command(all.app, "simulate", "run schedules in virtual time, on any machine", simulate_examples);
  simulate_options& to = all.simulate;
  command.add_option("--machine", to.machine, "the machine: a file of yoke-machine/1");
  command.add_option("--class", to.class_name, "tasks: zones of NPB-MZ, as SP:D");
  command.add_option("--tasks", to.tasks, "tasks: a file of yoke-tasks/1, or the JSON of an NPB-MZ run");
  command.add_option("--graph", to.graph,
                     "tasks of a graph, bound one by one: random:TASKS, cholesky:TILES, lu:TILES");
  command
      .add_option("--nodes", to.nodes, "up to so many of these machines, a rank each, with zones of a class")
      ->check(CLI::Range(1, 1 << 16));
  command.add_flag("--weak", to.weak, "with --nodes: each has the zones of the class");
  command.add_option("--cus", to.cus, "NxM+G of this machine; default: each CPU, all GPUs");
  add_several(command, "--schedule", to.schedules,
              "as YOKE_SCHEDULE; may be given several times (default auto)");
  command.add_option("--passes", to.passes, "passes over all tasks; means are of the second half")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  add_order(command, to.order);
  command.add_option("--seed", to.seed, "of noise and drift")->capture_default_str();
  command.add_option("--trace", to.trace, "write a trace that Perfetto opens");
  command.add_option("--calibrate", to.calibrate, "print the machine that these runs of NPB-MZ were on");
  add_json(command, to.json);
}

void add_compare(command_line& all) {
  CLI::App& command =
      add_command(all.app, "compare", "schedules on configurations, measured or simulated: tables and plots",
                  compare_examples);
  compare_options& to = all.compare;
  add_several(command, "--cus", to.cus, "a configuration, as YOKE_CUS; may be given several times");
  add_several(command, "--schedule", to.schedules,
              "as YOKE_SCHEDULE; may be given several times (default auto)");
  command.add_option("--devices", to.devices, "as YOKE_DEVICES");
  command.add_option(
      "--rate", to.rate,
      "regular expression whose first group is the rate (more is better); without it the program "
      "is of NPB-MZ");
  command.add_option("--machine", to.machine, "in virtual time on this machine: a file as for simulate");
  add_several(command, "--class", to.classes,
              "tasks there: zones of NPB-MZ, as SP:D; may be given several times");
  add_several(command, "--tasks", to.tasks,
              "tasks there: a file as for simulate; may be given several times");
  add_order(command, to.order);
  add_json(command, to.json);
  command.add_option("--out", to.out, "folder of the results")->capture_default_str();
  command.add_option("--budget", to.budget, "seconds after which no run begins")
      ->check(above_zero)
      ->capture_default_str();
  command
      .add_option("--accuracy", to.accuracy,
                  "percent: runs end when each mean is known to this accuracy, with 95% confidence")
      ->check(above_zero)
      ->capture_default_str();
}

/// The words behind the first "--".
std::vector<std::string> split_program(int& argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view{argv[i]} != "--") continue;
    std::vector<std::string> program(argv + i + 1, argv + argc);
    if (program.empty() || program.front().empty())
      throw yoke::config_error{"there is no program after --: -- program argument…"};
    argc = i;
    return program;
  }
  return {};
}

void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
    if (argc > 1 && command->check_name(argv[1])) return;
  }
  if (argc > 1 && argv[1][0] != '-')
    throw yoke::config_error{fmt::format("{}: no such command; one of {}", argv[1], names)};
}

void refuse_program(const command_line& all) {
  if (all.exec.program.empty()) return;
  for (const char* name : {"exec", "check", "compare"})
    if (all.app.got_subcommand(name)) return;
  throw yoke::config_error{"only exec, check and compare take a program: -- program argument…"};
}

int run(command_line& all) {
  refuse_program(all);
  if (all.wants_manual) return fmt::print("{}", manual_of(all.app)), fine;
  if (all.app.got_subcommand("info")) return run_info(all.info);
  if (all.app.got_subcommand("places")) return run_places(all.places);
  if (all.app.got_subcommand("exec")) return run_exec(all.exec);
  if (all.app.got_subcommand("check")) return run_check(all.check);
  if (all.app.got_subcommand("profile")) return run_profile(all.profile);
  if (all.app.got_subcommand("simulate")) return run_simulate(all.simulate);
  if (all.app.got_subcommand("compare")) return run_compare(all.compare);
  fmt::print("{}", all.app.help());
  return bad_usage;
}

int parse_and_run(int argc, char** argv) {
  command_line all;
  all.exec.program = split_program(argc, argv);
  all.check.program = all.exec.program;
  all.compare.program = all.exec.program;
  refuse_unknown_command(all.app, argc, argv);
  try {
    all.app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    std::ostringstream said, error;
    const bool is_help = all.app.exit(problem, said, error) == 0;
    fmt::print("{}", said.str());
    std::fputs(yoke::detail::printable_lines(error.str()).c_str(), stderr);
    return is_help ? fine : bad_usage;
  }
  return run(all);
}

}  // namespace

command_line::command_line() {
  app.name("yoke");
  app.set_version_flag("--version", version_text);
  app.add_flag("--man", wants_manual, "print the manual page")->group("");
  app.footer("yoke COMMAND --help has examples.");
  app.require_subcommand(0, 1);
  add_info(*this);
  add_places(*this);
  add_exec(*this);
  add_check(*this);
  add_profile(*this);
  add_simulate(*this);
  add_compare(*this);
  refuse_empty_values(app);
}

int run_command_line(int argc, char** argv) try {
  const int status = parse_and_run(argc, argv);
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::cout.good() && std::ferror(stdout) == 0) return status;
  std::fputs("yoke: standard output cannot be written\n", stderr);
  return found_wrong;
} catch (const yoke::config_error& problem) {
  std::fprintf(stderr, "yoke: %s\n", yoke::detail::printable_lines(problem.what()).c_str());
  return bad_usage;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "yoke: %s\n", yoke::detail::printable_lines(problem.what()).c_str());
  return found_wrong;
}

}  // namespace tools
