// What a file with kernels may have: functions that are constexpr and of the host, lambdas for both sides,
// OpenMP's constructs, and the processor's instructions.
#include "solver.hpp"

#include <algorithm>

#include <yoke/yoke.hpp>

namespace {

constexpr double twice(double x) { return 2 * x; }

struct double_it {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x) const {
    x[at.x] = twice(std::max(x[at.x], 0.0));
  }
};

}  // namespace

void double_all(std::span<double> x) {
  yoke::runtime rt("1x1");
  rt.each_unit([&](yoke::unit_id) {
    yoke::launch_here<double_it>({.x = static_cast<std::int64_t>(x.size())}, "double_it",
                                 yoke::device_ptr{x.data()});
  });
}

double next(double x) {
  const auto add = [] YOKE_HD(double to) { return to + 1; };
  return add(x);
}

int threads_of_a_team() {
  int threads = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    ++threads;
  }
  return threads;
}

bool has_avx2() {
#ifdef __AVX2__
  return true;
#else
  return false;
#endif
}
