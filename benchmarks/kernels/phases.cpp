#include "phases.hpp"

#include "bt/bt_method.hpp"
#include "common/aligned_doubles.hpp"
#include "common/solver.hpp"
#include "common/two_phase_benchmark.hpp"
#include "lu/host/lu_host.hpp"
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

std::unique_ptr<npb::phased_solver> make_solver(const npb::benchmark& what) {
  const npb::constants& c = what.coefficients();
  const npb::zone_shape largest = what.what().largest_zone();
  switch (what.what().kind) {
    case benchmark_kind::bt:
      return npb::make_host_solver<npb::bt::method>(c, 1, largest);
    case benchmark_kind::sp:
      return npb::make_host_solver<npb::sp::method>(c, 1, largest);
    case benchmark_kind::lu:
      return npb::lu::make_host_solver(c, 1, largest);
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

/// Ticks that each phase takes in `steps` steps of all zones, after some that do not count.
using phase_ticks = std::array<yoke::ticks, most_phases>;
phase_ticks run_steps(npb::phased_solver& solver, const std::vector<zone_memory>& zones, int steps) {
  constexpr int warm_up = 2;
  phase_ticks spent{};
  for (int step = 0; step < warm_up + steps; ++step) {
    if (step == warm_up) {
#pragma omp barrier
      spent = {};
    }
    for (const zone_memory& zone : zones)
      for (int phase = 0; phase < solver.phases(); ++phase) {
        const yoke::ticks from = yoke::now();
        solver.run_phase(phase, zone.fields());
        spent[static_cast<std::size_t>(phase)] += yoke::now() - from;
      }
  }
  return spent;
}

}  // namespace

std::vector<double> time_of_phases(const npb::problem& what, int n_threads, int steps) {
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
    const phase_ticks spent = run_steps(*make_solver(*made), zones, steps);
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
