#include "counted_needs.hpp"
#include "counting_number.hpp"

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

TEST_CASE("a step does as many operations a point as is published", "[kernels]") {
  for (const npb::benchmark_kind kind :
       {npb::benchmark_kind::bt, npb::benchmark_kind::sp, npb::benchmark_kind::lu}) {
    const std::vector<kernels::phase_needs> published = kernels::needs_of(kind),
                                            counted = kernels::counted_needs_of(kind);
    REQUIRE(published.size() == counted.size());
    for (std::size_t phase = 0; phase < counted.size(); ++phase) {
      CAPTURE(static_cast<int>(kind), phase);
      CHECK(published[phase].name == counted[phase].name);
      CHECK(published[phase].flops == counted[phase].flops);
      CHECK(published[phase].divisions == counted[phase].divisions);
      CHECK(published[phase].doubles == counted[phase].doubles);
    }
  }
}
