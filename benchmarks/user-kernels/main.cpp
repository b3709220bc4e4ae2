/// Kernels of a user on CPU CUs beside the same loops in plain OpenMP, compiled with the same options.
#include "grid.hpp"
#include "placed.hpp"
#include "plain.hpp"
#include "record/median.hpp"
#include "record/number_option.hpp"
#include "record/record.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>

namespace {

using json = nlohmann::ordered_json;

struct arguments {
  std::vector<std::int64_t> points = {67'000, 2'400'000};
  std::string cus = "2x1";
  std::string devices = "none";
  std::string schedule = "static";
  int tasks = 4;
  int pairs = 11;
  double sample_ms = 30;
  std::string json_file;
};

struct pair {
  yoke::seconds plain;
  yoke::seconds yoke;
  double ratio() const { return yoke / plain; }
};

/// Seconds of a pass.
template <class Grid>
yoke::seconds time_of(Grid& grid, int passes) {
  const yoke::ticks from = yoke::now();
  for (int n = 0; n < passes; ++n) grid.pass();
  return yoke::elapsed(from, yoke::now()) / passes;
}

/// By turns, so that what disturbs the machine disturbs both.
std::vector<pair> measure(user_kernels::plain_grid& plain, user_kernels::placed_grid& placed,
                          const arguments& in) {
  constexpr int warm_up = 3;
  const yoke::seconds pass = (time_of(placed, warm_up), time_of(plain, warm_up));
  const int passes = std::max(1, static_cast<int>(in.sample_ms / 1e3 / pass));
  std::vector<pair> pairs;
  for (int n = 0; n < in.pairs; ++n) {
    pair next{};
    if (n % 2 == 0) next.plain = time_of(plain, passes);
    next.yoke = time_of(placed, passes);
    if (n % 2 == 1) next.plain = time_of(plain, passes);
    pairs.push_back(next);
  }
  return pairs;
}

json record(const user_kernels::grid& shape, const std::vector<pair>& pairs) {
  json samples = json::array();
  for (const pair& p : pairs) samples.push_back({p.plain, p.yoke});
  return {{"kernel", shape.name},
          {"points", shape.points()},
          {"seconds_plain_and_yoke", samples},
          {"median_ratio", record::median(pairs, &pair::ratio)}};
}

/// Those of all CUs.
int n_cpus(const yoke::runtime& rt) {
  std::size_t n = 0;
  for (const yoke::compute_unit& unit : rt.units().all()) n += unit.cpus.size();
  return static_cast<int>(n);
}

/// Whether Yoke computed what the plain loop did.
bool compare(yoke::runtime& rt, const user_kernels::grid& shape, const arguments& in, json& out) {
  user_kernels::plain_grid plain{shape, n_cpus(rt)};
  user_kernels::placed_grid placed{rt, shape, in.schedule, in.tasks};
  const std::vector<pair> pairs = measure(plain, placed, in);
  const bool equal = placed.results() == plain.results();
  const double of_point = 1e9 / static_cast<double>(shape.points());
  fmt::print("{:<17} {:>8} {:>9.3f} {:>9.3f} {:>7.3f}   {}\n", shape.name, shape.points(),
             record::median(pairs, &pair::plain) * of_point, record::median(pairs, &pair::yoke) * of_point,
             record::median(pairs, &pair::ratio), equal ? "equal" : "DIFFERS");
  out["kernels"].push_back(record(shape, pairs));
  return equal;
}

json settings(const yoke::runtime& rt, const arguments& in) {
  return {{"schema", "yoke-user-kernels/1"},   {"record", record::of_run(rt)},
          {"optimization", YOKE_OPTIMIZATION}, {"cus", in.cus},
          {"schedule", in.schedule},           {"tasks", in.tasks},
          {"sample_ms", in.sample_ms}};
}

bool compare_all(const arguments& in) {
  yoke::runtime rt{
      {.cus = yoke::sourced{in.cus, "--cus"}, .devices = yoke::sourced{in.devices, "--devices"}}};
  json out = settings(rt, in);
  fmt::print("{}, {}, {} tasks; nanoseconds a point, medians of {} pairs by turns\n", in.cus, in.schedule,
             in.tasks, in.pairs);
  fmt::print("{:<17} {:>8} {:>9} {:>9} {:>7}   {}\n", "", "points", "plain", "Yoke", "ratio", "results");
  bool equal = true;
  for (const std::int64_t points : in.points) {
    for (const user_kernels::grid& shape : user_kernels::grids_of(points))
      equal = compare(rt, shape, in, out) && equal;
  }
  if (!in.json_file.empty()) record::write_json(in.json_file, out);
  return equal;
}

void describe(CLI::App& app, arguments& in) {
  app.add_option("--points", in.points, "sizes of the grids")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--cus", in.cus, "configuration; the plain loops have a thread for each of its CPUs")
      ->capture_default_str();
  app.add_option("--devices", in.devices, "as YOKE_DEVICES")->capture_default_str();
  app.add_option("--schedule", in.schedule, "schedule of the tasks")->capture_default_str();
  app.add_option("--tasks", in.tasks, "blocks of a grid")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--pairs", in.pairs, "samples of both, by turns")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  app.add_option("--sample-ms", in.sample_ms, "milliseconds of a sample")
      ->capture_default_str()
      ->check(record::number_in(0.0, 1e5));
  app.add_option("--json", in.json_file, "also write the samples to this file");
}

}  // namespace

int main(int argc, char** argv) {
  arguments in;
  CLI::App app{
      "Kernels of a user by Yoke and in plain OpenMP: saxpy, 5-point and 27-point stencil, the sum of each "
      "row; with functions of three levels a stencil of 60 operations and a look-up by binary search. Ends "
      "with 1 where the results differ."};
  describe(app, in);
  try {
    app.parse(argc, argv);
    return compare_all(in) ? 0 : 1;
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  } catch (const yoke::config_error& problem) {
    fmt::print(stderr, "yoke-bench-user-kernels: {}\n", problem.what());
    return 2;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "yoke-bench-user-kernels: {}\n", problem.what());
    return 1;
  }
}
