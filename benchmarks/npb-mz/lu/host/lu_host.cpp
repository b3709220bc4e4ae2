#include "lu_host.hpp"

#include "../../common/plane_progress.hpp"
#include "../../common/scratch_arena.hpp"
#include "lu_scratch.hpp"

#include <algorithm>
#include <memory>
#include <omp.h>
#include <vector>

namespace npb::lu {
namespace {

/// The parts of thread_scratch for zones up to `s`.
thread_scratch carve(scratch_arena& arena, const zone_shape& s, int lanes) {
  const sweep_layout layout{s, lanes};
  return {.ring = arena.take(ring_layout{s}),
          .row = arena.take(layout.row_size()),
          .masks = arena.take(layout.masks_size())};
}

class lu_host_solver final : public phased_solver {
 public:
  lu_host_solver(const constants& c, int n_threads, const zone_shape& largest, const step_functions& step)
      : c_{c},
        k_{c},
        step_{step},
        from_{static_cast<std::size_t>(sweep_layout{largest, step.lanes}.plane_size())},
        v_{static_cast<std::size_t>(sweep_layout{largest, step.lanes}.plane_size()) *
           static_cast<std::size_t>(largest.nz - 2)},
        lower_{largest.nz},
        upper_{largest.nz} {
    for (int t = 0; t < n_threads; ++t)
      threads_.emplace_back([&](scratch_arena& arena) { return carve(arena, largest, step.lanes); });
  }

  void advance(const host_zone& z) override {
    if (threads_.size() == 1) return run_alone(z);
    const step_arguments a = arguments(z);
    lower_.reset();
    upper_.reset();
#pragma omp parallel num_threads(static_cast<int>(threads_.size()))
    run_in_team(a, omp_get_thread_num(), omp_get_num_threads());
  }

  int phases() const override { return 3; }
  void run_phase(int phase, const host_zone& z) override {
    const step_arguments a = arguments(z);
    const thread_scratch& s = threads_[0].parts();
    const int blocks = sweep_layout{a.shape, step_.lanes}.blocks, last = a.shape.nz - 2;
    switch (phase) {
      case 0:
        step_.prepare(a, s);
        for (int k = 1; k <= last; ++k)
          for (int b = 0; b < blocks; ++b) step_.lower(a, s, b, k);
        return;
      case 1:
        for (int k = last; k >= 1; --k)
          for (int b = blocks - 1; b >= 0; --b) step_.upper(a, s, b, k);
        return;
      default:
        step_.residual(a, s, 1, last + 1);
    }
  }

 private:
  void run_alone(const host_zone& z) {
    for (int phase = 0; phase < phases(); ++phase) run_phase(phase, z);
  }
  step_arguments arguments(const host_zone& z) {
    return {c_, k_, z.shape, z.u, z.forcing, z.residual, v_.data(), from_.data()};
  }

  /// Planes go round the team; each thread stays a block behind the one that has the plane before.
  void run_in_team(const step_arguments& a, int me, int team) {
    const thread_scratch& s = threads_[static_cast<std::size_t>(me)].parts();
    const int blocks = sweep_layout{a.shape, step_.lanes}.blocks, planes = a.shape.nz - 2;
    step_.prepare(a, s);
    for (int n = me; n < planes; n += team)
      for (int b = 0; b < blocks; ++b) {
        if (n > 0) lower_.wait(n - 1, b + 1);
        step_.lower(a, s, b, 1 + n);
        lower_.publish(n, b + 1);
      }
#pragma omp barrier
    for (int n = me; n < planes; n += team)
      for (int b = 0; b < blocks; ++b) {
        if (n > 0) upper_.wait(n - 1, b + 1);
        step_.upper(a, s, blocks - 1 - b, planes - n);
        upper_.publish(n, b + 1);
      }
#pragma omp barrier
    const auto [first, last] = share_of(a.shape.nz, me, team);
    if (first < last) step_.residual(a, s, first, last);
  }

  constants c_;
  sweep_constants k_;
  const step_functions& step_;
  aligned_doubles from_;
  aligned_doubles v_;
  std::vector<thread_memory<thread_scratch>> threads_;
  plane_progress lower_;  ///< by k - 1
  plane_progress upper_;  ///< by nz - 2 - k
};

}  // namespace

std::unique_ptr<phased_solver> make_host_solver(const constants& c, int n_threads, const zone_shape& largest,
                                                pack_width width) {
  return std::make_unique<lu_host_solver>(c, std::max(1, n_threads), largest,
                                          use_packs_of_eight(width) ? step_of_8 : step_of_4);
}

std::size_t host_scratch_bytes(int n_threads, const zone_shape& largest) {
  const int lanes = (use_packs_of_eight(pack_width::widest) ? step_of_8 : step_of_4).lanes;
  scratch_arena of_thread{nullptr};
  carve(of_thread, largest, lanes);
  const auto plane = static_cast<std::size_t>(sweep_layout{largest, lanes}.plane_size());
  const std::size_t of_threads = static_cast<std::size_t>(std::max(1, n_threads)) * of_thread.taken();
  return (plane * static_cast<std::size_t>(largest.nz - 1) + of_threads) * sizeof(double);
}

}  // namespace npb::lu
