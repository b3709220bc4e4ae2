#pragma once
/// Random distributions on random grids of units.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include <yoke/arrays.hpp>

namespace arrays_test {

class dice {
 public:
  explicit dice(std::uint64_t seed) : random_{seed} {}
  std::int64_t upto(std::int64_t n) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n + 1));
  }
  std::int64_t between(std::int64_t a, std::int64_t b) { return a + upto(b - a); }
  bool one_in(int n) { return upto(n - 1) == 0; }
  double value() { return static_cast<double>(upto(2000) - 1000) / 7; }
  template <class T>
  void shuffle(std::vector<T>& what) {
    std::ranges::shuffle(what, random_);
  }

 private:
  std::mt19937_64 random_;
};

/// One distribution for each dimension, and a grid or all units.
struct cuts {
  std::vector<yoke::distribution> dims;
  std::optional<yoke::dist::grid> on{};

  const yoke::dist::grid* grid() const { return on ? &*on : nullptr; }
};

class random_cuts {
 public:
  random_cuts(const yoke::runtime& rt, dice& d, std::span<const std::int64_t> extents)
      : n_units_{rt.units().size()}, dice_{d}, extents_{extents} {}

  cuts any() { return dice_.one_in(2) ? rows() : dice_.one_in(4) ? one_dimension() : on_grid(); }

  /// Dimension 0 alone, in any way that there is without a grid.
  cuts rows() {
    cuts made = none();
    made.dims[0] = dice_.one_in(12)  ? yoke::dist::duplicate
                   : dice_.one_in(3) ? yoke::dist::balanced
                                     : any_distribution(0, n_units_);
    return made;
  }

 private:
  cuts none() const { return {.dims = std::vector(extents_.size(), yoke::dist::duplicate)}; }

  cuts one_dimension() {
    cuts made = none();
    const auto d = static_cast<std::size_t>(dice_.upto(std::ssize(extents_) - 1));
    made.dims[d] = dice_.one_in(4) ? yoke::dist::balanced : any_distribution(d, n_units_);
    return made;
  }

  /// Some dimensions follow sides of the grid in any order; other sides replicate.
  cuts on_grid() {
    cuts made = none();
    const std::vector<int> units = any_units(), sides = any_sides(static_cast<int>(units.size()));
    std::vector<int> free_sides(sides.size());
    std::iota(free_sides.begin(), free_sides.end(), 0);
    dice_.shuffle(free_sides);
    for (std::size_t d = 0; d < made.dims.size() && !free_sides.empty(); ++d) {
      if (dice_.one_in(4)) continue;
      const int side = free_sides.back();
      free_sides.pop_back();
      made.dims[d] = any_distribution(d, sides[static_cast<std::size_t>(side)]).along(side);
    }
    made.on = yoke::dist::grid{sides}.over(yoke::unit_choice{units});
    return made;
  }

  std::vector<int> any_units() {
    std::vector<int> units(static_cast<std::size_t>(n_units_));
    std::iota(units.begin(), units.end(), 0);
    if (dice_.one_in(2)) dice_.shuffle(units);
    if (dice_.one_in(4)) units.resize(static_cast<std::size_t>(dice_.between(1, n_units_)));
    return units;
  }

  std::vector<int> any_sides(int n) {
    std::vector<int> sides(static_cast<std::size_t>(dice_.between(1, 3)), 1);
    for (int factor = 2; factor <= n; ++factor)
      for (; n % factor == 0; n /= factor)
        sides[static_cast<std::size_t>(dice_.upto(std::ssize(sides) - 1))] *= factor;
    return sides;
  }

  yoke::distribution any_distribution(std::size_t d, int places) {
    switch (dice_.upto(6)) {
      case 0:
        return yoke::dist::weighted(any_weights(places));
      case 1:
        return yoke::dist::cyclic;
      case 2:
        return yoke::dist::cyclic(dice_.between(1, 9));
      case 3:
        return yoke::dist::block(std::max<std::int64_t>(extents_[d] / places + 1, 1) + dice_.upto(3));
      default:
        return yoke::dist::block;
    }
  }

  std::vector<double> any_weights(int places) {
    std::vector<double> weights;
    for (int place = 0; place < places; ++place) weights.push_back(static_cast<double>(dice_.upto(3)));
    weights[static_cast<std::size_t>(dice_.upto(places - 1))] = 1;
    return weights;
  }

  int n_units_;
  dice& dice_;
  std::span<const std::int64_t> extents_;
};

/// The widest halo of each dimension that all parts have elements for; 4 at most. `x`: cut so.
template <class T, int D>
std::vector<std::int64_t> widest_halos(const yoke::runtime& rt, const yoke::array<T, D>& x, const cuts& how) {
  std::vector<std::int64_t> widest(D, 4);
  for (std::size_t d = 0; d < D; ++d) {
    if (!how.dims[d].is_distributed()) continue;
    if (how.dims[d].of() == yoke::distribution::kind::cyclic) widest[d] = 0;
    for (int unit = 0; unit < rt.units().size(); ++unit)
      for (const yoke::box<D>& each : x.boxes_of(unit))
        widest[d] = std::min(widest[d], each[static_cast<int>(d)].size());
  }
  return widest;
}

}  // namespace arrays_test
