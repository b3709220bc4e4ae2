#pragma once
/// Random halos and edges, and arrays of any number of dimensions from lists.

#include "random_cuts.hpp"
#include "random_loops.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace arrays_test {

inline edge_policy any_edge(dice& d) { return static_cast<edge_policy>(d.upto(2)); }

inline int any_width(dice& d, std::int64_t most, edge_policy at, std::int64_t extent) {
  if (at == edge_policy::periodic) most = std::min(most, extent);
  if (at == edge_policy::reflecting) most = std::min(most, extent - 1);
  return static_cast<int>(d.upto(std::max<std::int64_t>(most, 0)));
}

inline side any_side(dice& d, std::int64_t extent, std::int64_t widest) {
  side made{.extent = extent, .at_low = any_edge(d), .at_high = any_edge(d)};
  if (d.one_in(2)) made.at_low = made.at_high = edge_policy::none;
  made.low = any_width(d, widest, made.at_low, extent);
  made.high = any_width(d, widest, made.at_high, extent);
  if (extent == 0) made.at_low = made.at_high = edge_policy::none;
  return made;
}

inline yoke::distribution distribution_of(const side& of, const yoke::distribution& how) {
  return how.halo(of.low, of.high).edge(of.at_low, of.at_high);
}

template <int D>
using extents_of = const yoke::detail::extent_of_dimension (&)[D];

/// make(extents of D dimensions)
template <int D, class Make>
void with_extents(const std::array<std::int64_t, 4>& n, const Make& make) {
  if constexpr (D == 1) {
    make({n[0]});
  } else if constexpr (D == 2) {
    make({n[0], n[1]});
  } else if constexpr (D == 3) {
    make({n[0], n[1], n[2]});
  } else {
    make({n[0], n[1], n[2], n[3]});
  }
}

template <class T>
struct no_memory {};

/// `on`: null for all units; `memory`: attached, or no_memory.
template <class T, int D, class Memory>
yoke::array<T, D> cut_array(yoke::runtime& rt, extents_of<D> n, const std::vector<yoke::distribution>& dims,
                            const yoke::dist::grid* on, const Memory& memory) {
  using list = std::initializer_list<yoke::distribution>;
  const auto with = [&](list given) -> yoke::array<T, D> {
    if constexpr (std::is_same_v<Memory, no_memory<T>>) {
      if (on != nullptr) return {rt, n, given, *on};
      return {rt, n, given};
    } else {
      if (on != nullptr) return {rt, n, given, *on, memory};
      return {rt, n, given, memory};
    }
  };
  if constexpr (D == 1) return with({dims[0]});
  if constexpr (D == 2) return with({dims[0], dims[1]});
  if constexpr (D == 3) return with({dims[0], dims[1], dims[2]});
  if constexpr (D == 4) return with({dims[0], dims[1], dims[2], dims[3]});
}

}  // namespace arrays_test
