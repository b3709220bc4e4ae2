// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops with reductions: leaves of indices (see reduction.hpp), on a CPU and on a device.

#include <cstdint>
#include <string>
#include <string_view>

#include <yoke/block.hpp>
#include <yoke/detail/leaf_trees.hpp>
#include <yoke/detail/loop_kernels.hpp>

namespace yoke::detail {

/// The leaves of a box, row after row. A row of leaves is one of the last dimension.
struct leaf_grid {
  int dimensions = 1;
  std::int64_t begins[4]{};
  std::int64_t extents[4]{1, 1, 1, 1};
  std::int64_t first_run = 0;  ///< of a row, as a number of multiples of 1024
  std::int64_t runs = 0;       ///< leaves of a row

  YOKE_HD std::int64_t last_begin() const { return begins[dimensions - 1]; }
  YOKE_HD std::int64_t last_end() const { return begins[dimensions - 1] + extents[dimensions - 1]; }
  std::int64_t rows() const {
    std::int64_t n = 1;
    for (int d = 0; d + 1 < dimensions; ++d) n *= extents[d];
    return n;
  }
  std::int64_t leaves() const { return rows() * runs; }
};

/// The number of the leaf of a row that an index of the last dimension is in.
inline std::int64_t run_of(std::int64_t at) {
  return at >= 0 ? at / leaf_length : -1 - (-1 - at) / leaf_length;
}

inline leaf_grid leaves_of(const any_box& over) {
  leaf_grid grid{.dimensions = over.dimensions};
  for (int d = 0; d < over.dimensions; ++d) {
    grid.begins[d] = over[d].begin;
    grid.extents[d] = over[d].size();
  }
  grid.first_run = run_of(grid.last_begin());
  if (grid.last_end() > grid.last_begin()) grid.runs = run_of(grid.last_end() - 1) - grid.first_run + 1;
  return grid;
}

/// Indices of one leaf: [begin, end) of the last dimension; `at` has those of the others.
template <int D>
struct leaf {
  std::int64_t at[D];
  std::int64_t base;  ///< the multiple of 1024 below
  std::int64_t begin;
  std::int64_t end;
};

template <int D>
YOKE_HD leaf<D> leaf_at(const leaf_grid& grid, std::int64_t number) {
  leaf<D> found{};
  std::int64_t row = number / grid.runs;
  found.base = (grid.first_run + number % grid.runs) * leaf_length;
  found.begin = found.base > grid.last_begin() ? found.base : grid.last_begin();
  // What lies behind the leaf may be no index any more.
  found.end = grid.last_end() - found.base > leaf_length ? found.base + leaf_length : grid.last_end();
  for (int d = D - 2; d >= 0; --d) {
    found.at[d] = grid.begins[d] + row % grid.extents[d];
    row /= grid.extents[d];
  }
  return found;
}

template <int D>
YOKE_HD loop_index<D> index_in(const leaf<D>& of, std::int64_t last) {
  if constexpr (D == 1) {
    return {last};
  } else if constexpr (D == 2) {
    return {of.at[0], last};
  } else if constexpr (D == 3) {
    return {of.at[0], of.at[1], last};
  } else {
    return {of.at[0], of.at[1], of.at[2], last};
  }
}

/// Something for each reduction of a list, by number.
template <template <class> class Of, class... Reductions>
struct for_reductions {};
template <template <class> class Of, class First, class... Rest>
struct for_reductions<Of, First, Rest...> {
  Of<First> first;
  for_reductions<Of, Rest...> rest;
};

/// Contributions of the indices of a leaf, by their distance from its multiple of 1024.
template <class Reduction>
struct contributions {
  typename Reduction::value_type values[leaf_length];
};
/// Where results go, one for each leaf: an address of the host or of a device.
template <class Reduction>
struct results {
  device_ptr<typename Reduction::value_type> first;
};
/// One lane of a leaf.
template <class Reduction>
struct lane {
  typename Reduction::value_type value;
};

template <class... Reductions>
using all_contributions = for_reductions<contributions, Reductions...>;
template <class... Reductions>
using all_results = for_reductions<results, Reductions...>;
template <class... Reductions>
using all_lanes = for_reductions<lane, Reductions...>;

YOKE_INLINE YOKE_HD void keep(const partials<>&, for_reductions<contributions>&, std::int64_t) {}
template <class First, class... Rest>
YOKE_INLINE YOKE_HD void keep(const partials<First, Rest...>& from, all_contributions<First, Rest...>& to,
                              std::int64_t at) {
  to.first.values[at] = from.first.value();
  keep(from.rest, to.rest, at);
}

inline void fold(const for_reductions<contributions>&, const for_reductions<results>&, std::int64_t,
                 std::int64_t, std::int64_t) {}
template <class First, class... Rest>
void fold(const all_contributions<First, Rest...>& from, const all_results<First, Rest...>& to,
          std::int64_t leaf, std::int64_t begin, std::int64_t end) {
  to.first.first[leaf] = leaf_of<typename First::operation>(from.first.values, begin, end);
  fold(from.rest, to.rest, leaf, begin, end);
}

YOKE_HD inline void clear(for_reductions<lane>&) {}
template <class First, class... Rest>
YOKE_HD void clear(all_lanes<First, Rest...>& all) {
  all.first.value = none_of<typename First::operation, typename First::value_type>();
  clear(all.rest);
}

YOKE_HD inline void combine(for_reductions<lane>&, const partials<>&) {}
template <class First, class... Rest>
YOKE_HD void combine(all_lanes<First, Rest...>& into, const partials<First, Rest...>& with) {
  into.first.value = First::operation::combine(into.first.value, with.first.value());
  combine(into.rest, with.rest);
}
YOKE_HD inline void combine(for_reductions<lane>&, const for_reductions<lane>&) {}
template <class First, class... Rest>
YOKE_HD void combine(all_lanes<First, Rest...>& into, const all_lanes<First, Rest...>& with) {
  into.first.value = First::operation::combine(into.first.value, with.first.value);
  combine(into.rest, with.rest);
}

YOKE_HD inline void load(for_reductions<lane>&, const for_reductions<results>&, std::int64_t) {}
template <class First, class... Rest>
YOKE_HD void load(all_lanes<First, Rest...>& to, const all_results<First, Rest...>& from, std::int64_t leaf) {
  to.first.value = from.first.first[leaf];
  load(to.rest, from.rest, leaf);
}

YOKE_HD inline void store_lanes(const for_reductions<lane>&, const for_reductions<results>&, std::int64_t) {}
template <class First, class... Rest>
YOKE_HD void store_lanes(const all_lanes<First, Rest...>& from, const all_results<First, Rest...>& to,
                         std::int64_t leaf) {
  to.first.first[leaf] = from.first.value;
  store_lanes(from.rest, to.rest, leaf);
}

/// What a kernel of leaves is given.
template <int D, class Pack, class... Reductions>
struct leaf_arguments {
  leaf_grid grid;
  Pack args;
  all_results<Reductions...> to;
};

/// A leaf on a CPU: contributions first, in a loop like any other, then lanes.
template <class Kernel, int D, class Pack, class... Reductions>
YOKE_FLAT YOKE_INLINE void contribute(const leaf<D>& of, const Pack& args,
                                      all_contributions<Reductions...>& values) {
  const std::int64_t base = of.base;
  for (std::int64_t last = of.begin; last < of.end; ++last) {
    partials<Reductions...> mine;
    call_body<Kernel>(index_in<D>(of, last), args, mine);
    keep(mine, values, last - base);
  }
}

/// The same where device_ptr has nothing to check or to translate, and the compiler knows it.
template <class Kernel, int D, class Pack, class... Reductions>
YOKE_FLAT inline void contribute_at_host_addresses(const leaf<D>& of, const Pack& args,
                                                   all_contributions<Reductions...>& values) {
  assume_host_addresses();
  contribute<Kernel>(of, args, values);
}

/// Leaves [first_x, last_x) on the calling thread of the host; no part of its caller, as run_on_host.
template <class Kernel, int D, class Pack, class... Reductions>
[[gnu::noinline]] void run_leaves_on_host(const void* arguments, const item_range& leaves) {
  const auto& all = *static_cast<const leaf_arguments<D, Pack, Reductions...>*>(arguments);
  const bool plain = !window_of_this_thread().is_checked;
  const Pack args = all.args;
  all_contributions<Reductions...> values;
  for (std::int64_t number = leaves.first_x; number < leaves.last_x; ++number) {
    const leaf<D> mine = leaf_at<D>(all.grid, number);
    if (plain) {
      contribute_at_host_addresses<Kernel>(mine, args, values);
    } else {
      contribute<Kernel>(mine, args, values);
    }
    fold(values, all.to, number, mine.begin - mine.base, mine.end - mine.base);
  }
}

/// A leaf on a device: a thread is a lane.
template <class Kernel, int D>
struct leaf_kernel {
  static constexpr int block = 128;
  static constexpr std::int64_t leaves = block / n_lanes;

