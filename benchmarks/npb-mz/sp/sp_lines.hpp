#pragma once
/// The second phase of a host step: z sweep, tzetar and update, row after row. SPEC.md §9.7 to §9.9.
/// In an unnamed namespace: see sp_step.hpp.

#include "../common/two_phase.hpp"
#include "sp_rows.hpp"

namespace npb::sp {
namespace {

template <class T>
class line_step {
 public:
  line_step(const step_arguments& a, const thread_scratch& s)
      : a_{a},
        s_{s},
        layout_{a.shape},
        zone_plane_{static_cast<std::int64_t>(a.shape.nx) * a.shape.ny},
        component_{zone_plane_ * a.shape.nz} {}

  void run(int first_j, int last_j) {
    for (int j = first_j; j < last_j; ++j) {
      load_states(j);
      double* u = a_.u + 1 + static_cast<std::int64_t>(a_.shape.nx) * j;
      for (int i = 0; i < a_.shape.nx - 2; i += T::width)
        solve_line<2>(
            a_.c, a_.shape.nz,
            z_line{s_.states + i, a_.r + layout_.offset(j, 1) + i, layout_.width, layout_.r_plane, s_.line,
                   u + i, zone_plane_, component_, smaller(T::width, a_.shape.nx - 2 - i)});
    }
  }

 private:
  /// u, 1/u1 and a of the interior of row j of all planes, as [k-1][7][i]. In u itself the planes and the
  /// components of a line often differ by a power of two, and evict each other from the cache.
  void load_states(int j) {
    const int width = layout_.width;
    for (int k = 1; k < a_.shape.nz - 1; ++k) {
      const double* from = a_.u + 1 + static_cast<std::int64_t>(a_.shape.nx) * j + k * zone_plane_;
      double* to = s_.states + (k - 1) * 7 * width;
      for (int i = 0; i < a_.shape.nx - 2; i += T::width) {
        // The last pack reaches into the next row, which exists.
        const point<T> p = make_point(load_five<T>(from + i, component_));
        store_five(to + i, width, p.u);
        p.rho_i.store(to + 5 * width + i);
        sound_speed(p).store(to + 6 * width + i);
      }
    }
  }

  struct z_line {
    using number = T;
    const double* states;
    const double* r;
    std::int64_t width;  ///< of a row of states and r
    std::int64_t r_plane;
    double* kept;  ///< [k-1][11] packs of D* (3), E* (3), r (5)
    double* u;     ///< at k = 0
    std::int64_t u_plane;
    std::int64_t u_component;
    int lanes;  ///< interior points among the lanes

    NPB_HD const double* state(int l) const { return states + (l - 1) * 7 * width; }
    NPB_HD double* at(int l) const { return kept + (l - 1) * (11 * T::width); }
    NPB_HD wave<T> wave_at(int l) const {
      const T rho_i = T::load(state(l) + 5 * width);
      return {rho_i, T::load(state(l) + 3 * width) * rho_i, T::load(state(l) + 6 * width)};
    }
    NPB_HD five<T> right_hand_side(int l) const { return load_five<T>(r + (l - 1) * r_plane, width); }
    NPB_HD void keep(int l, const eliminated<T>& row, const five<T>& x) const {
      store_rows(at(l), row);
      store_five(at(l) + 6 * T::width, T::width, x);
    }
    NPB_HD eliminated<T> kept_rows(int l) const { return load_rows<T>(at(l)); }
    NPB_HD five<T> kept_values(int l) const { return load_five<T>(at(l) + 6 * T::width, T::width); }
    NPB_HD void finish(int l, const five<T>& x) const {
      const point<T> p = make_point(load_five<T>(state(l), width), T::load(state(l) + 5 * width));
      const five<T> change = tzetar(p, T::load(state(l) + 6 * width), x);
      double* to = u + l * u_plane;
      for (int m = 0; m < 5; ++m) (p.u[m] + change[m]).store(to + m * u_component, lanes);
    }
  };

  const step_arguments& a_;
  const thread_scratch& s_;
  r_layout layout_;
  std::int64_t zone_plane_;
  std::int64_t component_;
};

}  // namespace
}  // namespace npb::sp
