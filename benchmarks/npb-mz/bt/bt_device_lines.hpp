#pragma once
/// The lines of a device's sweeps: what bt_segments.hpp asks of them. Each thread of a block has one.

#include "../common/send_faces.hpp"
#include "../common/zone_kernels.hpp"
#include "bt_segments.hpp"

#include <algorithm>

#include <yoke/async_copy.hpp>

namespace npb::bt {

/// Numbers that a thread keeps for itself in its block's shared memory. Those of neighbouring threads are
/// neighbours, so that they use different banks.
struct shared_numbers {
  double* of_thread;
  int stride;

  YOKE_HD double& operator[](int number) const { return of_thread[number * stride]; }
  YOKE_HD void store(int number, const five<double>& x) const {
    for (int m = 0; m < 5; ++m) (*this)[number + m] = x[m];
  }
  YOKE_HD five<double> load(int number) const {
    five<double> x{};
    for (int m = 0; m < 5; ++m) x[m] = (*this)[number + m];
    return x;
  }
};

/// Factors and r* of the rows at which segments start, in work memory behind r: [segment - 1][30][line].
struct checkpoints {
  double* of_line;
  std::int64_t lines;

  YOKE_HD checkpoints(const zone_view& z, std::int64_t n_lines, std::int64_t line)
      : of_line{z.work + 5 * z.interior + line}, lines{n_lines} {}

  YOKE_HD double* at(int l) const { return of_line + ((l - 1) / segment_rows - 1) * 30 * lines; }
  YOKE_HD void keep(int l, const detail::eliminated<double>& e) const {
    double* to = at(l);
    NPB_UNROLL
    for (int column = 0; column < 5; ++column)
      for (int row = 0; row < 5; ++row) to[(5 * column + row) * lines] = e.factors.a[row][column];
    NPB_UNROLL
    for (int m = 0; m < 5; ++m) to[(25 + m) * lines] = e.r[m];
  }
  YOKE_HD void load(int l, detail::eliminated<double>& e) const {
    const double* from = at(l);
    NPB_UNROLL
    for (int column = 0; column < 5; ++column)
      for (int row = 0; row < 5; ++row) e.factors.a[row][column] = from[(5 * column + row) * lines];
    NPB_UNROLL
    for (int m = 0; m < 5; ++m) e.r[m] = from[(25 + m) * lines];
  }
};

/// Starts copying u and r of row l of a line to `to`, from number `number` on.
YOKE_HD inline void fetch(const line_place& line, int l, const shared_numbers& to, int number) {
  const zone_view& z = line.z;
  for (int m = 0; m < 5; ++m) {
    yoke::start_copy(&to[number + m], z.u + m * z.component + line.grid_index(l));
    yoke::start_copy(&to[number + 5 + m], z.work + m * z.interior + line.r_index(l));
  }
}

/// Doubles of work memory for the checkpoints of any sweep.
inline std::size_t checkpoint_doubles(const zone_shape& s) {
  const auto of = [&](int n) {
    return 30 * s.interior_points() / static_cast<std::size_t>(n - 2) * (segments_of(n) - 1);
  };
  return std::max({of(s.nx), of(s.ny), of(s.nz)});
}

/// A line of a block's thread. Its rows have 30 numbers each in shared memory: C* (25) and r* (5). Where C*
/// of a row will be, u (5) and r (5) of the row above arrive first. On the way up, where no C* is kept, there
/// is room for those of two segments, one of which arrives while the other is eliminated.
template <int D>
class segment_line {
 public:
  using number = double;
  static constexpr int kept_doubles = 30 * segment_rows;
  /// Where u and r of row first + 1 + `row` arrive.
  static constexpr YOKE_HD int arrival(int row, int buffer) { return 30 * row + 10 * buffer; }
  /// Where r* and then x of row first + `row` is.
  static constexpr YOKE_HD int values(int row) { return 30 * row + 25; }

  YOKE_HD segment_line(const line_place& place, checkpoints points, shared_numbers kept)
      : place_{place}, checkpoints_{points}, kept_{kept} {}

  YOKE_HD void begin(const segment_visit& v) { v_ = v; }
  YOKE_HD point<double> first_state() const { return place_.state(v_.first); }
  YOKE_HD five<double> first_right_hand_side() const { return place_.load_r(v_.first); }
  YOKE_HD void settle(const segment_visit&) const {}
  YOKE_HD void approach(int l) {
    const int at = arrival(l - v_.first - 1, v_.buffer);
    u_ = kept_.load(at);
    r_ = kept_.load(at + 5);
  }
  YOKE_HD point<double> state(int) const { return make_point(u_); }
  YOKE_HD five<double> right_hand_side(int) const { return r_; }

  YOKE_HD void keep_column(int l, int column, const five<double>& x) const {
    kept_.store(30 * (l - v_.first) + 5 * column, x);
  }
  YOKE_HD five<double> kept_column(int l, int column) const {
    return kept_.load(30 * (l - v_.first) + 5 * column);
  }
  YOKE_HD void keep_values(int l, const five<double>& x) const { kept_.store(values(l - v_.first), x); }
  YOKE_HD five<double> kept_values(int l) const { return kept_.load(values(l - v_.first)); }
  YOKE_HD void keep_checkpoint(int l, const detail::eliminated<double>& e) const { checkpoints_.keep(l, e); }
  YOKE_HD void load_checkpoint(int l, detail::eliminated<double>& e) const { checkpoints_.load(l, e); }

