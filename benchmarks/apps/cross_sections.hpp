#pragma once
/// Tables of a transport code, made up, and a look-up in them, for both forms. As XSBench has it: an energy
/// and a material are drawn, and for each nuclide of the material its table is searched for the energy.

#include <cstdint>
#include <vector>

#include <yoke/compiler.hpp>

namespace apps {

inline constexpr std::int64_t n_nuclides = 64, n_materials = 12, n_channels = 5;

struct cross_sections {
  std::int64_t n_points = 0;        ///< of each nuclide
  std::vector<double> energies;     ///< n_nuclides x n_points, in (0, 1); those of a nuclide ascend
  std::vector<double> values;       ///< n_nuclides x n_points x n_channels
  std::vector<std::int32_t> first;  ///< of each material, among nuclides; and where the last one ends
  std::vector<std::int32_t> nuclides;
  std::vector<double> densities;  ///< of each of these
};
cross_sections make_cross_sections(std::int64_t n_points);

/// Any number's bits, well mixed (splitmix64).
YOKE_HD inline std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}
/// In [0, 1).
YOKE_HD inline double fraction_of(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// The number of the last energy of a nuclide that is not above this one, but for the last of all.
template <class Energies>
YOKE_INLINE YOKE_HD std::int64_t point_below(const Energies& energies, std::int64_t nuclide,
                                             std::int64_t n_points, double energy) {
  const std::int64_t first = nuclide * n_points;
  std::int64_t below = 0, above = n_points - 1;
  while (above - below > 1) {
    const std::int64_t middle = (below + above) / 2;
    (energies(first + middle) > energy ? above : below) = middle;
  }
  return first + below;
}

/// Compiled into loops, where views are as quick as pointers.
/// What look-up `number` adds to the checksum: which channel is the largest, counted from 1. Each argument
/// gives the element of that number.
template <class Energies, class Values, class Numbers, class Densities>
YOKE_INLINE YOKE_HD std::int64_t look_up(std::int64_t number, std::int64_t n_points, const Energies& energies,
                                         const Values& values, const Numbers& first, const Numbers& nuclides,
                                         const Densities& densities) {
  const std::uint64_t drawn = mixed(static_cast<std::uint64_t>(number));
  const double energy = fraction_of(drawn);
  const auto material = static_cast<std::int64_t>(mixed(drawn) % static_cast<std::uint64_t>(n_materials));
  double sums[n_channels]{};
  for (std::int64_t at = first(material); at < first(material + 1); ++at) {
    const std::int64_t low = point_below(energies, nuclides(at), n_points, energy);
    const double part = (energy - energies(low)) / (energies(low + 1) - energies(low));
    for (std::int64_t channel = 0; channel < n_channels; ++channel) {
      const double here = values(low * n_channels + channel), next = values((low + 1) * n_channels + channel);
      sums[channel] += densities(at) * (here + part * (next - here));
    }
  }
  std::int64_t largest = 0;
  for (std::int64_t channel = 1; channel < n_channels; ++channel)
    if (sums[channel] > sums[largest]) largest = channel;
  return largest + 1;
}

namespace plain {
/// The checksum of n look-ups.
std::int64_t look_up(int threads, std::int64_t n, const cross_sections& in);
}  // namespace plain

}  // namespace apps
