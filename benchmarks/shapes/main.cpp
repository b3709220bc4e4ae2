/// Launch shapes that follow from what a body says of itself, beside a sweep of shapes.
#include "bodies.hpp"
#include "record/median.hpp"
#include "record/number_option.hpp"
#include "record/record.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <yoke/error.hpp>

namespace shapes {

namespace {

using json = nlohmann::ordered_json;

struct arguments {
  std::vector<std::int64_t> sides{500, 1000, 2000, 4000};
  std::string cus = "+1";
  std::string devices = "auto";
  sampling how{};
  std::string json_file;
};

void print(const body_times& of, std::int64_t n) {
  std::vector<double> medians;
  for (const shape_time& each : of.shapes) medians.push_back(record::median(each.samples));
  const auto best = std::ranges::min_element(medians) - medians.begin();
  fmt::print("{:<14} {:<22} {:>5}^2 {:>10.2f} {:>10.2f} {:>7.3f}   {}\n", of.name, of.words, n,
             1e6 * medians.front(), 1e6 * medians[static_cast<std::size_t>(best)],
             medians.front() / medians[static_cast<std::size_t>(best)],
             of.shapes[static_cast<std::size_t>(best)].shape);
}

json record_of(const body_times& of, std::int64_t n) {
  json shapes = json::array();
  for (const shape_time& each : of.shapes)
    shapes.push_back({{"shape", each.shape}, {"seconds", each.samples}});
  return {{"body", of.name}, {"words", of.words}, {"side", n}, {"shapes", shapes}};
}

void sweep_all(const arguments& in) {
  yoke::runtime rt{
      {.cus = yoke::sourced{in.cus, "--cus"}, .devices = yoke::sourced{in.devices, "--devices"}}};
  json out{{"schema", "yoke-shapes/1"}, {"record", record::of_run(rt)}, {"cus", in.cus}};
  fmt::print("{}: microseconds of a loop, medians of {} turns\n", in.cus, in.how.samples);
  fmt::print("{:<14} {:<22} {:>7} {:>10} {:>10} {:>7}   {}\n", "", "access, load, sharing", "", "by words",
             "best", "ratio", "which is");
  for (const std::int64_t n : in.sides)
    for (const body_times& each : sweep(rt, n, in.how)) {
      print(each, n);
      out["bodies"].push_back(record_of(each, n));
    }
  if (in.json_file.empty()) return;
  record::write_json(in.json_file, out);
}

void describe(CLI::App& app, arguments& in) {
  app.add_option("--sides", in.sides, "of square matrices")
      ->capture_default_str()
      ->check(CLI::Range(3, 20'000));
  app.add_option("--cus", in.cus, "configuration")->capture_default_str();
  app.add_option("--devices", in.devices, "as YOKE_DEVICES")->capture_default_str();
  app.add_option("--samples", in.how.samples, "of each shape, by turns")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--sample-ms", in.how.sample_ms, "milliseconds of a sample")
      ->capture_default_str()
      ->check(record::number_in(0.0, 1e4));
  app.add_option("--json", in.json_file, "also write the samples to this file");
}

}  // namespace

}  // namespace shapes

int main(int argc, char** argv) {
  CLI::App app{
      "Launch shapes of loops over arrays: what follows from a body's words (access, load, sharing) beside "
      "the best of a sweep."};
  shapes::arguments in;
  shapes::describe(app, in);
  try {
    app.parse(argc, argv);
    shapes::sweep_all(in);
  } catch (const CLI::ParseError& refused) {
    return app.exit(refused) == 0 ? 0 : 2;
  } catch (const yoke::config_error& problem) {
    std::fprintf(stderr, "yoke-bench-shapes: %s\n", problem.what());
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "yoke-bench-shapes: %s\n", problem.what());
    return 1;
  }
  return 0;
}
