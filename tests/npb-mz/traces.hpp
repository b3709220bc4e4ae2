#pragma once
/// Comparison with the traces of the reference.

#include "common/field.hpp"
#include "reference/multi_zone.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <support/catch.hpp>

namespace support {

using nlohmann::json;

inline json read_trace(const std::string& name) {
  std::ifstream file{std::string{NPB_DATA_DIR} + "/trace/" + name + ".json"};
  return json::parse(file);
}

inline double deviation(double value, double expected) {
  return std::abs(value - expected) / std::abs(expected);
}

/// Largest deviations of a field from one zone's entry of a phase.
struct deviations {
  double sums = 0;
  double samples = 0;
};

inline void compare(deviations& worst, const json& zone, const npb::zone_shape& s, const double* field,
                    bool interior) {
  const int margin = interior ? 1 : 0;
  for (int m = 0; m < 5; ++m) {
    long double sum = 0;
    for (int k = margin; k < s.nz - margin; ++k)
      npb::for_each_in_plane(s, k, margin, [&](int, int, std::size_t at) {
        const long double x = field[m * s.points() + at];
        sum += x * x;
      });
    worst.sums = std::max(worst.sums, deviation(static_cast<double>(sum), zone.at("sumsq").at(m)));
  }
  for (const json& sample : zone.at("samples")) {
    const json& ijk = sample.at("ijk");
    const auto value = npb::load(field, s, npb::index_of(s, ijk.at(0), ijk.at(1), ijk.at(2)));
    for (int m = 0; m < 5; ++m)
      worst.samples = std::max(worst.samples, deviation(value[m], sample.at("v").at(m)));
  }
}

inline void check_norms(const json& expected, const npb::zone_norms& got) {
  for (int m = 0; m < 5; ++m) {
    CHECK(deviation(got.xcr[m], expected.at("xcr").at(m)) < 1e-11);
    CHECK(deviation(got.xce[m], expected.at("xce").at(m)) < 1e-11);
  }
  if (expected.contains("xci")) CHECK(deviation(got.xci, expected.at("xci")) < 1e-11);
}

/// Runs a benchmark on a class, with the norms of the trace on the way and verified at its end.
inline void check_run(npb::benchmark_kind kind, char letter,
                      std::unique_ptr<npb::benchmark> (*make)(npb::problem)) {
  const json trace = read_trace(npb::short_name(kind) + "-" + letter);
  npb::reference::multi_zone zones{make(npb::make_problem(kind, letter))};
  const auto solver = zones.bench->make_host_solver(1, zones.bench->what().largest_zone());
  zones.step(*solver);
  zones.initialize();
  int step = 0;
  for (const json& norms : trace.at("norms")) {
    for (; step < norms.at("step").get<int>(); ++step) zones.step(*solver);
    INFO("class " << letter << ", step " << step);
    check_norms(norms.at("total"), zones.norms());
  }
  REQUIRE(step == zones.bench->what().niter);
  CHECK(npb::verify(zones.bench->what(), step, zones.norms()) == npb::verification::successful);
  CHECK(npb::largest_deviation(zones.bench->what().references[0], zones.norms()) < 1e-11);
}

}  // namespace support
