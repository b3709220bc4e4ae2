#include "phases.hpp"

#include "bt/bt_method.hpp"
#include "common/aligned_doubles.hpp"
#include "common/pack_width.hpp"
#include "common/solver.hpp"
#include "lu/lu_host.hpp"
#include "lu/lu_scratch.hpp"
#include "sp/sp_method.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <omp.h>
#include <stdexcept>

#include <yoke/clock.hpp>

namespace kernels {

namespace {

using npb::benchmark_kind;

constexpr std::size_t most_phases = 3;
/// Of the calling thread.
thread_local std::array<yoke::ticks, most_phases> spent{};

template <class Work>
void timed(std::size_t phase, const Work& work) {
  const yoke::ticks from = yoke::now();
  work();
  spent[phase] += yoke::now() - from;
}

/// The functions of a step with a clock around each.
template <const npb::step_functions& Real>
npb::step_functions timed_two_phase() {
  using npb::step_arguments, npb::thread_scratch;
  return {[](const step_arguments& a, const thread_scratch& s, int first_k, int last_k) {
            timed(0, [&] { Real.planes(a, s, first_k, last_k); });
          },
          [](const step_arguments& a, const thread_scratch& s, int first_j, int last_j) {
            timed(1, [&] { Real.lines(a, s, first_j, last_j); });
          },
          Real.needs};
}

template <const npb::lu::step_functions& Real>
npb::lu::step_functions timed_lu() {
  using npb::lu::step_arguments, npb::lu::thread_scratch;
  return {Real.lanes,
          [](const step_arguments& a, const thread_scratch& s) { timed(0, [&] { Real.prepare(a, s); }); },
          [](const step_arguments& a, const thread_scratch& s, int block, int k) {
            timed(0, [&] { Real.lower(a, s, block, k); });
          },
          [](const step_arguments& a, const thread_scratch& s, int block, int k) {
            timed(1, [&] { Real.upper(a, s, block, k); });
          },
          [](const step_arguments& a, const thread_scratch& s, int first_k, int last_k) {
            timed(2, [&] { Real.residual(a, s, first_k, last_k); });
          }};
}

template <class Method>
std::unique_ptr<npb::host_solver> make_timed_solver(const npb::benchmark& what) {
  static const npb::step_functions step =
      npb::has_packs_of_eight() ? timed_two_phase<Method::step_of_8>() : timed_two_phase<Method::step_of_4>();
  return npb::make_two_phase_solver(what.coefficients(), 1, what.what().largest_zone(), step);
}

std::unique_ptr<npb::host_solver> make_timed_lu_solver(const npb::benchmark& what) {
  static const npb::lu::step_functions step =
      npb::has_packs_of_eight() ? timed_lu<npb::lu::step_of_8>() : timed_lu<npb::lu::step_of_4>();
  return npb::lu::make_host_solver(what.coefficients(), 1, what.what().largest_zone(), step);
}

std::unique_ptr<npb::host_solver> make_timed_solver(const npb::benchmark& what) {
  switch (what.what().kind) {
    case benchmark_kind::bt:
      return make_timed_solver<npb::bt::method>(what);
    case benchmark_kind::sp:
      return make_timed_solver<npb::sp::method>(what);
    case benchmark_kind::lu:
      return make_timed_lu_solver(what);
  }
  return nullptr;
}

std::unique_ptr<npb::benchmark> make_benchmark(const npb::problem& what) {
  switch (what.kind) {
    case benchmark_kind::bt:
      return npb::bt::make_benchmark(what);
    case benchmark_kind::sp:
      return npb::sp::make_benchmark(what);
    case benchmark_kind::lu:
      return npb::lu::make_benchmark(what);
  }
  return nullptr;
}

/// The fields of one zone.
class zone_memory {
 public:
  zone_memory(const npb::benchmark& what, int zone)
      : shape_{what.what().zones[static_cast<std::size_t>(zone)].shape} {
    what.make_forcing(zone, forcing_.data(), 1);
    what.initialize(zone, fields(), 1);
  }
  npb::host_zone fields() const { return {shape_, u_.data(), forcing_.data(), residual_.data()}; }
  bool is_finite() const { return std::isfinite(u_.data()[shape_.points() / 2]); }

 private:
  npb::zone_shape shape_;
  npb::aligned_doubles u_{shape_.field_size()};
  npb::aligned_doubles forcing_{shape_.field_size()};
  npb::aligned_doubles residual_{shape_.field_size()};
};

}  // namespace

std::vector<double> time_of_phases(const npb::problem& what, int n_threads, int steps) {
  constexpr int warm_up = 2;
  const std::unique_ptr<npb::benchmark> made = make_benchmark(what);
  const int n_zones = static_cast<int>(what.zones.size());
  std::array<double, most_phases> total{};
  bool finite = true;
  int team = 0;
#pragma omp parallel num_threads(n_threads) reduction(&& : finite)
  {
#pragma omp master
    team = omp_get_num_threads();
    std::vector<zone_memory> zones;
    for (int zone = omp_get_thread_num(); zone < n_zones; zone += omp_get_num_threads())
      zones.emplace_back(*made, zone);
    const std::unique_ptr<npb::host_solver> solver = make_timed_solver(*made);
    for (int step = 0; step < warm_up + steps; ++step) {
      if (step == warm_up) {
#pragma omp barrier
        spent = {};
      }
      for (const zone_memory& zone : zones) solver->advance(zone.fields());
    }
    for (const zone_memory& zone : zones) finite = finite && zone.is_finite();
#pragma omp critical
    for (std::size_t phase = 0; phase < most_phases; ++phase)
      total[phase] += static_cast<double>(spent[phase]) * yoke::tick_length();
  }
  if (team != n_threads)
    throw std::runtime_error{
        fmt::format("OpenMP gave {} of {} threads; unset OMP_THREAD_LIMIT and OMP_DYNAMIC", team, n_threads)};
  if (!finite) throw std::runtime_error{"the state is not finite any more"};
  double points = 0;
  for (const npb::zone& z : what.zones) points += static_cast<double>(z.shape.interior_points());
  std::vector<double> seconds;
  for (const double t : total) seconds.push_back(t / (points * steps));
  return seconds;
}

}  // namespace kernels
