/// LU factorization with partial pivoting and look-ahead, as HPL does it: an agent factors panel after panel
/// on the host, and tells the updates of the panels to the right as tasks, of which that of the next panel is
/// urgent. So it factors the next panel while the others are updated. Called as `yoke-lookahead-lu [N [NB]]`.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <yoke/tasks.hpp>

namespace {

using row = std::int32_t;

/// Column by column: what panel `left` did to its own columns, from its first row `top` on.
struct update {
  YOKE_HD void operator()(yoke::item column, yoke::device_ptr<const double> left,
                          yoke::device_ptr<const row> pivots, yoke::device_ptr<double> a, int n, int top,
                          int n_left, int n_own) const {
    const auto at = [&](int r) -> double& { return a[r * n_own + column.x]; };
    for (int k = 0; k < n_left; ++k) {
      const double swapped = at(pivots[k]);
      at(pivots[k]) = at(top + k);
      at(top + k) = swapped;
    }
    for (int k = 0; k < n_left; ++k)
      for (int r = top + k + 1; r < n; ++r) at(r) -= left[r * n_left + k] * at(top + k);
  }
};

/// A panel of n rows and n_own columns, from row `top` on; which rows it has swapped.
void factor(std::span<double> a, std::span<row> pivots, int n, int top, int n_own) {
  const auto at = [&](int r, int c) -> double& { return a[static_cast<std::size_t>(r * n_own + c)]; };
  for (int k = 0; k < n_own; ++k) {
    int pivot = top + k;
    for (int r = pivot + 1; r < n; ++r)
      if (std::abs(at(r, k)) > std::abs(at(pivot, k))) pivot = r;
    pivots[static_cast<std::size_t>(k)] = pivot;
    for (int c = 0; c < n_own; ++c) std::swap(at(top + k, c), at(pivot, c));
    for (int r = top + k + 1; r < n; ++r) {
      at(r, k) /= at(top + k, k);
      for (int c = k + 1; c < n_own; ++c) at(r, c) -= at(r, k) * at(top + k, c);
    }
  }
}

/// Panels side by side, each a tile, and the rows that each has swapped.
struct matrix {
  matrix(yoke::runtime& rt, int size, int panel)
      : n{size}, a{rt, {.rows = size, .columns = size, .tile_rows = size, .tile_columns = panel}, "A"} {
    for (int k = 0; k < n_panels(); ++k)
      pivots.emplace_back(rt, static_cast<std::size_t>(a.columns_of(k)), "pivots");
  }
  int n_panels() const { return static_cast<int>(a.n_columns()); }
  int top(int k) const { return k * static_cast<int>(a.how().tile_columns); }
  int columns(int k) const { return static_cast<int>(a.columns_of(k)); }
  yoke::placed<double>& panel(int k) { return a.tile(0, k); }
  yoke::placed<row>& rows(int k) { return pivots[static_cast<std::size_t>(k)]; }

