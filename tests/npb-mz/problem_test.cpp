#include "common/problem.hpp"

#include "common/norms.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <support/catch.hpp>

#include <yoke/error.hpp>
#include <yoke/zone_grid.hpp>

using npb::benchmark_kind;

namespace {

nlohmann::json classes() {
  std::ifstream file{std::string{NPB_DATA_DIR} + "/classes.json"};
  return nlohmann::json::parse(file);
}

/// What make_custom_problem says about a grid that it refuses.
std::string refusal(const npb::custom_grid& grid) {
  try {
    (void)npb::make_custom_problem(benchmark_kind::sp, 'S', grid);
  } catch (const yoke::config_error& e) {
    return e.what();
  }
  return "";
}

npb::zone_norms as_norms(const npb::reference_norms& r) {
  npb::zone_norms norms;
  norms.xcr = r.xcr;
  norms.xce = r.xce;
  norms.xci = r.xci.value_or(0);
  return norms;
}

}  // namespace

TEST_CASE("the partition of every class is the published one", "[npb-mz]") {
  const auto table = classes();
  for (const benchmark_kind kind : npb::all_benchmarks)
    for (const char letter : npb::all_classes) {
      INFO(npb::short_name(kind) << " class " << letter);
      const npb::problem p = npb::make_problem(kind, letter);
      const auto& expected =
          table.at("benchmarks").at(npb::short_name(kind)).at("classes").at(std::string(1, letter));
      CHECK(p.x_sizes == expected.at("x_sizes").get<std::vector<int>>());
      CHECK(p.y_sizes == expected.at("y_sizes").get<std::vector<int>>());
      CHECK(p.zones.size() == expected.at("num_zones").get<std::size_t>());
      std::size_t points = 0;
      for (const npb::zone& z : p.zones) points += z.shape.points();
      CHECK(points == expected.at("total_points").get<std::size_t>());
      CHECK(p.nominal_mop(p.niter) == Approx(expected.at("nominal_mop_total").get<double>()).epsilon(1e-7));
      CHECK(p.references.size() == (letter == 'F' ? 2 : 1));
    }
}

TEST_CASE("neighbours are mutual, periodic and share the extent of their common face", "[npb-mz]") {
  for (const benchmark_kind kind : npb::all_benchmarks) {
    const npb::problem p = npb::make_problem(kind, 'B');
    for (int id = 0; id < static_cast<int>(p.zones.size()); ++id) {
      const npb::zone& z = p.zones[id];
      CHECK(p.zones[z.west].east == id);
      CHECK(p.zones[z.south].north == id);
      CHECK(p.zones[z.east].shape.ny == z.shape.ny);
      CHECK(p.zones[z.north].shape.nx == z.shape.nx);
    }
  }
}

TEST_CASE("with two zones in a direction both neighbours are the same zone", "[npb-mz]") {
  const npb::problem p = npb::make_problem(benchmark_kind::sp, 'S');
  CHECK(p.zones[0].west == 1);
  CHECK(p.zones[0].east == 1);
  CHECK(p.zones[0].south == 2);
  CHECK(p.zones[0].north == 2);
}

TEST_CASE("a class that does not exist is refused with those that do", "[npb-mz]") {
  CHECK_THROWS_WITH(npb::make_problem(benchmark_kind::sp, 'Q'),
                    Catch::Contains("'Q'") && Catch::Contains("S, W, A, B, C, D, E, F"));
  CHECK_THROWS_AS(npb::make_problem(benchmark_kind::sp, '\0'), yoke::config_error);
}

TEST_CASE("a custom grid takes time step and step count of a class and has no reference", "[npb-mz]") {
  const npb::problem p = npb::make_custom_problem(benchmark_kind::sp, 'A', {45, 31, 9, 4, 3});
  CHECK(p.class_name == "custom");
  CHECK(p.dt == 0.0015);
  CHECK(p.niter == 400);
  CHECK(p.x_sizes == std::vector<int>{11, 11, 11, 12});
  CHECK(p.y_sizes == std::vector<int>{10, 10, 11});
  CHECK(npb::verify(p, p.niter, {}) == npb::verification::not_performed);
}

