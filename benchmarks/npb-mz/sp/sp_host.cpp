#include "sp_host.hpp"

#include "sp_scratch.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <omp.h>
#include <vector>

#include <yoke/error.hpp>

namespace npb::sp {
namespace {

/// Zeroed doubles that begin on a cache line.
class aligned_doubles {
 public:
  explicit aligned_doubles(std::size_t n)
      : memory_{static_cast<double*>(std::aligned_alloc(64, (n * sizeof(double) + 63) / 64 * 64))} {
    if (memory_ == nullptr) throw std::bad_alloc{};
    std::fill_n(memory_.get(), n, 0.0);
  }
  double* data() const { return memory_.get(); }

 private:
  struct free_it {
    void operator()(double* p) const { std::free(p); }
  };
  std::unique_ptr<double, free_it> memory_;
};

/// The parts of thread_scratch for zones up to `largest`, one after the other in one block.
class thread_memory {
 public:
  explicit thread_memory(const zone_shape& largest) : memory_{carve(largest, nullptr).second} {
    parts_ = carve(largest, memory_.data()).first;
  }
  const thread_scratch& parts() const { return parts_; }

 private:
  static std::pair<thread_scratch, std::size_t> carve(const zone_shape& s, double* base) {
    const scratch_layout layout{s};
    std::size_t used = 0;
    const auto take = [&](std::int64_t n) {
      double* part = base == nullptr ? nullptr : base + used;
      used += static_cast<std::size_t>((n + 7) / 8 * 8);
      return part;
    };
    const int longest = std::max({layout.r_row, s.ny, s.nz});
    thread_scratch t{};
    t.ring = take(std::int64_t{25} * layout.ring_plane);
    t.derived = take(std::int64_t{18} * layout.ring_plane);
    t.sound = take(std::int64_t{1} * layout.r_row * (s.ny - 2));
    t.tile = take(std::int64_t{64} * layout.r_row);
    t.line = take(std::int64_t{14} * longest * scratch_layout::widest_pack);
    t.states = take(std::int64_t{7} * layout.r_row * (s.nz - 2));
    t.x_weights = take(std::int64_t{5} * layout.r_row);
    return {t, used};
  }

  aligned_doubles memory_;
  thread_scratch parts_{};
};

struct range {
  int first;
  int last;
};
/// Part `part` of `parts` of the interior indices 1..n-2.
range share_of(int n, int part, int parts) {
  const auto cut = [&](int p) { return 1 + static_cast<int>(std::int64_t{n - 2} * p / parts); };
  return {cut(part), cut(part + 1)};
}

class sp_host_solver final : public host_solver {
 public:
  sp_host_solver(const constants& c, int n_threads, const zone_shape& largest, const step_functions& step)
      : c_{c}, step_{step}, r_{static_cast<std::size_t>(scratch_layout{largest}.r_size)} {
    for (int t = 0; t < n_threads; ++t) threads_.emplace_back(largest);
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

const step_functions& functions_for(pack_width width) {
  if (width == pack_width::four) return step_of_4;
  if (has_packs_of_eight()) return step_of_8;
  if (width == pack_width::eight) throw yoke::config_error{"packs of eight doubles: this CPU has no AVX-512"};
  return step_of_4;
}

}  // namespace

bool has_packs_of_eight() { return __builtin_cpu_supports("x86-64-v4") != 0; }

std::unique_ptr<host_solver> make_host_solver(const constants& c, int n_threads, const zone_shape& largest,
                                              pack_width width) {
  return std::make_unique<sp_host_solver>(c, std::max(1, n_threads), largest, functions_for(width));
}

}  // namespace npb::sp
