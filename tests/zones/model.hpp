#pragma once
/// Zones and a field of them in plain memory, one after the other.

#include "kernels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace zone_tests {

/// Dimensions as the program counts them.
struct model_join {
  int low_of, high_of;
  int dimension;
};
struct model_grid {
  int dimensions = 1;
  std::vector<std::array<std::int64_t, 3>> extents;  ///< of each zone; unused ones are 1
  std::vector<model_join> joins;
};

class model_field {
 public:
  model_field(const model_grid& of, const std::array<std::int64_t, 3>& halo, bool has_corners)
      : grid_{of}, halo_{halo}, has_corners_{has_corners} {
    for (const auto& n : of.extents) {
      std::size_t size = 1;
      for (int d = 0; d < 3; ++d) size *= static_cast<std::size_t>(n[at(d)] + 2 * halo_[at(d)]);
      zones_.emplace_back(size);
    }
  }

  number& operator()(int zone, const std::array<std::int64_t, 3>& where) {
    const auto& n = grid_.extents[static_cast<std::size_t>(zone)];
    std::int64_t number_of = 0;
    for (int d = 0; d < 3; ++d)
      number_of = number_of * (n[at(d)] + 2 * halo_[at(d)]) + where[at(d)] + halo_[at(d)];
    return zones_[static_cast<std::size_t>(zone)][static_cast<std::size_t>(number_of)];
  }
  template <class Do>
  void for_each_point(int zone, const Do& each) {
    const auto& n = grid_.extents[static_cast<std::size_t>(zone)];
    for (std::int64_t i = 0; i < n[0]; ++i)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t k = 0; k < n[2]; ++k) each(std::array{i, j, k});
  }
  /// What both have.
  void swap(model_field& other) { zones_.swap(other.zones_); }
  int zones() const { return static_cast<int>(zones_.size()); }

  /// With corners a dimension after the other, each with the halos of those before it.
  void fill_halos() {
    for (int d = 0; d < 3; ++d)
      for (const model_join& each : grid_.joins)
        if (each.dimension == d) fill_halos_of(each);
  }

  void smooth_into(model_field& v, const reach& far) {
    fill_halos();
    for (int zone = 0; zone < zones(); ++zone)
      for_each_point(zone, [&](const std::array<std::int64_t, 3>& where) {
        number sum = (*this)(zone, where);
        for (int d = 0; d < 3; ++d)
          for (std::int64_t by = 1; by <= far.of[d]; ++by) {
            auto up = where, down = where;
            up[at(d)] += by;
            down[at(d)] -= by;
            sum += (*this)(zone, up) + 2 * (*this)(zone, down);
          }
        if (far.has_corners) sum += 7 * diagonal(zone, where, far, 1) + 11 * diagonal(zone, where, far, -1);
        v(zone, where) = 3 * v(zone, where) + sum;
      });
  }
  void change(number factor) {
    for (int zone = 0; zone < zones(); ++zone)
      for_each_point(zone, [&](const std::array<std::int64_t, 3>& where) {
        number& x = (*this)(zone, where);
        x = 5 * x + factor * static_cast<number>(zone + 1) +
            static_cast<number>(where[at(grid_.dimensions - 1)]);
      });
  }

  double largest() {
    double most = 0;
    for (int zone = 0; zone < zones(); ++zone)
      for_each_point(zone, [&](const std::array<std::int64_t, 3>& where) {
        most = std::max(most, static_cast<double>((*this)(zone, where)));
      });
    return most;
  }
  /// In the order that a sum over zones has: chunks of 1024 points, in each 256 threads, then halves of them.
  double sum_of_inverses() {
    double sum = 0;
    for (int zone = 0; zone < zones(); ++zone) {
      std::vector<double> all;
      for_each_point(zone, [&](const std::array<std::int64_t, 3>& where) {
        all.push_back(1 / (1 + static_cast<double>((*this)(zone, where))));
      });
      for (std::size_t first = 0; first < all.size(); first += 1024) sum += chunk(all, first);
    }
    return sum;
  }

 private:
  static double chunk(const std::vector<double>& all, std::size_t first) {
    std::array<double, 256> threads{};
    for (std::size_t i = first; i < std::min(all.size(), first + 1024); ++i)
      threads[(i - first) % 256] += all[i];
    for (std::size_t width = 128; width > 0; width /= 2)
      for (std::size_t t = 0; t < width; ++t) threads[t] += threads[t + width];
    return threads[0];
  }
  static std::size_t at(int d) { return static_cast<std::size_t>(d); }
  number diagonal(int zone, std::array<std::int64_t, 3> where, const reach& far, std::int64_t way) {
    where[0] += way * far.of[0];
    where[1] += way * far.of[1];
    where[2] -= way * far.of[2];
    return (*this)(zone, where);
  }
  void fill_halos_of(const model_join& of) {
    const std::size_t d = at(of.dimension);
    const std::int64_t n = grid_.extents[static_cast<std::size_t>(of.high_of)][d];
    for_face(of.low_of, d, [&](std::array<std::int64_t, 3> where) {
      const std::int64_t layer = where[d];
      auto of_low = where, of_high = where;
      of_low[d] = layer - halo_[d];
      of_high[d] = n - halo_[d] + layer;
      (*this)(of.low_of, of_low) = (*this)(of.high_of, of_high);
      of_low[d] = layer;
      of_high[d] = n + layer;
      (*this)(of.high_of, of_high) = (*this)(of.low_of, of_low);
    });
  }
  /// Points of a face; along `d` the layers from 0.
  template <class Do>
  void for_face(int zone, std::size_t d, const Do& each) {
    const auto& n = grid_.extents[static_cast<std::size_t>(zone)];
    std::array<std::int64_t, 3> first{0, 0, 0}, end = n;
    end[d] = halo_[d];
    for (std::size_t before = 0; has_corners_ && before < d; ++before) {
      first[before] = -halo_[before];
      end[before] += halo_[before];
    }
    for (std::int64_t i = first[0]; i < end[0]; ++i)
      for (std::int64_t j = first[1]; j < end[1]; ++j)
        for (std::int64_t k = first[2]; k < end[2]; ++k) each(std::array{i, j, k});
  }

  const model_grid& grid_;
  std::array<std::int64_t, 3> halo_;
  bool has_corners_;
  std::vector<std::vector<number>> zones_;
};

}  // namespace zone_tests