TEST_CASE("a zone of fewer than six points is refused with its size", "[npb-mz]") {
  CHECK_THAT(refusal({23, 24, 6, 4, 2}),
             Catch::Contains("23x24x6 in 4x2 zones") && Catch::Contains("5x12x6"));
  CHECK_THAT(refusal({24, 24, 5, 2, 2}), Catch::Contains("at least 6 points"));
  CHECK_THAT(refusal({24, 24, 6, 0, 2}), Catch::Contains("at least one zone"));
  CHECK_THAT(refusal({24, 24, 6, 2, -1}), Catch::Contains("at least one zone"));
  CHECK_THAT(refusal({-24, 24, 6, 2, 2}), Catch::Contains("at least 6 points"));
  CHECK_THAT(refusal({100000, 100000, 100000, 1, 1}), Catch::Contains("2^31"));
  CHECK(refusal({6, 6, 6, 1, 1}).empty());
}

TEST_CASE("uneven widths of a custom BT grid add up, and a zone that gets too thin is refused", "[npb-mz]") {
  for (int points = 60; points < 200; ++points) {
    const auto widths = yoke::zone_widths(points, 4, 4.5);
    CHECK(std::accumulate(widths.begin(), widths.end(), 0) == points);
  }
  CHECK_THROWS_WITH(npb::make_custom_problem(benchmark_kind::bt, 'A', {40, 40, 8, 4, 4}),
                    Catch::Contains("a zone would be"));
}

TEST_CASE("verification accepts a deviation of 1e-9, and refuses 1e-7, NaN and other step counts",
          "[npb-mz]") {
  for (const benchmark_kind kind : npb::all_benchmarks) {
    const npb::problem p = npb::make_problem(kind, 'F');
    for (const npb::reference_norms& reference : p.references) {
      const npb::zone_norms exact = as_norms(reference);
      CHECK(npb::verify(p, reference.steps, exact) == npb::verification::successful);
      for (int m = 0; m < 5; ++m)
        for (const auto which : {&npb::zone_norms::xcr, &npb::zone_norms::xce}) {
          npb::zone_norms changed = exact;
          (changed.*which)[m] *= 1 + 1e-9;
          CHECK(npb::verify(p, reference.steps, changed) == npb::verification::successful);
          (changed.*which)[m] *= 1 + 1e-7;
          CHECK(npb::verify(p, reference.steps, changed) == npb::verification::unsuccessful);
          (changed.*which)[m] = std::numeric_limits<double>::quiet_NaN();
          CHECK(npb::verify(p, reference.steps, changed) == npb::verification::unsuccessful);
          CHECK(std::isnan(npb::largest_deviation(reference, changed)));
        }
    }
    CHECK(npb::verify(p, 7, as_norms(p.references[0])) == npb::verification::not_performed);
  }
}

TEST_CASE("LU is verified by its surface integral too", "[npb-mz]") {
  const npb::problem p = npb::make_problem(benchmark_kind::lu, 'S');
  npb::zone_norms norms = as_norms(p.references[0]);
  CHECK(npb::verify(p, p.niter, norms) == npb::verification::successful);
  norms.xci *= 1 + 1e-7;
  CHECK(npb::verify(p, p.niter, norms) == npb::verification::unsuccessful);
}

TEST_CASE("zones of a grid as tasks are the zones of the benchmark", "[npb]") {
  for (const benchmark_kind kind : npb::all_benchmarks) {
    const auto from = classes().at("benchmarks").at(npb::short_name(kind)).at("classes").at("B");
    const yoke::workload work = yoke::zones_of({.gx = from.at("gx"),
                                                .gy = from.at("gy"),
                                                .gz = from.at("gz"),
                                                .x_zones = from.at("x_zones"),
                                                .y_zones = from.at("y_zones"),
                                                .ratio = from.at("ratio")},
                                               80, 40);
    CHECK(work.weights == npb::make_problem(kind, 'B').weights());
  }
}
