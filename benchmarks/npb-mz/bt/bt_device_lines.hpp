#pragma once
/// The lines of a device's sweeps: what bt_segments.hpp asks of them. Each thread of a block has one.

#include "../common/zone_kernels.hpp"
#include "bt_segments.hpp"

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

/// Doubles of work memory for the checkpoints of any sweep.
inline std::size_t checkpoint_doubles(const zone_shape& s) {
  const auto of = [&](int n) {
    return 30 * s.interior_points() / static_cast<std::size_t>(n - 2) * (segments_of(n) - 1);
  };
  return std::max({of(s.nx), of(s.ny), of(s.nz)});
}

/// A line in y or z, of which neighbouring threads read neighbouring points.
template <int D>
class memory_line {
 public:
  using number = double;
  static constexpr int kept_doubles = 30 * segment_rows;  ///< of shared memory: C* and r* of rows

  YOKE_HD memory_line(const line_place& place, checkpoints points, shared_numbers kept)
      : place_{place}, checkpoints_{points}, kept_{kept} {}

  YOKE_HD void begin(const segment_visit& v) {
    first_ = v.first;
    last_wanted_ = v.goes_down ? v.last : place_.n - 2;
    if (!v.resumes) return;
    fetch(v.first);
    u_ = next_u_;
    r_ = next_r_;
    fetch(v.first + 1);
  }
  YOKE_HD point<double> first_state() const { return make_point(u_); }
  YOKE_HD five<double> first_right_hand_side() const { return r_; }
  /// Row l + 1 is on its way while row l is eliminated.
  YOKE_HD void approach(int l) {
    u_ = next_u_;
    r_ = next_r_;
    if (l < last_wanted_) fetch(l + 1);
  }
  YOKE_HD point<double> state(int) const { return make_point(u_); }
  YOKE_HD five<double> right_hand_side(int) const { return r_; }

  YOKE_HD void keep_column(int l, int column, const five<double>& x) const {
    kept_.store(30 * (l - first_) + 5 * column, x);
  }
  YOKE_HD five<double> kept_column(int l, int column) const {
    return kept_.load(30 * (l - first_) + 5 * column);
  }
  YOKE_HD void keep_values(int l, const five<double>& x) const { kept_.store(30 * (l - first_) + 25, x); }
  YOKE_HD five<double> kept_values(int l) const { return kept_.load(30 * (l - first_) + 25); }
  YOKE_HD void keep_checkpoint(int l, const detail::eliminated<double>& e) const { checkpoints_.keep(l, e); }
  YOKE_HD void load_checkpoint(int l, detail::eliminated<double>& e) const { checkpoints_.load(l, e); }

  /// In z x waits where r* of the row below was, until `update`.
  YOKE_HD void finish(int l, const five<double>& x) const {
    if constexpr (D != 2)
      place_.store_r(l, x);
    else if (l == first_)
      place_.add_to_state(l, x);
    else
      keep_values(l - 1, x);
  }
  YOKE_HD void postpone(int l, const five<double>& x) const { place_.store_r(l, x); }

  /// u += x in rows first + 1 .. last. All of u is asked for before the first sum.
  YOKE_HD void update(const segment_visit& v) const {
    five<double> u[segment_rows];
    NPB_UNROLL
    for (int row = 0; row < segment_rows; ++row)
      if (v.first + 1 + row <= v.last) u[row] = place_.z.components(place_.grid_index(v.first + 1 + row));
    NPB_UNROLL
    for (int row = 0; row < segment_rows; ++row)
      if (v.first + 1 + row <= v.last)
        place_.store_state(v.first + 1 + row, u[row], kept_values(v.first + row));
  }

 private:
  YOKE_HD void fetch(int l) {
    next_u_ = place_.z.components(place_.grid_index(l));
    next_r_ = place_.load_r(l);
  }

  const line_place& place_;
  checkpoints checkpoints_;
  shared_numbers kept_;
  int first_ = 0;
  int last_wanted_ = 0;
  five<double> u_{}, r_{};
  five<double> next_u_{}, next_r_{};
};

