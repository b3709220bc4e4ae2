/// Loops over memory of the host that goes in chunks.
#include "emulated_options.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
using Catch::Matchers::Contains;
using support::refusal;

struct axpy {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          double a) const {
    y(at) += a * x(at);
  }
};

struct add_rows {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> x, yoke::view<double, 2> y,
                          yoke::view<double, 2> z) const {
    y(at) = z(at) + x(at);
  }
};

std::vector<double> counted(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i % 1013) / 7;
  return values;
}

struct fails_at {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> y, std::int64_t where) const {
#if !YOKE_DEVICE_PASS
    if (at.i == where) throw std::runtime_error{"no luck"};
#endif
    y(at) = 1;
  }
};

struct reads_next {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at.i + 1);
  }
};

struct from_cpu {
  void operator()(yoke::loop_index<1> at, yoke::view<double, 1> y) const { y(at) = 1; }
};
struct from_gpu {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> y) const { y(at) = 2; }
};

}  // namespace

TEST_CASE("streamed memory may be larger than that of a device", "[arrays]") {
  const emulated_options with{"memory=8MiB"};
  yoke::runtime rt;
  constexpr std::int64_t n = 2'000'000;
  std::vector<double> x_host = counted(n), y_host(n, 1.0), wanted(n);
  for (std::size_t i = 0; i < n; ++i) wanted[i] = 1.0 + 0.5 * x_host[i] + 0.5 * x_host[i];
  const yoke::streamed x{rt, x_host, {n}};
  yoke::streamed y{rt, y_host, {n}};
  for (int k = 0; k < 2; ++k) yoke::for_each<axpy>(rt, {n}, in(x), inout(y), 0.5);
  CHECK(y_host == wanted);
}

TEST_CASE("memory of constants may be streamed, and is read", "[arrays]") {
  yoke::runtime rt;
  const std::vector<double> x_host = counted(500);
  std::vector<double> y_host(500);
  const yoke::streamed x{rt, x_host, {500}};
  yoke::streamed y{rt, y_host, {500}};
  yoke::for_each<axpy>(rt, {500}, in(x), inout(y), 1.0);
  CHECK(y_host == x_host);
}

TEST_CASE("chunks go to the units that have a body for them", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> host(1000);
  yoke::streamed y{rt, host, {1000}};
  const auto on_cpus = [&] { yoke::for_each<yoke::variants<cpu<from_cpu>>>(rt, {1000}, out(y)); };
  const auto on_gpus = [&] { yoke::for_each<yoke::variants<gpu<from_gpu>>>(rt, {1000}, out(y)); };
  if (rt.units().shape().cpu_units == 0) {
    CHECK_THAT(refusal(on_cpus), Contains("the runtime has no CPU CU"));
  } else {
    on_cpus();
    CHECK(host == std::vector<double>(1000, 1.0));
  }
  if (rt.units().shape().cpu_units == rt.units().size()) {
    CHECK_THAT(refusal(on_gpus), Contains("the runtime has no GPU CU"));
  } else {
    on_gpus();
    CHECK(host == std::vector<double>(1000, 2.0));
  }
}

TEST_CASE("what a body throws ends a streaming loop, and the next one runs", "[arrays][faults]") {
  yoke::runtime rt;
  const auto throws = [](const yoke::compute_unit& unit) {
    return unit.dev == nullptr || unit.dev->info().emulated;
  };
  if (!std::ranges::all_of(rt.units().all(), throws)) return support::skip("a GPU throws nothing");
  std::vector<double> host(1000);
  yoke::streamed y{rt, host, {1000}};
  CHECK_THROWS(yoke::for_each<fails_at>(rt, {1000}, out(y), 500));
  yoke::for_each<fails_at>(rt, {1000}, out(y), -1);
  CHECK(host == std::vector<double>(1000, 1.0));
}

