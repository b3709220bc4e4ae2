// Units compute as the thread does that calls: its rounding, and what it flushes to zero.
#include "values.hpp"

#include <array>
#include <cfenv>
#include <set>
#include <span>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/yoke.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

using namespace yoke::loops;

constexpr std::int64_t n_computed = 4000;

/// 1 / 3 when it runs, and half of the smallest normal number.
struct compute {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> y, double three, double tiny) const {
    y(at) = at.i % 2 == 0 ? 1.0 / three : tiny * 0.5;
  }
};
struct compute_item {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> y, double three, double tiny) const {
    y[at.x] = at.x % 2 == 0 ? 1.0 / three : tiny * 0.5;
  }
};

/// Not to be computed by the compiler.
double three() {
  static const volatile double value = 3;
  return value;
}
double tiny() {
  static const volatile double value = 2.2250738585072014e-308;
  return value;
}
std::array<double, 2> here() {
  const volatile double third = 1.0 / three(), half = tiny() * 0.5;
  return {third, half};
}

/// The environment for the life of the object.
class environment {
 public:
  explicit environment(const std::string& name) {
    std::fegetenv(&before_);
    if (name == "upward") std::fesetround(FE_UPWARD);
    if (name == "downward") std::fesetround(FE_DOWNWARD);
    if (name == "toward zero") std::fesetround(FE_TOWARDZERO);
#if defined(__x86_64__)
    if (name == "flushed to zero") _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  }
  ~environment() { std::fesetenv(&before_); }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

 private:
  std::fenv_t before_{};
};

std::string any_environment() {
  return GENERATE("nearest", "upward", "downward", "toward zero", "flushed to zero");
}

/// Values at even and at odd indices.
using seen = std::array<std::set<double>, 2>;
seen seen_in(std::span<const double> values) {
  seen all;
  for (std::size_t i = 0; i < values.size(); ++i) all[i % 2].insert(values[i]);
  return all;
}
seen expected() {
  const std::array<double, 2> mine = here();
  return {std::set{mine[0]}, std::set{mine[1]}};
}

}  // namespace

TEST_CASE("the test itself sees what each environment makes of its numbers", "[fp]") {
  std::set<std::array<double, 2>> all;
  for (const char* name : {"nearest", "upward", "flushed to zero"}) {
    const environment set{name};
    all.insert(here());
  }
  CHECK(all.size() >= 2);
}

TEST_CASE("loops over arrays compute as the calling thread on all units", "[fp]") {
  yoke::runtime rt;
  yoke::array<double, 1> y{rt, {n_computed}, {yoke::dist::block}};
  std::vector<double> values(n_computed);
  yoke::for_each<compute>(rt, {n_computed}, out(y), three(), tiny());  // threads start in another environment
  const std::string name = any_environment();
  CAPTURE(name);
  const environment set{name};
  yoke::for_each<compute>(rt, {n_computed}, out(y), three(), tiny());
  y.gather(std::span{values});
  CHECK(seen_in(values) == expected());
}

TEST_CASE("bodies and kernels of runs compute as the thread that called run", "[fp]") {
  yoke::runtime rt;
  constexpr int n_tasks = 6;
  yoke::task_loop loop = rt.make_loop("static", {.n_tasks = n_tasks});
  std::vector<yoke::placed<double>> parts;
  for (int t = 0; t < n_tasks; ++t) parts.emplace_back(rt, std::size_t{100});
  std::array<std::array<double, 2>, n_tasks> by_body{};
  const auto body = [&](std::span<const yoke::task_id> batch) {
    for (const int task : batch) {
      by_body[static_cast<std::size_t>(task)] = here();
      yoke::launch_here<compute_item>({.x = 100}, "compute", parts[static_cast<std::size_t>(task)], three(),
                                      tiny());
    }
  };
  rt.run(loop, body);
  const std::string name = any_environment();
  CAPTURE(name);
  const environment set{name};
  rt.run(loop, body);
  for (std::size_t task = 0; task < n_tasks; ++task) {
    CHECK(by_body[task] == here());
    CHECK(seen_in(std::as_const(parts[task]).host()) == expected());
  }
}

TEST_CASE("recorded steps compute as the thread that replays them", "[fp]") {
  yoke::runtime rt;
  yoke::array<double, 1> y{rt, {n_computed}, {yoke::dist::block}};
  yoke::recording steps =
      yoke::record(rt, [&] { yoke::for_each<compute>(rt, {n_computed}, out(y), three(), tiny()); });
  steps.replay();
  std::vector<double> values(n_computed);
  const std::string name = any_environment();
  CAPTURE(name);
  const environment set{name};
  steps.replay();
  y.gather(std::span{values});
  CHECK(seen_in(values) == expected());
}
