#pragma once
/// The two sweeps of a host step in packs of skewed rows. SPEC.md §11.2 (a) to (d), §16.2.
/// A point's contributions to its three followers are formed at the point, before u changes: this way the
/// update can follow at once, and each block is computed once. In an unnamed namespace: see lu_step.hpp.

#include "lu_skewed_rows.hpp"

namespace npb::lu {
namespace {

template <class T>
class sweep_step {
 public:
  static constexpr int lanes = T::width;

  sweep_step(const step_arguments& a, const thread_scratch& s)
      : a_{a}, s_{s}, layout_{a.shape, lanes}, rows_{a.shape} {}

  void make_masks() const {
    const int last_rows = a_.shape.ny - 2 - (layout_.blocks - 1) * lanes;
    for (int part = 0; part < 2; ++part)
      for (int t = 0; t < layout_.steps; ++t)
        for (int l = 0; l < lanes; ++l) {
          const bool is_point = t >= l && t - l < a_.shape.nx - 2 && (part == 0 || l < last_rows);
          s_.masks[(part * layout_.steps + t) * lanes + l] = is_point ? 1 : 0;
        }
  }

  void lower(int block, int k) const {
    const block_memory memory = memory_of(block, k);
    if (block == 0) clear(s_.row, layout_.row_size());
    if (k == 1) clear(memory.from, layout_.block_size());
    five<T> to_x = zero(), to_y = zero();
    tile u, rsd;
    for (int first = 0; first < layout_.steps; first += lanes) {
      rows_.gather(a_.u, memory.rows, first, u);
      rows_.gather(a_.residual, memory.rows, first, rsd);
      const int last = smaller(first + lanes, layout_.steps);
      for (int t = first; t < last; ++t) lower_pack(memory, t, u[t - first], rsd[t - first], to_x, to_y);
    }
  }

  void upper(int block, int k) const {
    const block_memory memory = memory_of(block, k);
    if (block == layout_.blocks - 1) clear(s_.row, layout_.row_size());
    if (k == a_.shape.nz - 2) clear(memory.from, layout_.block_size());
    five<T> to_x = zero(), to_y = zero();
    tile u{};
    for (int first = (layout_.steps - 1) / lanes * lanes; first >= 0; first -= lanes) {
      rows_.gather(a_.u, memory.rows, first, u);
      const int last = smaller(first + lanes, layout_.steps);
      for (int t = last - 1; t >= first; --t) upper_pack(memory, t, u[t - first], to_x, to_y);
      rows_.scatter(u, memory.rows, first, a_.u);
    }
  }

 private:
  using tile = typename skewed_rows<T>::tile;

  /// Where the data of one block are.
  struct block_memory {
    block_rows rows;
    double* v;
    double* from;
    const double* masks;
  };

  block_memory memory_of(int block, int k) const {
    const int j = 1 + block * lanes;
    const std::int64_t offset = block * layout_.block_size();
    return {
        {a_.shape.nx * (j + static_cast<std::int64_t>(a_.shape.ny) * k), smaller(lanes, a_.shape.ny - 1 - j)},
        a_.v + (k - 1) * layout_.plane_size() + offset,
        a_.from + offset,
        s_.masks + (block == layout_.blocks - 1 ? layout_.steps * lanes : 0)};
  }

  static void clear(double* p, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) p[i] = 0;
  }
  NPB_HD static five<T> zero() { return {{T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)}}; }

  NPB_HD void lower_pack(const block_memory& memory, int t, const five<T>& u, const five<T>& rsd,
                         five<T>& to_x, five<T>& to_y) const {
    double* const from = memory.from + t * 5 * lanes;
    const double* const before = s_.row + t * 5;
    five<T> from_y{};
    for (int m = 0; m < 5; ++m) from_y[m] = shift_up(to_y[m], before[m]);
    const five<T> sum = sum_of(to_x, from_y, load_five<T>(from, lanes));

    const T mask = T::load(memory.masks + t * lanes);
    const block_point<T> p = make_block_point(a_.k, u);
    const five<T> v = lower_value(a_.k, u, p, rsd, T(a_.k.dt) * mask, sum);
    double* const to = memory.v + t * 5 * lanes;
    for (int m = 0; m < 5; ++m) (v[m] * mask).store(to + m * lanes);

    const disturbance<T> s = make_disturbance(p, v);
    store_five(from, lanes, block_times<sweep::lower, 2>(a_.k, p, s, v));
    to_x = block_times<sweep::lower, 0>(a_.k, p, s, v);
    to_y = block_times<sweep::lower, 1>(a_.k, p, s, v);
    // What the last lane's row gives the next block's first lane, lanes - 1 steps ahead of it.
    if (t < lanes - 1) return;
    for (int m = 0; m < 5; ++m) s_.row[(t - (lanes - 1)) * 5 + m] = to_y[m].v[lanes - 1];
  }

  NPB_HD void upper_pack(const block_memory& memory, int t, five<T>& u, five<T>& to_x, five<T>& to_y) const {
    double* const from = memory.from + t * 5 * lanes;
    // Of the point in the first row of the block after this one that has the last lane's i.
    const double* const after = s_.row + t * 5;
    five<T> from_y{};
    for (int m = 0; m < 5; ++m) from_y[m] = shift_down(to_y[m], after[m]);
    const five<T> sum = sum_of(to_x, from_y, load_five<T>(from, lanes));

    const block_point<T> p = make_block_point(a_.k, u);
    const five<T> v = upper_value(a_.k, u, p, load_five<T>(memory.v + t * 5 * lanes, lanes), sum);
    const disturbance<T> s = make_disturbance(p, v);
    store_five(from, lanes, block_times<sweep::upper, 2>(a_.k, p, s, v));
    to_x = block_times<sweep::upper, 0>(a_.k, p, s, v);
    to_y = block_times<sweep::upper, 1>(a_.k, p, s, v);
    for (int m = 0; m < 5; ++m) s_.row[(t + lanes - 1) * 5 + m] = to_y[m].v[0];
    u = updated(u, v);
  }

  const step_arguments& a_;
  const thread_scratch& s_;
  sweep_layout layout_;
  skewed_rows<T> rows_;
};

}  // namespace
}  // namespace npb::lu