TEST_CASE("whichever call of a device fails, a streaming loop says so or is right", "[arrays][faults]") {
  if (!heeds_options(yoke::runtime{})) return support::skip("no emulated device");
  const std::vector<double> x_host = counted(300);
  for (const char* fault : {"fail-call", "fail-copy", "fail-launch", "fail-alloc", "lost-after"}) {
    int failed = 0, right = 0;
    for (int k = 1; right < 3 && k < 400; ++k) {
      const emulated_options with{std::string{fault} + "=" + std::to_string(k)};
      try {
        yoke::runtime rt;
        std::vector<double> y_host(300);
        const yoke::streamed x{rt, x_host, {300}};
        yoke::streamed y{rt, y_host, {300}};
        yoke::for_each<yoke::variants<gpu<axpy>>>(rt, {300}, in(x), inout(y), 1.0);
        const bool is_right = y_host == x_host;
        INFO(fault << "=" << k);
        REQUIRE(is_right);
        ++right;
      } catch (const yoke::error&) {
        ++failed;
        right = 0;
      }
    }
    INFO(fault);
    CHECK(failed > 0);
    CHECK(right == 3);
  }
}

TEST_CASE("a row of streamed memory that a device has no room for is refused with the numbers",
          "[arrays][faults]") {
  const emulated_options with{"memory=1MiB"};
  yoke::runtime rt;
  if (!heeds_options(rt)) return support::skip("no emulated device");
  constexpr std::int64_t n = 200'000;
  std::vector<double> host(4 * n, 1.0);
  yoke::streamed y{rt, host, {4, n}};
  try {
    yoke::for_each<add_rows>(rt, {4, n}, in(y), out(y), out(y));
    FAIL("written twice");
  } catch (const yoke::usage_error& problem) {
    CHECK_THAT(problem.what(), Contains("shares elements with number 1"));
  }
  std::vector<double> other(4 * n, 2.0), third(4 * n, 3.0);
  yoke::streamed z{rt, other, {4, n}}, w{rt, third, {4, n}};
  try {
    yoke::for_each<add_rows>(rt, {4, n}, in(y), out(z), inout(w));
    FAIL("three rows of 1.6 MB fit devices of 1 MiB");
  } catch (const yoke::out_of_memory& problem) {
    CHECK(problem.bytes_wanted() > (1U << 20));
    CHECK(problem.bytes_free() < problem.bytes_wanted());
  }
  CHECK(other == std::vector<double>(4 * n, 2.0));
}

TEST_CASE("streamed memory is refused where it does not fit the loop", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> host(60), other(60);
  CHECK_THAT(refusal([&] { yoke::streamed{rt, host, {7, 9}}; }),
             Contains("memory of 60 elements for an array of 63"));
  yoke::streamed x{rt, host, {60}}, y{rt, other, {60}};
  const yoke::streamed part{rt, std::span{host}.subspan(10, 20), {20}};
  const auto loop = [&](const auto& reads, auto& writes, std::int64_t n) {
    return refusal([&] { yoke::for_each<axpy>(rt, {n}, in(reads), inout(writes), 1.0); });
  };
  CHECK_THAT(loop(x, y, 61),
             Contains("memory 1 of the loop, counted from 1, has the indices [0, 60) in dimension 0"));
  CHECK_THAT(loop(part, x, 20), Contains("shares elements with number 1, and one of them is written"));
  CHECK_THAT(refusal([&] { yoke::for_each<axpy>(rt, {60}, in(x, yoke::reach{-1, 0}), inout(y), 1.0); }),
             Contains("is read with a reach of -1 and 0 rows; 0 or more"));
  yoke::array<double, 1> attached{rt, {60}, yoke::attach(host)};
  CHECK_THAT(loop(x, y, 60), Contains("is memory to which an array is attached; detach that one first"));
  attached.detach();
  CHECK(loop(x, y, 60) == "(nothing was thrown)");
  CHECK_THAT(
      refusal([&] {
        static_cast<void>(yoke::record(rt, [&] { yoke::for_each<axpy>(rt, {60}, in(x), inout(y), 1.0); }));
      }),
      Contains("a streaming loop"));
}

TEST_CASE("an index that leaves the rows of its chunk is refused where checks are on", "[arrays]") {
  const support::variable check{"YOKE_CHECK", "1"};
  yoke::runtime rt;
  std::vector<double> host(1000), other(1000);
  const yoke::streamed x{rt, host, {1000}};
  yoke::streamed y{rt, other, {1000}};
  const bool is_checked =  // a GPU checks nothing
      std::ranges::all_of(rt.devices(), [](const yoke::device* dev) { return dev->info().emulated; });
  if (is_checked) CHECK_THROWS(yoke::for_each<reads_next>(rt, {999}, in(x), out(y)));
  yoke::for_each<reads_next>(rt, {999}, in(x, yoke::reach{0, 1}), out(y));
}
