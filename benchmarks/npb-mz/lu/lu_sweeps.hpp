#pragma once
/// The two sweeps of a host step in packs of skewed rows. SPEC.md §11.2 (a) to (d), §16.2.
/// A point's contributions to its three followers are formed at the point, before u changes: this way the
/// update can follow at once, and each block is computed once. In an unnamed namespace: see lu_step.hpp.

#include "../common/pack_rows.hpp"
#include "lu_scratch.hpp"

namespace npb::lu {
namespace {

template <class T>
class sweep_step {
 public:
  static constexpr int lanes = T::width;

  sweep_step(const step_arguments& a, const thread_scratch& s) : a_{a}, s_{s}, layout_{a.shape, lanes} {}

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
      gather(a_.u, memory, first, u);
      gather(a_.residual, memory, first, rsd);
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
      gather(a_.u, memory, first, u);
      const int last = smaller(first + lanes, layout_.steps);
      for (int t = last - 1; t >= first; --t) upper_pack(memory, t, u[t - first], to_x, to_y);
      scatter(memory, first, u);
    }
  }

 private:
  using tile = five<T>[lanes];

  /// Where the data of one block are.
  struct block_memory {
    std::int64_t row;  ///< index of i = 0 of the first row in a component of u
    int rows;          ///< that exist
    double* v;
    double* from;
    const double* masks;
  };

  block_memory memory_of(int block, int k) const {
    const int j = 1 + block * lanes, rows = smaller(lanes, a_.shape.ny - 1 - j);
    const std::int64_t offset = block * layout_.block_size();
    return {a_.shape.nx * (j + static_cast<std::int64_t>(a_.shape.ny) * k), rows,
            a_.v + (k - 1) * layout_.plane_size() + offset, a_.from + offset,
            s_.masks + (block == layout_.blocks - 1 ? layout_.steps * lanes : 0)};
  }

  static void clear(double* p, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) p[i] = 0;
  }
  NPB_HD static five<T> zero() { return {{T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)}}; }

  std::int64_t component() const {
    return static_cast<std::int64_t>(a_.shape.nx) * a_.shape.ny * a_.shape.nz;
  }
  /// The first point of lane l in the tile that begins with step `first`. Where a tile has no point of the
  /// row, some other of the same row, so that nothing of another plane is read, which another thread may be
  /// changing.
  int first_point(int first, int l) const {
    const int i = 1 + first - l;
    return i > a_.shape.nx - 2 ? 1 : i;
  }

  /// The packs of steps first .. first + lanes - 1. Lanes that are no point get finite numbers.
  NPB_HD void gather(const double* field, const block_memory& memory, int first, tile& to) const {
    for (int m = 0; m < 5; ++m) {
      const double* from = field + m * component() + memory.row;
      T square[lanes];
      for (int l = 0; l < lanes; ++l)
        square[l] =
            T::load(from + std::int64_t{a_.shape.nx} * smaller(l, memory.rows - 1) + first_point(first, l));
      transpose(square);
      for (int t = 0; t < lanes; ++t) to[t][m] = square[t];
    }
  }
  NPB_HD void scatter(const block_memory& memory, int first, const tile& from) const {
    const int last = a_.shape.nx - 2;
    for (int m = 0; m < 5; ++m) {
      double* to = a_.u + m * component() + memory.row;
      T square[lanes];
      for (int t = 0; t < lanes; ++t) square[t] = from[t][m];
      transpose(square);
      for (int l = 0; l < memory.rows; ++l, to += a_.shape.nx) {
        const int i = 1 + first - l;
        if (i >= 1 && i + lanes - 1 <= last) {
          square[l].store(to + i);
        } else {
          for (int n = 0; n < lanes; ++n)
            if (i + n >= 1 && i + n <= last) to[i + n] = square[l].v[n];
        }
      }
    }
  }

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
};

}  // namespace
}  // namespace npb::lu
