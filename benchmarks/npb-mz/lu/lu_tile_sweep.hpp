#pragma once
/// One sweep through one tile, SPEC.md §11.2 (a) to (d), by the threads of a block. Blocks of neighbouring
/// tiles run at the same time, each a few steps behind those before it.
///
/// A point pushes its contributions to its three followers, as on the host: to the next point of its line in
/// a register, to the next row and plane through shared memory, to other tiles through halos in device
/// memory. Since nobody else needs u of the point, the upper sweep updates it at once.

#include "lu_physics.hpp"
#include "lu_tiles.hpp"

#include <utility>

#include <yoke/block_order.hpp>

namespace npb::lu {

/// Where a tile lies in the order of its sweep: 0, 0 has no tile before it.
struct tile_place {
  int y = 0;
  int z = 0;
};

template <sweep S, class Tile>
class tile_sweep {
  static constexpr bool is_lower = S == sweep::lower;
  static constexpr int lead = 2;  ///< steps from the start of a load to the use of what it brings
  static constexpr int slots = Tile::columns + 1;  ///< of each line on chip: one in use, the others change
  static constexpr int slot_size = Tile::threads + 1;
  static constexpr int staged_size = 10 * slots * slot_size;
  static constexpr int row_pitch = Tile::rows + 1;
  static constexpr int by_row_size = 2 * 5 * Tile::planes * row_pitch;
  static constexpr int by_plane_size = 2 * 5 * (Tile::planes + 1) * Tile::rows;
  static constexpr int halo_values = (5 * Tile::halo + Tile::threads - 1) / Tile::threads;
  static constexpr int pace = 8;  ///< steps from one look at the neighbours to the next
  static_assert(pace % lead == 0);

 public:
  static constexpr int shared_doubles = staged_size + by_row_size + by_plane_size;

  NPB_HD tile_sweep(const yoke::block& b, double* shared, const device_zone& zone, tile_place at,
                    const sweep_constants& k)
      : b_{b},
        k_{k},
        z_{zone},
        rsd_{zone.residual.get()},
        grid_{z_.nx, z_.ny, z_.nz},
        at_{at},
        tile_{natural(at.y, at.z)},
        progress_{grid_.counters(zone) + (is_lower ? 1 : grid_.tiles() + 2)},
        staged_{shared},
        by_row_{staged_ + staged_size},
        by_plane_{by_row_ + by_row_size} {}

  NPB_HD void run() {
    // What enters from the boundary, and from lines that do not exist, is 0 and stays it.
    b_.for_each(by_row_size + by_plane_size, [&](int n) { by_row_[n] = 0; });
    const int last = grid_.steps + (is_lower ? 0 : Tile::columns);
    for (int s = -lead; s < last; s += lead) {
      if ((s + lead) % pace == 0) keep_pace(s);
      take_turns(s, std::make_integer_sequence<int, lead>{});
    }
    b_.for_each(1, [&](int) { yoke::publish(progress_ + tile_, grid_.steps); });
  }

 private:
  /// On the way to the memory on chip.
  struct arriving {
    five<double> u, rsd_or_v;
    double halo[halo_values];
  };
  /// Registers of a thread.
  struct kept {
    five<double> to_x;     ///< what the last point contributes to the next one
    int seen[2];           ///< thread 0: progress of the tiles before
    arriving comes[lead];  ///< by the step that loads it, in turn
  };
  /// A line of the tile.
  struct line {
    int b, c;
    int first;  ///< index of a = 0 in a field
    bool exists;
  };

  NPB_HD int natural(int y, int z) const {
    return is_lower ? grid_.number(y, z) : grid_.number(grid_.y_tiles - 1 - y, grid_.z_tiles - 1 - z);
  }
  NPB_HD line line_at(int b, int c) const {
    const int j = is_lower ? 1 + at_.y * Tile::rows + b : (grid_.y_tiles - at_.y) * Tile::rows - b;
    const int k = is_lower ? 1 + at_.z * Tile::planes + c : (grid_.z_tiles - at_.z) * Tile::planes - c;
    return {b, c, (is_lower ? 0 : z_.nx - 1) + z_.nx * (j + z_.ny * k), j < z_.ny - 1 && k < z_.nz - 1};
  }
  NPB_HD int index_of(const line& l, int a) const { return is_lower ? l.first + a : l.first - a; }
  NPB_HD bool is_inside(const line& l, int a) const { return l.exists && a > 0 && a < z_.nx - 1; }

