#include "flop_counts.hpp"

#include "counting_number.hpp"

#include <support/catch.hpp>

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

TEST_CASE("a step needs some hundred to some thousand operations a point, most of them in BT", "[kernels]") {
  const auto total = [](npb::benchmark_kind kind) {
    double flops = 0;
    for (const kernels::phase_needs& phase : kernels::needs_of(kind)) {
      CHECK(phase.divisions >= 1);
      CHECK(phase.doubles == 15);
      flops += phase.flops;
    }
    return flops;
  };
  const double bt = total(npb::benchmark_kind::bt), sp = total(npb::benchmark_kind::sp);
  CHECK(sp > 300);
  CHECK(bt > 2 * sp);
  CHECK(bt < 5000);
}