  int n;
  yoke::tiles<double, 2> a;
  std::vector<yoke::placed<row>> pivots;
};

/// How many panels were factored while updates by the one before were under way.
int factorize(yoke::runtime& rt, matrix& m) {
  int n_beside = 0;
  yoke::task_group g{rt};
  g.spawn("panels", [&](yoke::agent_context& me) {
    yoke::task last;
    for (int k = 0; k < m.n_panels(); ++k) {
      {
        const auto panel = me.host(inout(m.panel(k)));  // behind its last update
        const auto rows = me.host(out(m.rows(k)));
        factor(panel, rows, m.n, m.top(k), m.columns(k));
      }
      if (!last.is_over()) ++n_beside;
      for (int j = k + 1; j < m.n_panels(); ++j)
        last =
            me.launch<update>({.x = m.columns(j)}, "update", {.priority = j == k + 1 ? 1 : 0}, in(m.panel(k)),
                              in(m.rows(k)), inout(m.panel(j)), m.n, m.top(k), m.columns(k), m.columns(j));
    }
  });
  g.wait();
  return n_beside;
}

/// Solves A x = b with the factors: each panel swaps rows and takes its part off, then from the end on.
std::vector<double> solve(matrix& m, std::vector<double> x) {
  const auto at = [&](int i) -> double& { return x[static_cast<std::size_t>(i)]; };
  for (int k = 0; k < m.n_panels(); ++k) {
    const auto panel = std::as_const(m.panel(k)).host();
    const auto rows = std::as_const(m.rows(k)).host();
    for (int c = 0; c < m.columns(k); ++c) std::swap(at(m.top(k) + c), at(rows[static_cast<std::size_t>(c)]));
    for (int c = 0; c < m.columns(k); ++c)
      for (int r = m.top(k) + c + 1; r < m.n; ++r)
        at(r) -= panel[static_cast<std::size_t>(r * m.columns(k) + c)] * at(m.top(k) + c);
  }
  for (int k = m.n_panels() - 1; k >= 0; --k) {
    const auto panel = std::as_const(m.panel(k)).host();
    for (int c = m.columns(k) - 1; c >= 0; --c) {
      const auto u = [&](int r) { return panel[static_cast<std::size_t>(r * m.columns(k) + c)]; };
      at(m.top(k) + c) /= u(m.top(k) + c);
      for (int r = 0; r < m.top(k) + c; ++r) at(r) -= u(r) * at(m.top(k) + c);
    }
  }
  return x;
}

/// From -0.5 to 0.5, the same in each run.
std::vector<double> random_numbers(std::size_t n) {
  std::uint64_t state = 1;
  std::vector<double> all(n);
  for (double& each : all) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    each = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  }
  return all;
}

/// HPL's: of A x = b, in units of what rounding gives. Right below 16.
double residual(const std::vector<double>& a, const std::vector<double>& x, const std::vector<double>& b) {
  const std::size_t n = b.size();
  double worst = 0, norm_a = 0, norm_x = 0, norm_b = 0;
  for (std::size_t r = 0; r < n; ++r) {
    double sum = 0, row_sum = 0;
    for (std::size_t c = 0; c < n; ++c) sum += a[r * n + c] * x[c], row_sum += std::abs(a[r * n + c]);
    worst = std::max(worst, std::abs(sum - b[r]));
    norm_a = std::max(norm_a, row_sum);
    norm_x = std::max(norm_x, std::abs(x[r]));
    norm_b = std::max(norm_b, std::abs(b[r]));
  }
  const double eps = std::numeric_limits<double>::epsilon() / 2;
  return worst / (eps * (norm_a * norm_x + norm_b) * static_cast<double>(n));
}

bool run(int n, int panel) {
  yoke::runtime rt;
  const auto size = static_cast<std::size_t>(n);
  const std::vector<double> numbers = random_numbers(size * size + size);
  const std::vector<double> whole{numbers.begin(), numbers.end() - n}, b{numbers.end() - n, numbers.end()};
  matrix m{rt, n, panel};
  m.a.scatter(whole);
  const int n_beside = factorize(rt, m);
  const double found = residual(whole, solve(m, b), b);
  std::printf("yoke-lookahead-lu: %d x %d in %d panels on %s, %d of them beside updates: residual %.3f, %s\n",
              n, n, m.n_panels(), rt.units().shape().text().c_str(), n_beside, found,
              found < 16 ? "right" : "wrong");
  return found < 16;
}

}  // namespace

int main(int argc, char** argv) try {
  const int n = argc > 1 ? std::atoi(argv[1]) : 512, panel = argc > 2 ? std::atoi(argv[2]) : 32;
  if (n < 1 || panel < 1) throw yoke::usage_error{"N and NB are 1 or more"};
  return run(n, panel) ? 0 : 1;
} catch (const yoke::error& problem) {
  std::fprintf(stderr, "yoke-lookahead-lu: %s\n", problem.what());
  return 1;
}
