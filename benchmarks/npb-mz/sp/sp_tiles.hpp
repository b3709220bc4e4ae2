#pragma once
/// Tiles of lines that a block of threads solves on chip: SP's sweeps move r and u once. SPEC.md §9.3 to
/// §9.9.

#include "../common/send_faces.hpp"
#include "../common/zone_kernels.hpp"
#include "sp_chip_line.hpp"
#include "sp_line_solve.hpp"

#include <cstddef>

#include <yoke/async_copy.hpp>

namespace npb::sp {

inline constexpr int most_lines_of_tile = 32;
/// Longer lines are solved in global memory. They would fit the on-chip memory of any GPU, but too few at
/// once.
inline constexpr int longest_on_chip = 512;

YOKE_HD constexpr bool fits_on_chip(int n) { return n <= longest_on_chip; }

/// Odd, as n_slots is: then neither neighbours along a line nor neighbouring lines meet in a memory bank.
YOKE_HD constexpr int pitch_of_tile(int lines) { return lines | 1; }

struct line_start {
  std::int64_t grid;  ///< index of l = 0 in u
  std::int64_t r;     ///< index of l = 1 in r
};

/// Of a tile with lines of at most n points.
constexpr std::size_t bytes_of_tile(int n, int lines) {
  const auto values = static_cast<std::size_t>(n) * n_slots * static_cast<std::size_t>(pitch_of_tile(lines));
  return values * sizeof(double) + static_cast<std::size_t>(lines) * sizeof(line_start);
}

/// Lines first .. first + lines - 1 of a zone in direction D. Values on chip are [l][line][slot].
template <int D>
class line_tile {
 public:
  /// Threads of a block: a tile's lines for the base matrix, and from first_sound_thread on twice as many.
  static constexpr int first_sound_thread = most_lines_of_tile;
  static constexpr int least_threads = 3 * most_lines_of_tile;

  YOKE_HD line_tile(const zone_view& z, std::int64_t first, int most_lines, void* memory)
      : z_{z},
        n_{D == 0   ? z.nx
           : D == 1 ? z.ny
                    : z.nz},
        first_{first},
        lines_{static_cast<int>(smaller(most_lines, lines_of(z, D) - first))},
        step_{n_slots * pitch_of_tile(most_lines)},
        by_row_{D == 0       ? n_ - 2
                : lines_ > 0 ? lines_
                             : 1},
        starts_{static_cast<line_start*>(memory)},
        values_{reinterpret_cast<double*>(starts_ + most_lines) + step_} {}

  YOKE_HD bool is_empty() const { return lines_ <= 0; }
  YOKE_HD int n() const { return n_; }
  YOKE_HD int lines() const { return lines_; }
  YOKE_HD int points() const { return lines_ > 0 ? lines_ * (n_ - 2) : 0; }

  YOKE_HD void find(int line) const {
    const line_place place = find_line<D>(z_, first_ + line);
    starts_[line] = {place.grid, place.r};
  }

  /// A phase: r and the terms of all points. First everything is copied, u to where the terms will be, so
  /// that the whole tile is under way at once.
  YOKE_HD void load(const yoke::block& b, const direction_constants& k) const {
    b.for_each_thread([&](int t) {
      for (int x = t; x < points(); x += b.n_threads) {
        const place at = place_of(x);
        for (int m = 0; m < 5; ++m) yoke::start_copy(at.values + m, z_.work + m * z_.interior + at.r);
        start_state(at);
      }
      wait_for_copies();
      for (int x = t; x < points(); x += b.n_threads) derive(k, place_of(x).values);
    });
  }

  /// What thread t has to do: the three systems of the base matrix of a line, or that of another matrix.
  YOKE_HD void solve(const constants& c, int t) const {
    const int sound = t - first_sound_thread;
    if (t < lines_) {
      solve_systems<D>(c, n_, chip_line<base_systems>{values_ + n_slots * t, 0, 0, step_, n_});
    } else if (sound >= 0 && sound < 2 * lines_) {
      const int matrix = sound < lines_ ? 1 : 2;
      const int line = sound < lines_ ? sound : sound - lines_;
      solve_systems<D>(c, n_,
                       chip_line<sound_system>{values_ + n_slots * line, 2 + matrix, matrix, step_, n_});
    }
  }

  /// A phase: transforms the solution at all points and stores it; after the last sweep, u + its change.
  YOKE_HD void finish(const yoke::block& b) const {
    b.for_each_thread([&](int t) {
      if constexpr (D == 2) {
        for (int x = t; x < points(); x += b.n_threads) start_state(place_of(x));
        wait_for_copies();
      }
      for (int x = t; x < points(); x += b.n_threads) finish(place_of(x));
    });
  }

  /// A phase after the last sweep: what neighbours get.
  YOKE_HD void send(const yoke::block& b, const device_zone& zone) const {
    const face_sender faces{zone, z_};
    const int first = static_cast<int>(first_);
    b.for_each_thread([&](int t) { faces.send(first, first + lines_, t, b.n_threads); });
  }

 private:
  struct place {
    std::int64_t grid, r;
    double* values;
  };

  YOKE_HD void start_state(const place& at) const {
    for (int m = 0; m < 5; ++m) yoke::start_copy(at.values + 5 + m, z_.u + m * z_.component + at.grid);
  }
  YOKE_HD static void derive(const direction_constants& k, double* values) {
    const point<double> p = make_point(five_at(values + 5));
    put_line_terms(values, terms_of(k, wave<double>{p.rho_i, p.v[D], sound_speed(p)}));
  }
  YOKE_HD void finish(const place& at) const {
    const five<double> r = five_at(at.values);
    if constexpr (D == 0) z_.store_r(at.r, ninvr(r));
    if constexpr (D == 1) z_.store_r(at.r, pinvr(r));
    if constexpr (D == 2) {
      const point<double> p = make_point(five_at(at.values + 5));
      const five<double> change = tzetar(p, sound_speed(p), r);
      for (int m = 0; m < 5; ++m) z_.u[m * z_.component + at.grid] = p.u[m] + change[m];
    }
  }

  YOKE_HD static std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

  YOKE_HD place place_of(int x) const {
    const int slow = by_row_.quotient(x), fast = x - slow * by_row_.divisor;
    const int line = D == 0 ? slow : fast, row = D == 0 ? fast : slow;
    const line_start start = starts_[line];
    const std::int64_t plane = static_cast<std::int64_t>(z_.nx) * z_.ny;
    const std::int64_t r_plane = static_cast<std::int64_t>(z_.nx - 2) * (z_.ny - 2);
    const std::int64_t grid_step = D == 0 ? 1 : D == 1 ? z_.nx : plane;
    const std::int64_t r_step = D == 0 ? 1 : D == 1 ? z_.nx - 2 : r_plane;
    return {start.grid + (row + 1) * grid_step, start.r + row * r_step,
            values_ + row * step_ + n_slots * line};
  }

  const zone_view& z_;
  int n_;
  std::int64_t first_;
  int lines_;
  int step_;  ///< from row to row on chip
  small_divider by_row_;
  line_start* starts_;
  double* values_;
};

}  // namespace npb::sp
