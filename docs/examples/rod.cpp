/// Heat in a rod: short steps, listed once and replayed, so that what a loop costs is paid once for each
/// pair.
///
///   YOKE_CUS=2x1+1 YOKE_DEVICES=emulated:1 ./rod [n [steps]]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include <yoke/arrays.hpp>

using namespace yoke::loops;
namespace dist = yoke::dist;

namespace {

YOKE_HD double warmed(double left, double here, double right) {
  return here + 0.25 * (left + right - 2 * here);
}

struct warm {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> old,
                          yoke::view<double, 1> next) const {
    next(at) = warmed(old(at.i - 1), old(at), old(at.i + 1));
  }
};

using point = yoke::located<double, 1>;

struct extremes {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> rod,
                          yoke::partial<point, yoke::smallest_at>& coldest,
                          yoke::partial<point, yoke::largest_at>& warmest) const {
    coldest.take({rod(at), at});
    warmest.take({rod(at), at});
  }
};

/// One end is hot.
std::vector<double> cold_rod(std::int64_t n) {
  std::vector<double> rod(static_cast<std::size_t>(n));
  rod.front() = 1;
  return rod;
}

std::vector<double> serial_solution(std::int64_t n, int steps) {
  std::vector<double> old = cold_rod(n), next = old;
  for (int k = 0; k < steps; ++k, swap(old, next))
    for (std::size_t i = 1; i + 1 < old.size(); ++i) next[i] = warmed(old[i - 1], old[i], old[i + 1]);
  return old;
}

/// Of the points between the ends, the first one of each.
struct found {
  point coldest = yoke::smallest_at::none<point>(), warmest = yoke::largest_at::none<point>();
  friend bool operator==(const found&, const found&) = default;
};

found extremes_of(yoke::runtime& rt, const yoke::array<double, 1>& rod) {
  found both;
  yoke::for_each<extremes>(rt, {{1, rod.extent(0) - 1}}, in(rod), min_at(both.coldest), max_at(both.warmest));
  return both;
}

found serial_extremes(const std::vector<double>& rod) {
  const auto [low, high] = std::minmax_element(rod.begin() + 1, rod.end() - 1);
  const auto first_high = std::find(rod.begin() + 1, high, *high);  // minmax_element gives the last one
  return {{*low, {low - rod.begin()}}, {*first_high, {first_high - rod.begin()}}};
}

/// Seconds of `pairs` pairs of steps.
template <class Pair>
double time_of(int pairs, const Pair& pair) {
  const auto from = std::chrono::steady_clock::now();
  for (int k = 0; k < pairs; ++k) pair();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

/// Half of the steps one by one, half from the list.
int run(std::int64_t n, int steps) {
  std::vector<double> rod = cold_rod(n);
  yoke::runtime rt;
  yoke::array<double, 1> a{rt, {n}, {dist::block.halo(1)}, yoke::attach(rod)};
  yoke::array<double, 1> b{rt, {n}, dist::as(a)};
  yoke::copy(a, b);  // its ends
  const auto two_steps = [&] {
    yoke::for_each<warm>(rt, {{1, n - 1}}, in(a), out(b));
    yoke::for_each<warm>(rt, {{1, n - 1}}, in(b), out(a));
  };
  const int pairs = steps / 4;
  const double one_by_one = time_of(pairs, two_steps);
  yoke::recording listed = yoke::record(rt, two_steps);
  const double replayed = time_of(pairs, [&] { listed.replay(); });
  const found extremes_here = extremes_of(rt, a);
  a.detach();
  const std::vector<double> wanted = serial_solution(n, 4 * pairs);
  const bool is_right = rod == wanted && extremes_here == serial_extremes(wanted);
  std::printf(
      "%lld points: %.2f us a step by loops, %.2f replayed, %s the serial solution, warmest at %lld and "
      "coldest "
      "at %lld\n",
      static_cast<long long>(n), 1e6 * one_by_one / (2 * pairs), 1e6 * replayed / (2 * pairs),
      is_right ? "equal to" : "NOT", static_cast<long long>(extremes_here.warmest.at.i),
      static_cast<long long>(extremes_here.coldest.at.i));
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 10'000;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 4000;
  if (n >= 3 && steps >= 4 && argc <= 3) return run(n, steps);
  std::fputs("usage: rod [n [steps]], n at least 3, steps at least 4\n", stderr);
  return 2;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "rod: %s\n", problem.what());
  return 1;
}