  /// 0 to 4: u; 5 to 9: rsd or, in the upper sweep, u after the update.
  NPB_HD double& staged(int value, int step, int thread) const {
    return staged_[(value * slots + step % slots) * slot_size + thread];
  }
  /// What row b - 1, and what plane c - 1, gave the line in steps of this parity.
  NPB_HD double& from_row(int step, int m, int b, int c) const {
    return by_row_[(((step & 1) * 5 + m) * Tile::planes + c) * row_pitch + b];
  }
  NPB_HD double& from_plane(int step, int m, int b, int c) const {
    return by_plane_[(((step & 1) * 5 + m) * (Tile::planes + 1) + c) * Tile::rows + b];
  }

  /// Says how far the tile is and lets those before it come far enough for the next `pace` steps.
  NPB_HD void keep_pace(int s) {
    b_.for_each_thread([&](int t) {
      if (t != 0) return;
      if (s > 0) yoke::publish(progress_ + tile_, smaller_of(s, grid_.steps));
      const int ahead = s + pace - 1 + lead;
      if (at_.y > 0) wait_for(natural(at_.y - 1, at_.z), ahead + Tile::rows, kept_[t].seen[0]);
      if (at_.z > 0) wait_for(natural(at_.y, at_.z - 1), ahead + Tile::planes, kept_[t].seen[1]);
    });
  }
  NPB_HD void wait_for(int tile, int steps, int& seen) const {
    const int wanted = smaller_of(steps, grid_.steps);
    if (seen < wanted) seen = yoke::wait_for(progress_ + tile, wanted);
  }
  NPB_HD static int smaller_of(int a, int b) { return a < b ? a : b; }

  /// `lead` steps; what a thread has loaded in each stays in registers, whose numbers the compiler must know.
  template <int... Turns>
  NPB_HD void take_turns(int s, std::integer_sequence<int, Turns...>) {
    (b_.for_each_thread([&](int t) { step<Turns>(t, s + Turns, kept_[t]); }), ...);
  }
  template <int Turn>
  NPB_HD void step(int t, int s, kept& mine) const {
    const five<double> v = mine.comes[Turn].rsd_or_v;
    fetch(t, s + lead, mine.comes[Turn]);
    if constexpr (!is_lower) flush(t, s);
    compute(t, s, v, mine);
    hand_over(t, s + 1, mine.comes[(Turn + 1) % lead]);
  }

  /// The point of the lines that begin their next `columns` points in step `start`, for thread t to load or
  /// store.
  struct element {
    line l;
    int column;
    int a;
  };
  NPB_HD element element_of(int t, int start) const {
    constexpr int lines = Tile::rows / Tile::columns;
    const int column = t % Tile::columns, n = t / Tile::columns, c = n / lines;
    const int b = n % lines * Tile::columns + ((start - c) & (Tile::columns - 1));
    return {line_at(b, c), column, start - b - c + column};
  }

  /// Loads what step s begins to need: points of lines that begin there, v and the halo.
  NPB_HD void fetch(int t, int s, arriving& to) const {
    const element e = element_of(t, s);
    if (is_inside(e.l, e.a)) {
      const int at = index_of(e.l, e.a);
      to.u = z_.components(at);
      if constexpr (is_lower) to.rsd_or_v = load(rsd_, z_.component, at);
    }
    if constexpr (!is_lower) fetch_v(t, s, to);
    fetch_halo(t, s, to);
  }
  NPB_HD void fetch_halo(int t, int s, arriving& to) const {
    for (int n = 0; n < halo_values; ++n) {
      const int value = t + n * Tile::threads, h = value % Tile::halo;
      const bool by_row = h < Tile::planes;
      const line l = by_row ? line_at(0, h) : line_at(h - Tile::planes, 0);
      const bool enters = value < 5 * Tile::halo && (by_row ? at_.y > 0 : at_.z > 0);
      to.halo[n] = enters && is_inside(l, s - l.b - l.c) ? z_.work[grid_.halo_index(tile_, s) + value] : 0;
    }
  }
  NPB_HD void hand_over(int t, int s, const arriving& from) const {
    if (s < 0) return;
    const element e = element_of(t, s);
    for (int m = 0; m < 5; ++m) {
      staged(m, s + e.column, e.l.b + Tile::rows * e.l.c) = from.u[m];
      if constexpr (is_lower) staged(5 + m, s + e.column, e.l.b + Tile::rows * e.l.c) = from.rsd_or_v[m];
    }
    for (int n = 0; n < halo_values; ++n) {
      const int value = t + n * Tile::threads, m = value / Tile::halo, h = value % Tile::halo;
      if (value >= 5 * Tile::halo) break;
      double& to = h < Tile::planes ? from_row(s - 1, m, 0, h) : from_plane(s - 1, m, h - Tile::planes, 0);
      to = from.halo[n];
    }
  }

