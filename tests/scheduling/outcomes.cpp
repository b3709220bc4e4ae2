/// Prints what a schedule comes to on simulated nodes and random machines, as JSON: a rate each, more is
/// better.
///
///   scheduling_outcomes SCHEDULE FIRST_SEED MACHINES [NAME=VALUE …]
///
/// Random machines are those of the seeds from FIRST_SEED on. NAME: a number of `auto` that is changed for
/// once; "scheduling_outcomes numbers" lists them.

#include "../../scheduling/src/learning/numbers.hpp"
#include "bt_class_d.hpp"
#include "busy_hosts.hpp"
#include "machines.hpp"
#include "scenarios.hpp"
#include "unheard_cpus.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace yoke;

namespace {

std::vector<std::pair<std::string, double>> rows;
void add(std::string name, double rate) { rows.emplace_back(std::move(name), rate); }

void of_scenarios(const char* schedule) {
  using namespace driver;
  const auto rate = [&](const scenario& one) { return one.one_gpu() / one.mean_pass(schedule, 300); };
  add("scenario: SP-MZ D, 15 CPUs and a GPU", rate(sp_d(15, 1)));
  add("scenario: SP-MZ C, 15 CPUs and a GPU", rate(sp_c(15, 1)));
  add("scenario: BT-MZ D, 15 CPUs and a GPU", rate(bt_d(15, 1)));
  add("scenario: LU-MZ D, 15 CPUs and a GPU", rate(lu_d(15, 1)));
  add("scenario: BT-MZ D, two GPUs", rate(bt_d(0, 2)));
  add("scenario: BT-MZ D, 30 CPUs and two GPUs", rate(bt_d(30, 2)));
  add("scenario: a GPU is slowed to a third", rate_of_slowed_gpu(schedule));
  std::vector<unit> units = make_units(4, 1);
  units.back().processors = 4;
  add("scenario: 8 tasks, 8 alike", share_of_all(schedule, {.n_tasks = 8}, make_units(6, 2), {0, 1}, {0, 1}));
  add("scenario: 16 tasks, 4 CPUs and a GPU",
      share_of_all(schedule, {.n_tasks = 16}, units, {0, 1}, {0, 1.0 / 12}));
  add("scenario: 1024 tasks, 16 CPUs and a GPU",
      share_of_all(schedule, {.n_tasks = 1024}, beside_h200s(16, 1), {0, 1e-3}, {launch, 5e-5}));
  add("scenario: uneven tasks, 8 CPUs and two GPUs",
      share_of_all(schedule, uneven_zones(16), beside_h200s(8, 2), {0, 1e-3}, {launch, 1e-4}));
}

void of_looks(const char* schedule) {
  const auto look = [&](const std::string& name, const driver::troubles& has) {
    const driver::rates of = driver::rates_beside_gpu(schedule, has);
    add("looks, least: " + name, of.least);
    add("looks, mean: " + name, of.mean);
  };
  look("quiet", {});
  look("CPUs lose a sixth", {.lost = 1.2});
  look("CPUs lose much and vary", {.lost = 1.4, .noise = 0.25});
  look("both are delayed", {.lost = 1.6, .noise = 0.25, .delays = 0.15});
  look("both are delayed, long layout", {.lost = 1.6, .noise = 0.25, .delays = 0.15, .layout = 2});
  for (pass_id pass = 1; pass <= 24; pass += pass < 8 ? 1 : 4)
    look("a CPU is away in pass " + std::to_string(pass), {.away_in = pass, .away = 2.5, .most_before = 33});
  look("slices until pass 13", {.slice = 1, .chance = 0.02, .slice_until = 13, .most_before = 33});
  for (const pass_id from : {12, 20, 30, 40, 50, 60, 80, 100, 120, 130, 160})
    look("CPUs lose from pass " + std::to_string(from), {.lost = 2.2, .noise = 0.15, .lost_from = from});
  look("long slices", {.slice = 6});
  look("short slices", {.slice = 0.5});
}

void of_busy_cpus(const char* schedule) {
  const auto busy = [&](const std::string& name, int side, double heaviest, int cpus,
                        const driver::host& on) {
    add("busy CPUs: " + name, driver::rate_over_pool(schedule, side, heaviest, cpus, on));
  };
  busy("64 tasks, 32 CPUs", 8, 1, 32, {});
  busy("64 tasks, 32 CPUs, none late", 8, 1, 32, {.late = 0});
  busy("64 tasks, 32 CPUs, slow for a while", 8, 1, 32, {.slow_for_a_while = 0.4});
  busy("16 tasks, 8 CPUs", 4, 4, 8, {});
  busy("16 tasks, 8 CPUs, none late", 4, 4, 8, {.late = 0});
  busy("64 uneven tasks, 32 CPUs", 8, 20, 32, {});
  busy("16 tasks, 32 CPUs", 4, 1, 32, {});
}

void of_unheard_cpus(const char* schedule) {
  using driver::blocks;
  using driver::of_launch;
  const auto unheard = [&](const std::string& name, const blocks& of) {
    add("unheard CPUs: " + name, 1 / of.run(schedule).part);
  };
  unheard("small tasks", {.bytes = 100'000});
  unheard("as slow as promised", {.bytes = 100'000, .of_cpu = 340 * of_launch});
  unheard("long tasks", {.bytes = 100'000, .of_gpu = 20 * of_launch});
  unheard("shared launches", {.bytes = 100'000, .of_gpu = of_launch / 4});
  unheard("much to move", {.bytes = 1'000'000});
  unheard("much to move, 600 passes", {.bytes = 1'000'000, .passes = 600});
}

void print_machines(const char* schedule, unsigned first, unsigned n) {
  std::vector<double> learned, clock;
  int poor = 0, good = 0, changes = 0;
  for (unsigned seed = first; seed < first + n; ++seed) {
    driver::generator rng{seed};
    const machines::machine on = machines::draw(rng);
    const machines::outcome seen = machines::run(schedule, on, rng, 60);
    learned.push_back(seen.shares[10]);
    clock.push_back(seen.by_clock);
    good += seen.shares[10] >= 0.95 ? 1 : 0;
    poor += machines::longest_below(seen.shares, 0.9) > 20 ? 1 : 0;
    changes = std::max(changes, seen.changes);
    if (std::getenv("OUTCOMES_POOR") != nullptr && seen.shares[10] < 0.92)
      std::fprintf(stderr, "%u: %.3f after ten passes, %.3f at last, %d changes\n", seed, seen.shares[10],
                   seen.shares.back(), seen.changes);
  }
  std::ranges::sort(learned);
  const double by_clock = std::accumulate(clock.begin(), clock.end(), 0.0) / n;
  const auto at = [&](double part) {
    return learned[static_cast<std::size_t>(part * static_cast<double>(n - 1))];
  };
  std::printf(
      "  \"machines\": {\"first_seed\": %u, \"n\": %u, \"median\": %.4f, \"percentile_5\": %.4f,\n"
      "    \"part_of_95\": %.4f, \"part_poor_for_20\": %.4f, \"most_changes\": %d, \"mean_by_clock\": "
      "%.4f}\n",
      first, n, at(0.5), at(0.05), good / static_cast<double>(n), poor / static_cast<double>(n), changes,
      by_clock);
}

int print_numbers() {
  const char* before = "[";
  for (const scheduling::learning_number& one : scheduling::learning_number_list) {
    std::printf("%s\n  {\"name\": \"%s\", \"value\": %g, \"unit\": \"%s\", \"meaning\": \"%s\"}", before,
                std::string{one.name}.c_str(), scheduling::numbers.*one.value, std::string{one.unit}.c_str(),
                std::string{one.meaning}.c_str());
    before = ",";
  }
  std::printf("\n]\n");
  return 0;
}

bool set_number(const char* text) {
  const std::string_view given{text};
  const std::size_t at = given.find('=');
  for (const scheduling::learning_number& one : scheduling::learning_number_list) {
    if (at == std::string_view::npos || given.substr(0, at) != one.name) continue;
    scheduling::numbers.*one.value = std::atof(text + at + 1);
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view{argv[1]} == "numbers") return print_numbers();
  if (argc < 4 || !std::all_of(argv + 4, argv + argc, set_number)) {
    std::fputs("usage: scheduling_outcomes SCHEDULE FIRST_SEED MACHINES [NAME=VALUE ...]\n", stderr);
    return 2;
  }
  const char* const schedule = argv[1];
  of_scenarios(schedule);
  of_looks(schedule);
  of_busy_cpus(schedule);
  of_unheard_cpus(schedule);
  std::printf("{\n  \"schedule\": \"%s\",\n  \"outcomes\": {", schedule);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::printf("%s\n    \"%s\": %.4f", i == 0 ? "" : ",", rows[i].first.c_str(), rows[i].second);
  std::printf("\n  },\n");
  print_machines(schedule, static_cast<unsigned>(std::atoi(argv[2])),
                 static_cast<unsigned>(std::atoi(argv[3])));
  std::printf("}\n");
}
