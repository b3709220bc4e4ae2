#include "two_phase.hpp"

#include "scratch_arena.hpp"

#include <algorithm>
#include <omp.h>
#include <vector>

namespace npb {
namespace {

/// The parts of thread_scratch for zones up to `s`.
thread_scratch carve(scratch_arena& arena, const zone_shape& s, const scratch_needs& needs) {
  const ring_layout ring{s};
  const int longest = std::max({ring.width, s.ny, s.nz});
  const std::int64_t width = ring.width;
  return {.ring = arena.take(ring),
          .plane = arena.take(needs.plane_values * width * (s.ny - 2)),
          .tile = arena.take(needs.tile_values * width * ring_layout::widest_pack),
          .line = arena.take(std::int64_t{needs.line_packs} * longest * ring_layout::widest_pack),
          .states = arena.take(needs.state_values * width * (s.nz - 2))};
}

/// Behind the beginning of a page, where the fields of zones begin: with all three alike BT-MZ class A takes
/// 4 % longer.
constexpr std::size_t lines_of_r = 1;

class two_phase_solver final : public phased_solver {
 public:
  two_phase_solver(const constants& c, int n_threads, const zone_shape& largest, const step_functions& step)
      : c_{c}, step_{step}, r_{static_cast<std::size_t>(r_layout{largest}.size), lines_of_r} {
    for (int t = 0; t < n_threads; ++t)
      threads_.emplace_back([&](scratch_arena& arena) { return carve(arena, largest, step.needs); });
  }

  void advance(const host_zone& zone) override {
    if (threads_.size() == 1) return run_alone(zone);
    const step_arguments a = arguments(zone);
#pragma omp parallel num_threads(static_cast<int>(threads_.size()))
    {
      const int me = omp_get_thread_num(), team = omp_get_num_threads();
      run_planes(a, me, team);
#pragma omp barrier
      run_lines(a, me, team);
    }
  }

  int phases() const override { return 2; }
  void run_phase(int phase, const host_zone& zone) override {
    phase == 0 ? run_planes(arguments(zone), 0, 1) : run_lines(arguments(zone), 0, 1);
  }

 private:
  void run_alone(const host_zone& zone) {
    for (int phase = 0; phase < phases(); ++phase) run_phase(phase, zone);
  }
  step_arguments arguments(const host_zone& zone) {
    return {c_, zone.shape, zone.u, zone.forcing, r_.data()};
  }
  void run_planes(const step_arguments& a, int me, int team) const {
    const auto [first, last] = share_of(a.shape.nz, me, team);
    if (first < last) step_.planes(a, threads_[me].parts(), first, last);
  }
  void run_lines(const step_arguments& a, int me, int team) const {
    const auto [first, last] = share_of(a.shape.ny, me, team);
    if (first < last) step_.lines(a, threads_[me].parts(), first, last);
  }

  constants c_;
  const step_functions& step_;
  aligned_doubles r_;
  std::vector<thread_memory<thread_scratch>> threads_;
};

}  // namespace

std::unique_ptr<phased_solver> make_two_phase_solver(const constants& c, int n_threads,
                                                     const zone_shape& largest, const step_functions& step) {
  return std::make_unique<two_phase_solver>(c, std::max(1, n_threads), largest, step);
}

std::size_t two_phase_scratch_bytes(int n_threads, const zone_shape& largest, const step_functions& step) {
  scratch_arena of_thread{nullptr};
  carve(of_thread, largest, step.needs);
  const std::size_t of_threads = static_cast<std::size_t>(std::max(1, n_threads)) * of_thread.taken();
  return (static_cast<std::size_t>(r_layout{largest}.size) + of_threads) * sizeof(double);
}

}  // namespace npb