  NPB_HD std::int64_t v_index(int t, int s) const {
    return is_lower ? grid_.v_index(tile_, s) + t
                    : grid_.v_index(tile_, z_.nx - 1 + Tile::skew - s) + Tile::threads - 1 - t;
  }
  NPB_HD void fetch_v(int t, int s, arriving& to) const {
    const line l = line_at(t % Tile::rows, t / Tile::rows);
    if (is_inside(l, s - l.b - l.c)) to.rsd_or_v = load(z_.work, Tile::threads, v_index(t, s));
  }
  /// Writes the updated points of the lines whose last `columns` points end before step s.
  NPB_HD void flush(int t, int s) const {
    const element e = element_of(t, s);
    const int a = e.a - Tile::columns;
    if (!is_inside(e.l, a)) return;
    five<double> u{};
    for (int m = 0; m < 5; ++m)
      u[m] = staged(5 + m, s - Tile::columns + e.column, e.l.b + Tile::rows * e.l.c);
    store(z_.u, z_.component, index_of(e.l, a), u);
  }

  NPB_HD void compute(int t, int s, const five<double>& v_before, kept& mine) const {
    const line l = line_at(t % Tile::rows, t / Tile::rows);
    const int a = s - l.b - l.c;
    if (!is_inside(l, a)) return;
    five<double> u{}, y{}, z{};
    for (int m = 0; m < 5; ++m) {
      u[m] = staged(m, s, t);
      y[m] = from_row(s - 1, m, l.b, l.c);
      z[m] = from_plane(s - 1, m, l.b, l.c);
    }
    if (a == 1) mine.to_x = {};
    const five<double> sum = sum_of(mine.to_x, y, z);
    const block_point<double> p = make_block_point(k_, u);
    five<double> v{};
    if constexpr (is_lower) {
      five<double> rsd{};
      for (int m = 0; m < 5; ++m) rsd[m] = staged(5 + m, s, t);
      v = lower_value(k_, u, p, rsd, k_.dt, sum);
      store(z_.work, Tile::threads, v_index(t, s), v);
    } else {
      v = upper_value(k_, u, p, v_before, sum);
      const five<double> after = updated(u, v);
      for (int m = 0; m < 5; ++m) staged(5 + m, s, t) = after[m];
    }
    push(l, s, p, v, mine);
  }
  NPB_HD void push(const line& l, int s, const block_point<double>& p, const five<double>& v,
                   kept& mine) const {
    const disturbance<double> d = make_disturbance(p, v);
    mine.to_x = block_times<S, 0>(k_, p, d, v);
    const five<double> to_y = block_times<S, 1>(k_, p, d, v), to_z = block_times<S, 2>(k_, p, d, v);
    for (int m = 0; m < 5; ++m) {
      from_row(s, m, l.b + 1, l.c) = to_y[m];
      from_plane(s, m, l.b, l.c + 1) = to_z[m];
    }
    if (l.b == Tile::rows - 1 && at_.y + 1 < grid_.y_tiles)
      store(z_.work, Tile::halo, grid_.halo_index(natural(at_.y + 1, at_.z), s - (Tile::rows - 1)) + l.c,
            to_y);
    if (l.c == Tile::planes - 1 && at_.z + 1 < grid_.z_tiles)
      store(z_.work, Tile::halo,
            grid_.halo_index(natural(at_.y, at_.z + 1), s - (Tile::planes - 1)) + Tile::planes + l.b, to_z);
  }

  NPB_HD static five<double> load(const double* field, std::int64_t stride, std::int64_t at) {
    five<double> x{};
    for (int m = 0; m < 5; ++m) x[m] = field[m * stride + at];
    return x;
  }
  NPB_HD static void store(double* field, std::int64_t stride, std::int64_t at, const five<double>& x) {
    for (int m = 0; m < 5; ++m) field[m * stride + at] = x[m];
  }

  const yoke::block& b_;
  const sweep_constants& k_;
  zone_view z_;
  const double* rsd_;
  tile_grid<Tile> grid_;
  tile_place at_;
  int tile_;
  yoke::device_ptr<int> progress_;
  double* staged_;
  double* by_row_;
  double* by_plane_;
  yoke::per_thread<kept, Tile::threads> kept_;
};

}  // namespace npb::lu
