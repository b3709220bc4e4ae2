#pragma once
/// Indices near the ends of int64, and what loops over them find.

#include <cstdint>
#include <limits>

#include <yoke/arrays.hpp>

namespace arrays_test {

inline constexpr std::int64_t smallest_index = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t largest_index = std::numeric_limits<std::int64_t>::max();

/// Another number for each index, so that one that is run twice or not at all changes the sum.
YOKE_HD constexpr std::uint64_t mixed(std::uint64_t at) {
  at = (at ^ (at >> 31)) * 0x9e3779b97f4a7c15;
  return at ^ (at >> 29);
}
template <int D>
YOKE_HD constexpr std::uint64_t mixed(const yoke::loop_index<D>& at) {
  std::uint64_t all = 0;
  for (int d = 0; d < D; ++d) all = mixed(all + static_cast<std::uint64_t>(at[d]));
  return all;
}

struct sum_of_indices {
  template <int D>
  YOKE_HD void operator()(const yoke::loop_index<D>& at, yoke::partial<std::uint64_t>& sum,
                          yoke::partial<std::int64_t>& n) const {
    sum += mixed(at);
    n += 1;
  }
};

/// What a loop has found, and what there was to be found.
struct found {
  std::uint64_t sum = 0;
  std::int64_t n = 0;
  friend bool operator==(const found&, const found&) = default;
};

/// By numbers that have no end.
inline found expected(const yoke::box<1>& over) {
  found all;
  for (__int128 i = over[0].begin; i < over[0].end; ++i, ++all.n)
    all.sum += mixed(yoke::loop_index<1>{static_cast<std::int64_t>(i)});
  return all;
}
inline found expected(const yoke::box<2>& over) {
  found all;
  for (__int128 i = over[0].begin; i < over[0].end; ++i)
    for (__int128 j = over[1].begin; j < over[1].end; ++j, ++all.n)
      all.sum += mixed(yoke::loop_index<2>{static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)});
  return all;
}

template <int D, class... Sharing>
found run(yoke::runtime& rt, const yoke::box<D>& over, const Sharing&... shared) {
  found all;
  yoke::for_each<sum_of_indices>(rt, over, shared..., yoke::loops::sum(all.sum), yoke::loops::sum(all.n));
  return all;
}

}  // namespace arrays_test
