#include "flop_counts.hpp"

#include "counting_number.hpp"

#include <cmath>
#include <support/catch.hpp>
#include <vector>

using kernels::count;
using kernels::counting;

TEST_CASE("a counting number counts an fma twice, a sign not at all, and divisions apart", "[kernels]") {
  const counting a = 2.0, b = 3.0;
  const kernels::operations done = count([&] {
    const counting c = fma(a, b, -a) + a * b - b;
    CHECK(sqrt(c / a).value == npb::sqrt(3.5));
  });
  CHECK(done.flops == 2 + 3 + 2);
  CHECK(done.divisions == 2);
}

TEST_CASE("a step has the published number of operations a point", "[kernels]") {
  const auto flops_of = [](npb::benchmark_kind kind) {
    std::vector<long> flops;
    for (const kernels::phase_needs& phase : kernels::needs_of(kind)) {
      CHECK(phase.doubles == 15);
      flops.push_back(std::lround(phase.flops));
    }
    return flops;
  };
  // docs/results.md, "Where the time goes".
  CHECK(flops_of(npb::benchmark_kind::bt) == std::vector<long>{1667, 688});
  CHECK(flops_of(npb::benchmark_kind::sp) == std::vector<long>{556, 150});
  CHECK(flops_of(npb::benchmark_kind::lu) == std::vector<long>{252, 257, 311});
}

TEST_CASE("a step has the published number of divisions and roots a point", "[kernels]") {
  const auto divisions_of = [](npb::benchmark_kind kind) {
    std::vector<long> divisions;
    for (const kernels::phase_needs& phase : kernels::needs_of(kind))
      divisions.push_back(std::lround(phase.divisions));
    return divisions;
  };
  CHECK(divisions_of(npb::benchmark_kind::bt) == std::vector<long>{11, 6});
  CHECK(divisions_of(npb::benchmark_kind::sp) == std::vector<long>{9, 6});
  CHECK(divisions_of(npb::benchmark_kind::lu) == std::vector<long>{1, 1, 1});
}