  template <class Pack, class... Reductions>
  YOKE_HD void operator()(const yoke::block& b, const leaf_arguments<D, Pack, Reductions...>& all,
                          std::int64_t n_leaves) const {
    using lanes = all_lanes<Reductions...>;
    lanes* const shared = b.shared<lanes>();
    b.for_each_thread([&](int t) {
      lanes mine;
      clear(mine);
      const std::int64_t number = b.x * leaves + t / n_lanes;
      if (number < n_leaves) run_lane(leaf_at<D>(all.grid, number), t % n_lanes, all, mine);
      shared[t] = mine;
    });
    for (int width = n_lanes / 2; width > 0; width /= 2) {
      b.for_each_thread([&](int t) {
        if (t % n_lanes < width) combine(shared[t], shared[t + width]);
      });
    }
    b.for_each_thread([&](int t) {
      const std::int64_t number = b.x * leaves + t / n_lanes;
      if (t % n_lanes == 0 && number < n_leaves) store_lanes(shared[t], all.to, number);
    });
  }

  template <class Pack, class... Reductions>
  YOKE_HD static void run_lane(const leaf<D>& of, int lane, const leaf_arguments<D, Pack, Reductions...>& all,
                               all_lanes<Reductions...>& mine) {
    // The first index of the leaf that is this lane's; its multiple of 1024 is one of 32.
    const std::int64_t skipped = (lane - (of.begin - of.base) % n_lanes + n_lanes) % n_lanes;
    const std::int64_t n = of.end - of.begin;  // by offsets: there may be no index behind the last one
    // Stencils take more registers then, so that fewer lanes are at work: 1.4 times slower in three
    // dimensions.
    [[maybe_unused]] constexpr int at_once = D == 1 ? 4 : 1;
    YOKE_UNROLL(at_once)
    for (std::int64_t offset = skipped; offset < n; offset += n_lanes) {
      partials<Reductions...> one;
      call_body<Kernel>(index_in<D>(of, of.begin + offset), all.args, one);
      combine(mine, one);
    }
  }
};

/// Trees of leaves_of_tree leaves each, on a device; the last one may have fewer.
struct tree_kernel {
  static constexpr int block = 128;