/// A line in x. Neighbouring points of it belong to one thread, so that the block loads a segment of all its
/// lines together, into shared memory. C* of a row takes the place of the state of the row above.
class tile_line {
 public:
  using number = double;
  static constexpr int values = 25 * segment_rows;  ///< where r, r* and x are: [segment_rows + 1][5]
  static constexpr int kept_doubles = values + 5 * (segment_rows + 1);
  /// Where row `row` of the segment is, counted from the row after `first`.
  static constexpr YOKE_HD int state_of(int row) { return 25 * row; }
  static constexpr YOKE_HD int right_hand_side_of(int row) { return values + 5 * (row + 1); }
  static constexpr YOKE_HD int solution_of(int row) { return values + 5 * row; }

  YOKE_HD tile_line(const line_place& place, checkpoints points, shared_numbers kept)
      : place_{place}, checkpoints_{points}, kept_{kept} {}

  YOKE_HD void begin(const segment_visit& v) {
    first_ = v.first;
    last_ = v.last;
    is_top_ = v.is_top;
  }
  YOKE_HD point<double> first_state() const {
    return make_point(place_.z.components(place_.grid_index(first_)));
  }
  YOKE_HD five<double> first_right_hand_side() const { return place_.load_r(first_); }
  YOKE_HD void approach(int) const {}
  YOKE_HD point<double> state(int l) const { return make_point(kept_.load(state_of(l - first_ - 1))); }
  YOKE_HD five<double> right_hand_side(int l) const { return kept_.load(values + 5 * (l - first_)); }

  YOKE_HD void keep_column(int l, int column, const five<double>& x) const {
    kept_.store(25 * (l - first_) + 5 * column, x);
  }
  YOKE_HD five<double> kept_column(int l, int column) const {
    return kept_.load(25 * (l - first_) + 5 * column);
  }
  YOKE_HD void keep_values(int l, const five<double>& x) const { kept_.store(values + 5 * (l - first_), x); }
  YOKE_HD five<double> kept_values(int l) const { return right_hand_side(l); }
  YOKE_HD void keep_checkpoint(int l, const detail::eliminated<double>& e) const { checkpoints_.keep(l, e); }
  YOKE_HD void load_checkpoint(int l, detail::eliminated<double>& e) const { checkpoints_.load(l, e); }

  /// The block stores rows first .. last - 1; the row at `last` is there already, but for the line's last.
  YOKE_HD void finish(int l, const five<double>& x) const {
    if (l < last_)
      keep_values(l, x);
    else if (is_top_)
      place_.store_r(l, x);
  }
  YOKE_HD void postpone(int l, const five<double>& x) const { keep_values(l, x); }

 private:
  line_place place_;
  checkpoints checkpoints_;
  shared_numbers kept_;
  int first_ = 0;
  int last_ = 0;
  bool is_top_ = false;
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

  /// Calls body(pass, line, row) for the segment_rows rows of all lines, the rows of a line side by side;
  /// each thread once in each of segment_rows passes.
  template <class Body>
  static YOKE_HD void for_each_row(const yoke::block& b, int t, int lines, const Body& body) {
    NPB_UNROLL
    for (int pass = 0; pass < segment_rows; ++pass) {
      const int i = t + pass * b.n_threads;
      if (i / segment_rows < lines) body(pass, i / segment_rows, i % segment_rows);
    }
  }

  /// u and r of rows first + 1 .. last. All are on their way before the first is stored.
  YOKE_HD void load(const yoke::block& b, const segment_visit& v) const {
    b.for_each_thread([&](int t) {
      five<double> u[segment_rows], r[segment_rows];
      for_each_row(b, t, lines, [&](int pass, int line, int row) {
        if (v.first + 1 + row > v.last) return;
        const line_place place = place_of(line);
        u[pass] = z.components(place.grid_index(v.first + 1 + row));
        r[pass] = place.load_r(v.first + 1 + row);
      });
      for_each_row(b, t, lines, [&](int pass, int line, int row) {
        if (v.first + 1 + row > v.last) return;
        numbers_of(line).store(tile_line::state_of(row), u[pass]);
        numbers_of(line).store(tile_line::right_hand_side_of(row), r[pass]);
      });
    });
  }
  /// The solution at rows first .. last - 1.
  YOKE_HD void store(const yoke::block& b, const segment_visit& v) const {
    b.for_each_thread([&](int t) {
      for_each_row(b, t, lines, [&](int, int line, int row) {
        if (v.first + row < v.last)
          place_of(line).store_r(v.first + row, numbers_of(line).load(tile_line::solution_of(row)));
      });
    });
  }
};

}  // namespace npb::bt
