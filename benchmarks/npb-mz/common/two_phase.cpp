#include "two_phase.hpp"

#include "aligned_doubles.hpp"

#include <algorithm>
#include <omp.h>
#include <utility>
#include <vector>

namespace npb {
namespace {

/// The parts of thread_scratch for zones up to `largest`, one after the other in one block.
class thread_memory {
 public:
  thread_memory(const zone_shape& largest, const scratch_needs& needs)
      : memory_{carve(largest, needs, nullptr).second} {
    parts_ = carve(largest, needs, memory_.data()).first;
  }
  const thread_scratch& parts() const { return parts_; }

 private:
  static std::pair<thread_scratch, std::size_t> carve(const zone_shape& s, const scratch_needs& needs,
                                                      double* base) {
    const ring_layout ring{s};
    std::size_t used = 0;
    const auto take = [&](std::int64_t n) {
      double* part = base == nullptr ? nullptr : base + used;
      used += static_cast<std::size_t>((n + 7) / 8 * 8);
      return part;
    };
    const int longest = std::max({ring.width, s.ny, s.nz});
    const std::int64_t width = ring.width;
    thread_scratch t{};
    t.ring.state = take(ring.state_size());
    t.ring.derived = take(ring.derived_size());
    t.ring.x_weights = take(ring.weights_size());
    t.plane = take(needs.plane_values * width * (s.ny - 2));
    t.tile = take(needs.tile_values * width * ring_layout::widest_pack);
    t.line = take(std::int64_t{needs.line_packs} * longest * ring_layout::widest_pack);
    t.states = take(needs.state_values * width * (s.nz - 2));
    return {t, used};
  }

  aligned_doubles memory_;
  thread_scratch parts_{};
};

class two_phase_solver final : public host_solver {
 public:
  two_phase_solver(const constants& c, int n_threads, const zone_shape& largest, const scratch_needs& needs,
                   const step_functions& step)
      : c_{c}, step_{step}, r_{static_cast<std::size_t>(r_layout{largest}.size)} {
    for (int t = 0; t < n_threads; ++t) threads_.emplace_back(largest, needs);
  }

  void advance(const host_zone& zone) override {
    const step_arguments a{c_, zone.shape, zone.u, zone.forcing, r_.data()};
    if (threads_.size() == 1) {
      run_planes(a, 0, 1);
      run_lines(a, 0, 1);
      return;
    }
#pragma omp parallel num_threads(static_cast<int>(threads_.size()))
    {
      const int me = omp_get_thread_num(), team = omp_get_num_threads();
      run_planes(a, me, team);
#pragma omp barrier
      run_lines(a, me, team);
    }
  }

 private:
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
  std::vector<thread_memory> threads_;
};

}  // namespace

std::unique_ptr<host_solver> make_two_phase_solver(const constants& c, int n_threads,
                                                   const zone_shape& largest, const scratch_needs& needs,
                                                   const step_functions& step) {
  return std::make_unique<two_phase_solver>(c, std::max(1, n_threads), largest, needs, step);
}

}  // namespace npb