  template <class... Reductions>
  YOKE_HD void operator()(const yoke::block& b, const all_results<Reductions...>& leaves,
                          const all_results<Reductions...>& to, std::int64_t n_leaves) const {
    auto* const shared = b.shared<all_lanes<Reductions...>>();
    const std::int64_t first = b.x * leaves_of_tree, left = n_leaves - first;
    const int n = left < leaves_of_tree ? static_cast<int>(left) : leaves_of_tree;
    b.for_each(n, [&](int i) { load(shared[i], leaves, first + i); });
    for (int stride = 1; stride < leaves_of_tree; stride *= 2) {
      b.for_each(leaves_of_tree / (2 * stride), [&](int i) {
        const int at = 2 * stride * i;
        if (at + stride < n) combine(shared[at], shared[at + stride]);
      });
    }
    b.for_each(1, [&](int) { store_lanes(shared[0], to, b.x); });
  }
};

/// What a reduction has come to is combined with the element of an array.
struct end_kernel {
  template <class... Reductions>
  YOKE_HD void operator()(const item_3d&, const all_results<Reductions...>& from,
                          const all_results<Reductions...>& to) const {
    end(from, to);
  }
  YOKE_HD static void end(const for_reductions<results>&, const for_reductions<results>&) {}
  template <class First, class... Rest>
  YOKE_HD static void end(const all_results<First, Rest...>& from, const all_results<First, Rest...>& to) {
    to.first.first[0] = First::operation::combine(from.first.first[0], to.first.first[0]);
    end(from.rest, to.rest);
  }
};

}  // namespace yoke::detail
