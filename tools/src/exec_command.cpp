#include "commands.hpp"
#include "layout.hpp"
#include "rank_mates.hpp"
#include "why_not_run.hpp"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <unistd.h>

#include <yoke/environment_mark.hpp>
#include <yoke/error.hpp>
#include <yoke/places_text.hpp>
#include <yoke/runtime.hpp>
#include <yoke/settings.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

using yoke::detail::printable;
using variables = std::vector<std::pair<std::string, std::string>>;

/// Teams as large as the compute units, for programs that know nothing of Yoke. The last number holds for all
/// levels below.
std::string team_sizes(const yoke::configuration& shape) {
  return fmt::format("{},{}", shape.units(), std::max(shape.cpus_per_unit, 1));
}

variables openmp_variables(const layout& made) {
  return {{"OMP_PLACES", yoke::short_places_text(made.places)},
          {"OMP_PROC_BIND", "close,master"},
          {"OMP_NUM_THREADS", team_sizes(made.shape)},
          {"OMP_MAX_ACTIVE_LEVELS", "2"},
          {"KMP_HOT_TEAMS_MAX_LEVEL", "2"}};
}

variables yoke_variables(const exec_options& options) {
  variables all{{"YOKE_CUS", options.cus}};
  if (!options.devices.empty()) all.emplace_back("YOKE_DEVICES", options.devices);
  if (!options.schedule.empty()) all.emplace_back("YOKE_SCHEDULE", options.schedule);
  if (options.smt) all.emplace_back("YOKE_SMT", "1");
  return all;
}

/// With these OpenMP ignores its places.
constexpr const char* ignored_places[] = {"KMP_AFFINITY", "GOMP_CPU_AFFINITY"};

/// The command's word beats what was set before; each such variable is told.
void put_in_place(const variables& openmp, const variables& yokes) {
  for (const char* name : ignored_places) {
    if (!yoke::detail::get_environment(name)) continue;
    fmt::print(stderr, "yoke: {} would make OpenMP ignore its places; the program runs without it\n", name);
    yoke::detail::unset_environment(name);
  }
  for (const auto& [name, value] : openmp) {
    if (yoke::detail::is_set_by_user(name.c_str())) {
      fmt::print(stderr, "yoke: {}={} is replaced by {}\n", name,
                 printable(yoke::detail::get_environment(name.c_str()).value_or("")), value);
    }
    yoke::detail::unset_environment(name.c_str());
    yoke::detail::set_as_yoke(name.c_str(), value);
  }
  for (const auto& [name, value] : yokes) yoke::detail::set_environment(name.c_str(), value);
}

void tell_of_ranks(const exec_options& options) {
  std::optional<launch> me;
  for (const std::string& each : notes_on_ranks("exec", options.cus, options.devices, me))
    fmt::print(stderr, "yoke: {}\n", printable(each));
}

int become(const std::vector<std::string>& program) {
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::fflush(stdout);
  execvp(words[0], words.data());
  fmt::print(stderr, "yoke: {}: {}\n", printable(program[0]), printable(why_not_run(program[0], errno)));
  return cannot_run;
}

/// One word for any shell, whatever is in it.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return word + "'";
}

void show(const variables& openmp, const variables& yokes, bool as_json) {
  json all = json::object();
  for (const auto* list : {&yokes, &openmp})
    for (const auto& [name, value] : *list) all[name] = value;
  if (as_json) return print_json(all);
  for (const auto& [name, value] : all.items())
    fmt::print("export {}={}\n", name, shell_word(value.get<std::string>()));
}

}  // namespace

int run_exec(const exec_options& options) {
  if (!options.schedule.empty()) yoke::check_schedule({options.schedule, "--schedule"});
  const yoke::topology machine = machine_of({});
  const layout made =
      lay_out(machine, smt_of(options.smt), {options.cus, "configuration"}, devices_of(options.devices));
  const variables openmp = openmp_variables(made);
  const variables yokes = yoke_variables(options);
  if (options.program.empty()) {
    show(openmp, yokes, options.json);
    return fine;
  }
  tell_of_ranks(options);
  put_in_place(openmp, yokes);
  return become(options.program);
}

}  // namespace tools
