/// Loops whose bodies are lambdas and other values.
#include "values.hpp"
#include "who_runs.hpp"

#include <cstdint>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

/// A body with members.
struct power {
  int exponent;
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = 1;
    for (int k = 0; k < exponent; ++k) y(at) *= x(at);
  }
};

/// The same loop by a functor, for its bits.
struct axpy_and_sum {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          yoke::partial<double>& sum, double a) const {
    y(at) += a * x(at);
    sum += y(at);
  }
};

}  // namespace

TEST_CASE("a lambda is the body of a loop, with values and reductions", "[arrays][lambda]") {
  yoke::runtime rt;
  const std::int64_t n = 5000;
  std::vector<double> x_host = counting(n), y_host = from_zero(n), z_host = y_host;
  for (double& each : x_host) each = 1 / each;
  const yoke::array<double, 1> x{rt, {n}, yoke::attach(x_host)};
  yoke::array<double, 1> y{rt, {n}, yoke::attach(y_host)}, z{rt, {n}, yoke::attach(z_host)};
  const double a = 0.3;
  double by_lambda = 0, by_functor = 0;
  yoke::for_each(rt, {{1, n}}, in(x), inout(y), sum(by_lambda), a,
                 [] YOKE_HD(yoke::loop_index<1> at, yoke::view<const double, 1> from,
                            yoke::view<double, 1> to, yoke::partial<double> & all, double factor) {
                   to(at) += factor * from(at);
                   all += to(at);
                 });
  yoke::for_each<axpy_and_sum>(rt, {{1, n}}, in(x), inout(z), sum(by_functor), a);
  CHECK(by_lambda == by_functor);
  CHECK(y.gather() == z.gather());
  std::int64_t count = 0;
  yoke::for_each(rt, {3, 40}, sum(count),
                 [] YOKE_HD(yoke::loop_index<2> at, yoke::partial<std::int64_t> & all) { all += at.j; });
  CHECK(count == 3 * 39 * 40 / 2);
}

TEST_CASE("a body with members keeps them in a recording and in a loop with a distribution",
          "[arrays][lambda][record]") {
  yoke::runtime rt;
  std::vector<double> host = counting(50), wanted;
  for (const double each : host) wanted.push_back(each * each * each);
  yoke::array<double, 1> x{rt, {50}, {dist::block}, yoke::attach(host)}, y{rt, {50}, {dist::block}};
  {
    int exponent = 3;
    yoke::recording cube =
        yoke::record(rt, [&] { yoke::for_each(rt, {50}, in(x), out(y), power{exponent}); });
    exponent = 1;
    cube.replay();
  }
  CHECK(y.gather() == wanted);
  yoke::for_each(rt, {50}, distributed(dist::block), in(x), out(y), power{1});
  CHECK(y.gather() == counting(50));
}

#if !YOKE_BY_NVCC  // nvcc has no such lambdas for GPUs
TEST_CASE("a lambda that is generic, captures and is the host's runs on CPUs and emulated devices",
          "[arrays][lambda]") {
  yoke::runtime rt;
  std::vector<float> host(30, 2);
  yoke::array<float, 2> x{rt, {5, 6}, yoke::attach(host)};
  yoke::for_each(rt, {5, 6}, inout(x), [](auto at, auto elements) { elements(at) *= 3; });
  yoke::streamed streams{rt, host, {30}};
  x.detach();
  yoke::for_each(rt, {30}, inout(streams), [by = 2.0F](auto at, auto elements) { elements(at) += by; });
  CHECK(host == std::vector<float>(30, 8));
}
TEST_CASE("messages call a lambda by its place", "[arrays][lambda][errors]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {4}};
  CHECK_THAT(refusal([&] {
               yoke::for_each(rt, {5}, out(x),
                              [](yoke::loop_index<1> at, yoke::view<double, 1> to) { to(at) = 1; });
             }),
             Contains("array 1 of the loop") && Contains("[0, 5)") &&
                 Contains("for_each 'lambda at lambda_test.cpp:"));
}
#endif