 protected:
  line_place place_;
  checkpoints checkpoints_;
  shared_numbers kept_;
  segment_visit v_{};
  five<double> u_{}, r_{};
};

/// A line in y or z, of which neighbouring threads read neighbouring points.
template <int D>
class own_line : public segment_line<D> {
  using base = segment_line<D>;
  using base::kept_;
  using base::place_;
  using base::v_;

 public:
  using base::base;

  YOKE_HD void begin(const segment_visit& v) {
    v_ = v;
    if (v.resumes) request(v.first, v.last, v.buffer);
  }
  YOKE_HD void settle(const segment_visit& v) const {
    yoke::wait_for_groups<0>();
    if (!v.goes_down) request(v.last, v.last + segment_rows, 1 - v.buffer);
  }
  /// In z x waits where r* of the row below was, until `update`.
  YOKE_HD void finish(int l, const five<double>& x) const {
    if constexpr (D == 1)
      place_.store_r(l, x);
    else if (l == v_.first)
      place_.add_to_state(l, x);
    else
      base::keep_values(l - 1, x);
  }
  YOKE_HD void postpone(int l, const five<double>& x) const { place_.store_r(l, x); }

  /// z: u += x in rows first + 1 .. last. All of u is asked for before the first sum.
  YOKE_HD void update() const {
    five<double> u[segment_rows];
    NPB_UNROLL
    for (int row = 0; row < segment_rows; ++row) {
      const int l = v_.first + 1 + row;
      if (l <= v_.last) u[row] = place_.z.components(place_.grid_index(l));
    }
    NPB_UNROLL
    for (int row = 0; row < segment_rows; ++row) {
      const int l = v_.first + 1 + row;
      if (l <= v_.last) place_.store_state(l, u[row], base::kept_values(l - 1));
    }
  }

 private:
  /// Rows first + 1 .. last, those of them that there are.
  YOKE_HD void request(int first, int last, int buffer) const {
    NPB_UNROLL
    for (int row = 0; row < segment_rows; ++row) {
      const int l = first + 1 + row;
      if (l <= last && l <= place_.n - 2) fetch(place_, l, kept_, base::arrival(row, buffer));
    }
    yoke::close_group();
  }
};

/// A line in x. Neighbouring points of it belong to one thread, so that the block loads and stores a segment
/// of all its lines together.
class tile_line : public segment_line<0> {
 public:
  using segment_line::segment_line;

  /// The block stores rows first .. last - 1. The one at `last` is there already, but for the line's last.
  YOKE_HD void finish(int l, const five<double>& x) const {
    if (l < v_.last)
      keep_values(l, x);
    else if (v_.is_top)
      place_.store_r(l, x);
  }
  YOKE_HD void postpone(int l, const five<double>& x) const { keep_values(l, x); }
};

/// The x lines of a block, and the segments of them in its shared memory.
struct line_tile {
  const zone_view& z;
  double* shared;
  int first;   ///< number of its first line in the zone
  int lines;   ///< none when <= 0
  int stride;  ///< between the numbers of a line: odd, so that its rows lie in different banks

  static YOKE_HD constexpr std::size_t bytes_of(int lines) {
    return sizeof(double) * tile_line::kept_doubles * static_cast<std::size_t>(lines | 1);
  }

  YOKE_HD line_tile(const zone_view& zone, const yoke::block& b)
      : z{zone},
        shared{b.shared<double>()},
        first{static_cast<int>(b.x) * b.n_threads},
        lines{static_cast<int>(lines_of(zone, 0)) - first},
        stride{b.n_threads | 1} {
    if (lines > b.n_threads) lines = b.n_threads;
  }

  YOKE_HD shared_numbers numbers_of(int line) const { return {shared + line, stride}; }
  YOKE_HD line_place place_of(int line) const { return find_line<0>(z, first + line); }
  YOKE_HD tile_line line(int t) const {
    return {place_of(t), checkpoints{z, lines_of(z, 0), first + t}, numbers_of(t)};
  }

  /// Thread t's share of u and r of rows first_row + 1 .. last_row, those of them that there are; the rows of
  /// a line go to neighbouring threads.
  YOKE_HD void request(const yoke::block& b, int t, int first_row, int last_row, int buffer) const {
    for (int i = t; i < lines * segment_rows; i += b.n_threads) {
      const int line = i / segment_rows, row = i % segment_rows, l = first_row + 1 + row;
      if (l <= last_row && l <= z.nx - 2)
        fetch(place_of(line), l, numbers_of(line), tile_line::arrival(row, buffer));
    }
    yoke::close_group();
  }
  /// Of the solution at rows first .. last - 1.
  YOKE_HD void store(const yoke::block& b, int t, const segment_visit& v) const {
    for (int i = t; i < lines * segment_rows; i += b.n_threads) {
      const int line = i / segment_rows, row = i % segment_rows;
      if (v.first + row < v.last)
        place_of(line).store_r(v.first + row, numbers_of(line).load(tile_line::values(row)));
    }
  }
};

}  // namespace npb::bt
