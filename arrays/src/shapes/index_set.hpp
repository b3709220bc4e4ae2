#pragma once
/// Which indices a unit has: pieces at equal distances in each of four dimensions. A box is one piece in
/// each.

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <yoke/box.hpp>

namespace yoke::detail {

inline bound common(const bound& a, const bound& b) {
  const std::int64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}
inline bool contains(const bound& all, const bound& some) {
  return some.size() == 0 || (all.begin <= some.begin && some.end <= all.end);
}

/// In one dimension: a piece of `length` indices every `period`, from `begin` on. The last one ends with
/// `end`, and may be shorter.
struct strip {
  std::int64_t begin = 0, end = 0;
  std::int64_t length = 1, period = 1;

  strip() = default;
  explicit strip(const bound& whole);
  /// Requires: 0 < length <= period. A range where that makes one piece.
  strip(const bound& within, std::int64_t length, std::int64_t period);

  bool empty() const { return begin >= end; }
  bool is_range() const { return length >= end - begin; }
  std::int64_t pieces() const { return empty() ? 0 : (end - 1 - begin) / period + 1; }
  bound piece(std::int64_t i) const {
    const std::int64_t from = begin + i * period;
    return {from, end - from > length ? from + length : end};
  }
  bound hull() const { return {begin, end}; }
  std::int64_t size() const;
  /// The piece that an index is in. Requires: there is one.
  bound piece_of(std::int64_t at) const { return piece((at - begin) / period); }
  friend bool operator==(const strip&, const strip&) = default;
};

/// The piece that has all of these indices; all of them where none has.
inline bound piece_around(const strip& of, const bound& some) {
  if (some.size() == 0 || !contains(of.hull(), some)) return of.hull();
  const bound piece = of.piece_of(some.begin);
  return contains(piece, some) ? piece : of.hull();
}

/// f(strip) for what both have: each time all pieces have one length.
template <class F>
void for_each_common(const strip& of, const bound& within, const F& f) {
  const bound hull = common(of.hull(), within);
  if (hull.size() == 0) return;
  if (of.is_range()) return f(strip{hull});
  std::int64_t first = (hull.begin - of.begin) / of.period, last = (hull.end - 1 - of.begin) / of.period + 1;
  const auto is_whole = [&](std::int64_t i) {
    const bound piece = of.piece(i);
    return piece.size() == of.length && contains(hull, piece);
  };
  const auto add_part_of = [&](std::int64_t i) {
    if (const bound some = common(of.piece(i), hull); some.size() > 0) f(strip{some});
  };
  if (!is_whole(first)) add_part_of(first++);
  const bool has_tail = first < last && !is_whole(last - 1);
  if (has_tail) --last;
  if (first < last) f(strip{{of.piece(first).begin, of.piece(last - 1).end}, of.length, of.period});
  if (has_tail) add_part_of(last);
}

template <class F>
void for_each_common(const strip& a, const strip& b, const F& f) {
  if (a.empty() || b.empty()) return;
  if (a.is_range()) return for_each_common(b, a.hull(), f);
  if (b.is_range() || a == b) return for_each_common(a, b.hull(), f);
  for (std::int64_t i = 0; i < a.pieces(); ++i) for_each_common(b, a.piece(i), f);
}

struct index_set {
  int dimensions = 1;
  std::array<strip, 4> sides{strip{bound{1}}, strip{bound{1}}, strip{bound{1}}, strip{bound{1}}};

  index_set() = default;
  explicit index_set(const any_box& box);

  const strip& operator[](int d) const { return sides[static_cast<std::size_t>(d)]; }
  strip& operator[](int d) { return sides[static_cast<std::size_t>(d)]; }
  bool empty() const;
  bool is_box() const;
  std::int64_t size() const;
  any_box hull() const;
  std::array<std::int64_t, 4> begins() const;
  friend bool operator==(const index_set&, const index_set&) = default;
};

namespace index_sets {

template <class A, class B, class F>
void for_each_common(index_set& made, const A& a, const B& b, int d, const F& f) {
  if (d == 4) return f(std::as_const(made));
  detail::for_each_common(a[d], b[d], [&](const strip& side) {
    made[d] = side;
    for_each_common(made, a, b, d + 1, f);
  });
}

template <class F>
void for_each_box(any_box& made, const index_set& of, const any_box& within, int d, const F& f) {
  if (d == 4) return f(std::as_const(made));
  const strip& side = of[d];
  const bound hull = common(side.hull(), within[d]);
  if (hull.size() == 0) return;
  const std::int64_t last = (hull.end - 1 - side.begin) / side.period;
  for (std::int64_t i = (hull.begin - side.begin) / side.period; i <= last; ++i) {
    made[d] = common(side.piece(i), hull);
    if (made[d].size() > 0) for_each_box(made, of, within, d + 1, f);
  }
}

}  // namespace index_sets

/// f(index_set) for what both have: each time the pieces of a dimension have one length. `b` is an index_set
/// or a box.
template <class B, class F>
void for_each_common(const index_set& a, const B& b, const F& f) {
  index_set made = a;
  index_sets::for_each_common(made, a, b, 0, f);
}

/// f(box) for each of those that a set is made of, as far as they are in `within`.
template <class F>
void for_each_box(const index_set& of, const any_box& within, const F& f) {
  any_box made = within;
  made.dimensions = within.dimensions;
  index_sets::for_each_box(made, of, within, 0, f);
}

}  // namespace yoke::detail
