#pragma once
/// The second phase of a host step: z lines of row after row, in packs along i. In an unnamed namespace: see
/// pack.hpp.

#include "pack_rows.hpp"
#include "two_phase.hpp"

namespace npb {
namespace {

/// A pack of z lines: where its states, right-hand sides and results are; l = 1..nz-2.
template <class P, int Values, int KeptPacks>
struct z_lines_place {
  const double* states;
  const double* r;
  std::int64_t width;  ///< of a row of states and r
  std::int64_t r_plane;
  double* kept_memory;
  double* u;  ///< at k = 0
  std::int64_t u_plane;
  std::int64_t u_component;
  int lanes;  ///< interior points among the lanes

  /// Value `n` of what was staged of point l.
  NPB_HD P staged(int l, int n) const { return P::load(states + ((l - 1) * Values + n) * width); }
  /// The state at the start of the step: the first five of them.
  NPB_HD five<P> components(int l) const { return load_five<P>(states + (l - 1) * Values * width, width); }
  NPB_HD five<P> right_hand_side(int l) const { return load_five<P>(r + (l - 1) * r_plane, width); }
  /// What a solver keeps of point l: KeptPacks packs.
  NPB_HD double* kept(int l) const { return kept_memory + (l - 1) * (KeptPacks * P::width); }
  NPB_HD void update(int l, const five<P>& before, const five<P>& change) const {
    double* to = u + l * u_plane;
    for (int m = 0; m < 5; ++m) (before[m] + change[m]).store(to + m * u_component, lanes);
  }
};

/// Walks over the rows of a zone. `Values` values of each point are staged: u, and what is made of it.
template <class T, int Values, int KeptPacks>
class z_lines {
 public:
  z_lines(const step_arguments& a, const thread_scratch& s)
      : a_{a}, s_{s}, layout_{a.shape}, zone_plane_{static_cast<std::int64_t>(a.shape.nx) * a.shape.ny} {}

  /// For rows first_j <= j < last_j: stage(u, to, step) for all packs of points, where `to` is the place of
  /// the sixth value and `step` leads to the next; then solve(place) for all packs of lines.
  template <class Stage, class Solve>
  NPB_HD void for_rows(int first_j, int last_j, const Stage& stage, const Solve& solve) const {
    for (int j = first_j; j < last_j; ++j) {
      stage_row(j, stage);
      double* u = a_.u + 1 + static_cast<std::int64_t>(a_.shape.nx) * j;
      const double* r = a_.r + layout_.offset(j, 1);
      for_each_pack<T>(a_.shape.nx - 2, [&]<class P>(P, int i) {
        solve(z_lines_place<P, Values, KeptPacks>{s_.states + i, r + i, layout_.width, layout_.r_plane,
                                                  s_.line, u + i, zone_plane_, component(),
                                                  smaller(P::width, a_.shape.nx - 2 - i)});
      });
    }
  }

 private:
  std::int64_t component() const { return zone_plane_ * a_.shape.nz; }

  /// Row j of all planes, as [k-1][Values][i]. In u itself the planes and the components of a line often
  /// differ by a power of two, and evict each other from the cache.
  template <class Stage>
  NPB_HD void stage_row(int j, const Stage& stage) const {
    const int width = layout_.width;
    for (int k = 1; k < a_.shape.nz - 1; ++k) {
      const double* from = a_.u + 1 + static_cast<std::int64_t>(a_.shape.nx) * j + k * zone_plane_;
      double* to = s_.states + (k - 1) * Values * width;
      for (int i = 0; i < a_.shape.nx - 2; i += T::width) {
        // The last pack reaches into the next row, which exists.
        const five<T> u = load_five<T>(from + i, component());
        store_five(to + i, width, u);
        stage(u, to + n_components * width + i, width);
      }
    }
  }

  const step_arguments& a_;
  const thread_scratch& s_;
  r_layout layout_;
  std::int64_t zone_plane_;
};

/// The second phase with the lines of a benchmark.
template <class T, template <class> class Line>
class line_step {
 public:
  static constexpr int state_values = Line<T>::values;
  static constexpr int line_packs = Line<T>::kept_packs;

  line_step(const step_arguments& a, const thread_scratch& s) : a_{a}, lines_{a, s} {}

  void run(int first_j, int last_j) const {
    lines_.for_rows(
        first_j, last_j, [](const five<T>& u, double* to, int step) { Line<T>::stage(u, to, step); },
        [&]<class P>(const z_lines_place<P, Line<P>::values, Line<P>::kept_packs>& place) {
          Line<P>{place}.solve(a_.c, a_.shape.nz);
        });
  }

 private:
  const step_arguments& a_;
  z_lines<T, state_values, line_packs> lines_;
};

/// The functions of a step, and the memory that its types of lines ask for.
template <class PlaneStep, class LineStep>
constexpr step_functions functions_of() {
  constexpr int line_packs =
      PlaneStep::line_packs > LineStep::line_packs ? PlaneStep::line_packs : LineStep::line_packs;
  return {.planes = [](const step_arguments& a, const thread_scratch& s, int first_k,
                       int last_k) { PlaneStep(a, s).run(first_k, last_k); },
          .lines = [](const step_arguments& a, const thread_scratch& s, int first_j,
                      int last_j) { LineStep(a, s).run(first_j, last_j); },
          .needs = {.plane_values = PlaneStep::plane_values,
                    .tile_values = PlaneStep::tile_values,
                    .line_packs = line_packs,
                    .state_values = LineStep::state_values}};
}

}  // namespace
}  // namespace npb
