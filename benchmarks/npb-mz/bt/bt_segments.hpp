#pragma once
/// The line solver in segments, for processors that compute faster than they move memory: the
/// block-tridiagonal elimination of bt_line_solve.hpp, with the same bits.
///
/// C* of a whole line is five times what a step reads of it, and too much to keep on chip. So the way up
/// keeps only the row at which each segment starts. On the way down each segment is eliminated once more from
/// there, and its C* stay on chip until its solution is known.

#include "bt_line_solve.hpp"

#include <algorithm>

namespace npb::bt {

/// Rows whose C* are on chip at a time. With 4, a sweep moves 40 numbers a point instead of 75.
inline constexpr int segment_rows = 4;

/// Segments of a line of n points; segment s takes the rows from 1 + s segment_rows on, and shares its last
/// row with the next.
YOKE_HD constexpr int segments_of(int n) { return (n - 3 + segment_rows - 1) / segment_rows; }

/// A segment and how it is met.
struct segment_visit {
  int first, last;  ///< rows
  bool resumes;     ///< starts from what was kept of row `first`, or from the line's first row
  bool is_top;      ///< has the line's last row
  bool goes_down;   ///< and finds the solution
  int buffer;       ///< 0 or 1 in turn, of the two for states and right-hand sides
};

/// The way up a line of n points is visits 0 .. top_of(n) - 1, the way down visits top_of(n) .. 2 top_of(n).
YOKE_HD constexpr int top_of(int n) { return segments_of(n) - 1; }
YOKE_HD constexpr segment_visit visit_of(int n, int number) {
  const int top = top_of(n);
  const int first = 1 + segment_rows * (number <= top ? number : 2 * top - number);
  const int last = first + segment_rows < n - 2 ? first + segment_rows : n - 2;
  return {first,         last,          number == 0 || number > top,
          number == top, number >= top, number > top ? 0 : number & 1};
}

namespace detail {

/// A line of which C* is not wanted.
template <class Line>
struct passing_line {
  const Line& line;
  NPB_HD auto state(int l) const { return line.state(l); }
  NPB_HD auto right_hand_side(int l) const { return line.right_hand_side(l); }
  template <class T>
  NPB_HD void keep_column(int, int, const five<T>&) const {}
};

/// Row `first` of a segment as it was eliminated.
template <int D, class T, class Line>
NPB_HD eliminated<T> resume(const direction_constants& k, const Line& line, int first) {
  const blocks_of<D, T> here{k, line.first_state()};
  if (first == 1) return first_row(here, line.first_right_hand_side());
  eliminated<T> e;
  line.load_checkpoint(first, e);
  NPB_UNROLL
  for (int column = 0; column < 5; ++column)
    for (int row = 0; row < 5; ++row) e.minus_lower.a[row][column] = here.minus_lower(row, column);
  return e;
}

template <int D, class Line, class T>
NPB_HD void enter(const direction_constants& k, Line& line, const segment_visit& v, eliminated<T>& e) {
  line.begin(v);
  if (v.resumes) e = resume<D, T>(k, line, v.first);
  line.settle(v);
}

/// Completes C* of the row in `e`, below row l.
template <int D, class Line, class T>
NPB_HD void complete_row(const blocks_of<D, T>& above, Line& line, int l, const eliminated<T>& e) {
  NPB_UNROLL
  for (int column = 0; column < 5; ++column)
    line.keep_column(l - 1, column, star_column<D>(above, e, column));
}

/// The solution at rows last-1 .. first. The one at `first` only waits when the segment below still needs the
/// state there.
template <class Line, class T>
NPB_HD void substitute_back(Line& line, const segment_visit& v, five<T> above) {
  for (int l = v.last - 1; l >= v.first; --l) {
    const five<T> x = solution_below<T>(line, l, above);
    line.finish(l + 1, above);
    above = x;
  }
  if (v.first == 1)
    line.finish(1, above);
  else
    line.postpone(v.first, above);
}

}  // namespace detail

/// On the way up: leaves what the segment above starts from in `e`, and keeps it. A Line is, beyond what
/// solve_line asks for,
///   void begin(const segment_visit&);                    and settle, when row v.first is known
///   point<T> first_state();                              of row v.first; five<T> first_right_hand_side()
///   void approach(int l);                                row l > v.first is the next that is asked for
///   void keep_checkpoint(int l, const eliminated<T>&);   factors and r*
///   void load_checkpoint(int l, eliminated<T>&);
///   void postpone(int l, const five<T>& x);              right_hand_side(l) is x from now on
template <int D, class Line, class T>
NPB_HD void go_up(const direction_constants& k, Line& line, const segment_visit& v,
                  detail::eliminated<T>& e) {
  detail::passing_line<Line> passing{line};
  detail::enter<D>(k, line, v, e);
  for (int l = v.first + 1; l <= v.last; ++l) {
    line.approach(l);
    e = detail::couple_row<D>(k, passing, l, e);
    detail::eliminate_row(e);
  }
  line.keep_checkpoint(v.last, e);
}

/// On the way down: finds the solution of the segment's rows, but for the last of any segment below the top,
/// where it is known.
template <int D, class Line, class T>
NPB_HD void go_down(const direction_constants& k, Line& line, const segment_visit& v,
                    detail::eliminated<T>& e) {
  detail::enter<D>(k, line, v, e);
  for (int l = v.first + 1; l <= (v.is_top ? v.last : v.last - 1); ++l) {
    line.approach(l);
    line.keep_values(l - 1, e.r);
    e = detail::couple_row<D>(k, line, l, e);
    detail::eliminate_row(e);
  }
  five<T> above = e.r;
  if (!v.is_top) {
    line.approach(v.last);
    line.keep_values(v.last - 1, e.r);
    detail::complete_row<D>(detail::blocks_of<D, T>{k, line.state(v.last)}, line, v.last, e);
    above = line.right_hand_side(v.last);
  }
  detail::substitute_back(line, v, above);
}

}  // namespace npb::bt
