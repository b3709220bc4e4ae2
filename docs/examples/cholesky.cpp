/// A Cholesky factorization by tiles on all CUs: each tile is a placed object, and each call a task that says
/// what it does with which. Called as `yoke-cholesky [TILES [SIZE]]`.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include <yoke/tasks.hpp>

namespace {

using tile = yoke::device_ptr<double>;
using const_tile = yoke::device_ptr<const double>;

/// Of a tile on the diagonal, by one item: it has little work, and that in order.
struct factor {
  YOKE_HD void operator()(yoke::item, tile a, int n) const {
    for (int c = 0; c < n; ++c)
      for (int r = c; r < n; ++r) {
        double sum = a[r * n + c];
        for (int k = 0; k < c; ++k) sum -= a[r * n + k] * a[c * n + k];
        a[r * n + c] = r == c ? std::sqrt(sum) : sum / a[c * n + c];
      }
  }
};
/// Below it, by rows.
struct solve {
  YOKE_HD void operator()(yoke::item row, const_tile l, tile a, int n) const {
    for (int c = 0; c < n; ++c) {
      double sum = a[row.x * n + c];
      for (int k = 0; k < c; ++k) sum -= a[row.x * n + k] * l[c * n + k];
      a[row.x * n + c] = sum / l[c * n + c];
    }
  }
};
/// To the right of both, by elements.
struct update {
  YOKE_HD void operator()(yoke::item at, const_tile left, const_tile above, tile a, int n) const {
    double sum = a[at.y * n + at.x];
    for (int k = 0; k < n; ++k) sum -= left[at.y * n + k] * above[at.x * n + k];
    a[at.y * n + at.x] = sum;
  }
};

double element(int row, int column) { return 1.0 / (1 + std::abs(row - column)) + (row == column ? 2 : 0); }

/// The lower triangle, tile by tile: (0, 0), (1, 0), (1, 1), (2, 0), …
using triangle = std::vector<yoke::placed<double>>;
template <class Triangle>
auto& tile_at(Triangle& a, int row, int column) {
  return a[static_cast<std::size_t>(row * (row + 1) / 2 + column)];
}

triangle matrix(yoke::runtime& rt, int tiles, int n) {
  triangle a;
  for (int row = 0; row < tiles; ++row)
    for (int column = 0; column <= row; ++column) {
      a.emplace_back(rt, static_cast<std::size_t>(n) * static_cast<std::size_t>(n), "tile");
      const std::span<double> values = a.back().host();
      for (int i = 0; i < n * n; ++i)
        values[static_cast<std::size_t>(i)] = element(row * n + i / n, column * n + i % n);
    }
  return a;
}

/// Of the last row of L L^T, in which all steps are.
double error_of(const triangle& a, int tiles, int n) {
  const auto value = [&](int row, int column) {
    return tile_at(a, row / n, column / n).host()[static_cast<std::size_t>(row % n * n + column % n)];
  };
  double worst = 0;
  const int row = tiles * n - 1;
  for (int column = 0; column <= row; ++column) {
    double sum = 0;
    for (int k = 0; k <= column; ++k) sum += value(row, k) * value(column, k);
    worst = std::max(worst, std::abs(sum - element(row, column)));
  }
  return worst;
}

/// Whether the factors are right.
bool run(int tiles, int n) {
  yoke::runtime rt;
  triangle a = matrix(rt, tiles, n);
  const auto at = [&](int row, int column) -> auto& { return tile_at(a, row, column); };

  yoke::task_group g{rt};
  const std::vector<yoke::unit_id> for_diagonal = g.cpus();  // empty where there are none: any
  for (int k = 0; k < tiles; ++k) {
    g.launch<factor>({.x = 1}, "factor", {.on = for_diagonal, .priority = 2}, inout(at(k, k)), n);
    for (int i = k + 1; i < tiles; ++i)
      g.launch<solve>({.x = n}, "solve", {.priority = 1}, in(std::as_const(at(k, k))), inout(at(i, k)), n);
    for (int i = k + 1; i < tiles; ++i)
      for (int j = k + 1; j <= i; ++j)
        g.launch<update>({.x = n, .y = n}, "update", in(std::as_const(at(i, k))), in(std::as_const(at(j, k))),
                         inout(at(i, j)), n);
  }
  g.wait();

  const double worst = error_of(a, tiles, n);
  std::printf("yoke-cholesky: %d x %d tiles of %d x %d on %s: the error is %.1e\n", tiles, tiles, n, n,
              rt.units().shape().text().c_str(), worst);
  return worst < 1e-12;
}

}  // namespace

int main(int argc, char** argv) try {
  const int tiles = argc > 1 ? std::atoi(argv[1]) : 8, n = argc > 2 ? std::atoi(argv[2]) : 64;
  if (tiles < 1 || n < 1) throw yoke::usage_error{"TILES and SIZE are 1 or more"};
  return run(tiles, n) ? 0 : 1;
} catch (const yoke::error& problem) {
  std::fprintf(stderr, "yoke-cholesky: %s\n", problem.what());
  return 1;
}
