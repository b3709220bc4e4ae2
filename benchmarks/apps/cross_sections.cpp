#include "cross_sections.hpp"

#include <algorithm>
#include <cstddef>

namespace apps {

namespace {

/// Numbers one after the other.
class drawn {
 public:
  double fraction() { return fraction_of(mixed(at_++)); }

 private:
  std::uint64_t at_ = std::uint64_t{1} << 62;  // none that a look-up begins with
};

/// The first material is a fuel, of many nuclides; others have few.
std::int64_t nuclides_of(std::int64_t material) { return material == 0 ? n_nuclides / 2 : 3 + material % 5; }

}  // namespace

cross_sections make_cross_sections(std::int64_t n_points) {
  cross_sections made;
  made.n_points = n_points;
  drawn next;
  for (std::int64_t nuclide = 0; nuclide < n_nuclides; ++nuclide) {
    const auto first = made.energies.size();
    for (std::int64_t point = 0; point < n_points; ++point) made.energies.push_back(next.fraction());
    std::ranges::sort(made.energies.begin() + static_cast<std::ptrdiff_t>(first), made.energies.end());
  }
  for (std::int64_t i = 0; i < n_nuclides * n_points * n_channels; ++i)
    made.values.push_back(next.fraction());
  made.first = {0};
  for (std::int64_t material = 0; material < n_materials; ++material) {
    for (std::int64_t left = nuclides_of(material); left > 0; --left) {
      made.nuclides.push_back(static_cast<std::int32_t>(next.fraction() * n_nuclides));
      made.densities.push_back(next.fraction());
    }
    made.first.push_back(static_cast<std::int32_t>(made.nuclides.size()));
  }
  return made;
}

namespace plain {

std::int64_t look_up(int threads, std::int64_t n, const cross_sections& in) {
  const auto of = [](const auto& values) {
    return [first = values.data()](std::int64_t at) { return first[at]; };
  };
  const auto energies = of(in.energies), values = of(in.values), densities = of(in.densities);
  const auto first = of(in.first), nuclides = of(in.nuclides);
  std::int64_t sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i)
    sum += apps::look_up(i, in.n_points, energies, values, first, nuclides, densities);
  return sum;
}

}  // namespace plain

}  // namespace apps
