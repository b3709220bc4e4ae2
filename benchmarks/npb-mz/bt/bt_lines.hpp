#pragma once
/// The second phase of a host step: z sweep and update, row after row. SPEC.md §10.2, §10.3. In an unnamed
/// namespace: see bt_step.hpp.

#include "../common/two_phase.hpp"
#include "bt_columns.hpp"

namespace npb::bt {
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
      const double* r = a_.r + layout_.offset(j, 1);
      for_each_pack<T>(a_.shape.nx - 2, [&]<class P>(P, int i) {
        solve_line<2>(a_.c, a_.shape.nz,
                      z_line<P>{s_.states + i, r + i, layout_.width, layout_.r_plane, s_.line, u + i,
                                zone_plane_, component_, smaller(P::width, a_.shape.nx - 2 - i)});
      });
    }
  }

 private:
  /// u and 1/u1 of the interior of row j of all planes, as [k-1][6][i]. In u itself the planes and the
  /// components of a line often differ by a power of two, and evict each other from the cache.
  void load_states(int j) {
    const int width = layout_.width;
    for (int k = 1; k < a_.shape.nz - 1; ++k) {
      const double* from = a_.u + 1 + static_cast<std::int64_t>(a_.shape.nx) * j + k * zone_plane_;
      double* to = s_.states + (k - 1) * 6 * width;
      for (int i = 0; i < a_.shape.nx - 2; i += T::width) {
        // The last pack reaches into the next row, which exists.
        const five<T> u = load_five<T>(from + i, component_);
        store_five(to + i, width, u);
        (T(1.0) / u[0]).store(to + 5 * width + i);
      }
    }
  }

  template <class P>
  struct z_line {
    using number = P;
    const double* states;
    const double* r;
    std::int64_t width;  ///< of a row of states and r
    std::int64_t r_plane;
    double* kept;  ///< [k-1][30] packs of r* (5), C* (25)
    double* u;     ///< at k = 0
    std::int64_t u_plane;
    std::int64_t u_component;
    int lanes;  ///< interior points among the lanes

    NPB_HD five<P> components(int l) const { return load_five<P>(states + (l - 1) * 6 * width, width); }
    NPB_HD double* at(int l) const { return kept + (l - 1) * (30 * P::width); }
    NPB_HD point<P> state(int l) const {
      return make_point(components(l), P::load(states + (l - 1) * 6 * width + 5 * width));
    }
    NPB_HD five<P> right_hand_side(int l) const { return load_five<P>(r + (l - 1) * r_plane, width); }
    NPB_HD void keep_column(int l, int column, const five<P>& x) const {
      store_column(at(l) + 5 * P::width, column, x);
    }
    NPB_HD void keep_values(int l, const five<P>& x) const { store_five(at(l), P::width, x); }
    NPB_HD five<P> kept_column(int l, int column) const {
      return load_column<P>(at(l) + 5 * P::width, column);
    }
    NPB_HD five<P> kept_values(int l) const { return load_five<P>(at(l), P::width); }
    NPB_HD void finish(int l, const five<P>& x) const {
      const five<P> before = components(l);
      double* to = u + l * u_plane;
      for (int m = 0; m < 5; ++m) (before[m] + x[m]).store(to + m * u_component, lanes);
    }
  };

  const step_arguments& a_;
  const thread_scratch& s_;
  r_layout layout_;
  std::int64_t zone_plane_;
  std::int64_t component_;
};

}  // namespace
}  // namespace npb::bt
