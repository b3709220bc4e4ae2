#pragma once
/// How the sweeps cut a zone on a device, and where they keep what passes between tiles and sweeps.

#include "../common/zone_kernels.hpp"

namespace npb::lu {

/// A tile is `rows` lines along x in each of `planes` planes, a thread for each line. In step s the thread of
/// row b and plane c, counted from the corner where the sweep starts, has the point a = s - b - c of its
/// line, so that its three predecessors were computed in the step before. Fields are read `columns` points of
/// a line at a time.
template <int Rows, int Planes, int Columns>
struct tile_size {
  static constexpr int rows = Rows;
  static constexpr int planes = Planes;
  static constexpr int columns = Columns;
  static constexpr int threads = rows * planes;
  static constexpr int skew = rows + planes - 2;  ///< steps that the last thread is behind the first
  static constexpr int halo = planes + rows;      ///< lines of other tiles that precede a line of the tile
  static_assert(rows % columns == 0 && (columns & (columns - 1)) == 0);
};

/// The tiles of one zone, and the parts of its work memory: counters, v, halos.
template <class Tile>
struct tile_grid {
  int y_tiles, z_tiles;
  int steps;  ///< 0 .. steps - 1, of a thread: those with 0 < a < nx - 1

  YOKE_HD tile_grid(int nx, int ny, int nz)
      : y_tiles{(ny - 2 + Tile::rows - 1) / Tile::rows},
        z_tiles{(nz - 2 + Tile::planes - 1) / Tile::planes},
        steps{nx - 1 + Tile::skew} {}

  YOKE_HD int tiles() const { return y_tiles * z_tiles; }
  /// In natural order, whichever way the sweep goes.
  YOKE_HD int number(int y_tile, int z_tile) const { return y_tile + y_tiles * z_tile; }

  /// Of both sweeps: finished steps of each tile, and the number of the next tile of the batch.
  YOKE_HD int counters() const { return 2 * (tiles() + 1); }
  YOKE_HD static yoke::device_ptr<int> counters(const device_zone& z) {
    return yoke::device_ptr<int>{reinterpret_cast<int*>(z.work.address())};
  }
  YOKE_HD std::int64_t counter_doubles() const { return (counters() + 31) / 32 * 16; }

  /// v: [tile][step of the lower sweep][5][thread], so that neighbouring threads meet in both sweeps.
  YOKE_HD std::int64_t v_index(int tile, int step) const {
    return counter_doubles() + (static_cast<std::int64_t>(tile) * steps + step) * 5 * Tile::threads;
  }
  /// What enters a tile: [tile][step][5][halo], first by the rows before the tile, then by the plane before.
  /// The step is that of the thread that precedes nobody: the first of its row or plane.
  YOKE_HD std::int64_t halo_index(int tile, int step) const {
    return v_index(tiles(), 0) + (static_cast<std::int64_t>(tile) * steps + step) * 5 * Tile::halo;
  }
  YOKE_HD std::int64_t doubles() const { return halo_index(tiles(), 0); }
};

}  // namespace npb::lu
