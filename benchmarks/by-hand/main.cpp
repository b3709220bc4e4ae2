/// Loops over arrays beside the same kernels launched by hand, by turns (Communicators, sections 4 and 5).
#include "forms.hpp"
#include "record/median.hpp"
#include "record/number_option.hpp"
#include "record/record.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/record.hpp>

namespace by_hand {

std::vector<double> wave(std::int64_t n) {
  std::vector<double> made;
  made.reserve(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n * n; ++i) made.push_back(std::sin(0.37 * static_cast<double>(i % 10'007)));
  return made;
}

void wait_for(yoke::runtime& rt) {
  for (const yoke::compute_unit& unit : rt.units().all())
    if (unit.dev != nullptr) unit.dev->synchronize(unit.stream);
}

namespace {

using json = nlohmann::ordered_json;

struct program {
  const char* name;
  std::unique_ptr<form> (*launched)(std::int64_t n);
  std::unique_ptr<form> (*of_arrays)(yoke::runtime& rt, std::int64_t n);
  std::int64_t largest;  ///< side from which on a run takes too long
};
constexpr program programs[] = {{"matrix-add", launched_add, array_add, 20'000},
                                {"matrix-matrix", launched_multiply, array_multiply, 4'000},
                                {"jacobi", launched_jacobi, array_jacobi, 20'000}};

struct arguments {
  std::vector<std::int64_t> sides{100, 1000, 2000, 4000, 8000};
  std::string cus = "+1";
  std::string devices = "auto";
  int pairs = 11;
  double sample_ms = 30;
  std::string json_file;
};

/// Runs that are recorded together: an even number, since Jacobi's method swaps its arrays.
constexpr int listed = 10;

struct times {
  yoke::seconds launched, of_arrays, recorded;
};

/// A loop over arrays, listed once and replayed.
class recorded_form {
 public:
  recorded_form(yoke::runtime& rt, std::unique_ptr<form> of)
      : of_{std::move(of)}, listed_{yoke::record(rt, [this] {
          for (int n = 0; n < listed; ++n) of_->run();
        })} {}
  void run_all() { listed_.replay(); }
  void finish() { of_->finish(); }
  std::vector<double> result() { return of_->result(); }

 private:
  std::unique_ptr<form> of_;
  yoke::recording listed_;
};

/// `runs` times as many as are listed.
yoke::seconds time_of(form& of, int runs) {
  const yoke::ticks from = yoke::now();
  for (int n = 0; n < runs * listed; ++n) of.run();
  of.finish();
  return yoke::elapsed(from, yoke::now()) / (runs * listed);
}

yoke::seconds time_of(recorded_form& of, int runs) {
  const yoke::ticks from = yoke::now();
  for (int n = 0; n < runs; ++n) of.run_all();
  of.finish();
  return yoke::elapsed(from, yoke::now()) / (runs * listed);
}

struct forms {
  form& launched;
  form& of_arrays;
  recorded_form& recorded;
};

/// By turns, each in another place of its turn.
std::vector<times> measure(const forms& of, const arguments& in) {
  const yoke::seconds once =
      std::max({time_of(of.launched, 1), time_of(of.of_arrays, 1), time_of(of.recorded, 1)});
  const int runs = std::max(1, static_cast<int>(in.sample_ms / 1e3 / (once * listed)));
  std::vector<times> turns;
  for (int n = 0; n < in.pairs; ++n) {
    times next{};
    for (int k = 0; k < 3; ++k) {
      const int which = (n + k) % 3;
      if (which == 0) next.launched = time_of(of.launched, runs);
      if (which == 1) next.of_arrays = time_of(of.of_arrays, runs);
      if (which == 2) next.recorded = time_of(of.recorded, runs);
    }
    turns.push_back(next);
  }
  return turns;
}

json record_of(const program& of, std::int64_t n, const std::vector<times>& turns, bool agree) {
  json samples = json::array();
  for (const times& each : turns) samples.push_back({each.launched, each.of_arrays, each.recorded});
  return {{"program", of.name}, {"side", n}, {"agree", agree}, {"seconds_by_hand_arrays_recorded", samples}};
}

/// After as many runs of each all have the same numbers.
bool compare(yoke::runtime& rt, const program& of, std::int64_t n, const arguments& in, json& out) {
  const auto launched = of.launched(n), of_arrays = of.of_arrays(rt, n);
  recorded_form recorded{rt, of.of_arrays(rt, n)};
  const std::vector<times> turns = measure({*launched, *of_arrays, recorded}, in);
  const std::vector<double> expected = launched->result();
  const bool agree = expected == of_arrays->result() && expected == recorded.result();
  fmt::print("{:<14} {:>5}^2 {:>12.2f} {:>12.2f} {:>7.3f} {:>12.2f} {:>7.3f}   {}\n", of.name, n,
             1e6 * record::median(turns, [](const times& t) { return t.launched; }),
             1e6 * record::median(turns, [](const times& t) { return t.of_arrays; }),
             record::median(turns, [](const times& t) { return t.of_arrays / t.launched; }),
             1e6 * record::median(turns, [](const times& t) { return t.recorded; }),
             record::median(turns, [](const times& t) { return t.recorded / t.launched; }),
             agree ? "agree" : "DIFFER");
  out["programs"].push_back(record_of(of, n, turns, agree));
  return agree;
}

bool compare_all(const arguments& in) {
  yoke::runtime rt{
      {.cus = yoke::sourced{in.cus, "--cus"}, .devices = yoke::sourced{in.devices, "--devices"}}};
  json out{{"schema", "yoke-by-hand/1"}, {"record", record::of_run(rt)}, {"cus", in.cus}};
  fmt::print("{} beside launches by hand; microseconds of a run, medians of {} turns\n", in.cus, in.pairs);
  fmt::print("{:<14} {:>7} {:>12} {:>12} {:>7} {:>12} {:>7}\n", "", "", "by hand", "Yoke", "ratio",
             "recorded", "ratio");
  bool agree = true;
  for (const program& each : programs)
    for (const std::int64_t n : in.sides)
      if (n <= each.largest) agree = compare(rt, each, n, in, out) && agree;
  if (in.json_file.empty()) return agree;
  record::write_json(in.json_file, out);
  return agree;
}

void describe(CLI::App& app, arguments& in) {
  app.add_option("--sides", in.sides, "of square matrices and grids")
      ->capture_default_str()
      ->check(CLI::Range(3, 40'000));
  app.add_option("--cus", in.cus, "configuration: one GPU, or CPUs where Yoke was built without CUDA")
      ->capture_default_str();
  app.add_option("--devices", in.devices, "as YOKE_DEVICES")->capture_default_str();
  app.add_option("--pairs", in.pairs, "samples of each, by turns")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  app.add_option("--sample-ms", in.sample_ms, "milliseconds of a sample")
      ->capture_default_str()
      ->check(record::number_in(0.0, 1e5));
  app.add_option("--json", in.json_file, "also write the samples to this file");
}

}  // namespace

int run_main(int argc, char** argv) {
  arguments in;
  CLI::App app{
      "Matrix addition, matrix multiplication and Jacobi's method by arrays beside the same kernels launched "
      "by "
      "hand: by CUDA, or in a build without it by OpenMP. Ends with 1 where the results differ."};
  describe(app, in);
  try {
    app.parse(argc, argv);
    return compare_all(in) ? 0 : 1;
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  } catch (const yoke::config_error& problem) {
    fmt::print(stderr, "yoke-bench-by-hand: {}\n", problem.what());
    return 2;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "yoke-bench-by-hand: {}\n", problem.what());
    return 1;
  }
}

}  // namespace by_hand

int main(int argc, char** argv) { return by_hand::run_main(argc, argv); }
