// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Where a loop with reductions keeps what it finds, and how leaves are computed on a unit.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include <yoke/detail/checked_size.hpp>
#include <yoke/detail/leaf_kernels.hpp>
#include <yoke/detail/leaf_parts.hpp>
#include <yoke/detail/loop.hpp>

namespace yoke::detail {

/// Of one reduction.
template <class Reduction>
struct leaf_values {
  using T = typename Reduction::value_type;
  using operation = typename Reduction::operation;
  std::unique_ptr<T[]> leaves;
  std::unique_ptr<T[]> trees;   ///< of leaves_of_tree leaves each
  std::unique_ptr<T[]> shared;  ///< leaf_length for each shared leaf
};

/// f(what each list has) for the first reduction, the second, ….
template <class F, class... Lists>
void for_each_reduction(const F& f, Lists&&... lists) {
  if constexpr ((requires { lists.first; } && ...)) {
    f(lists.first...);
    for_each_reduction(f, lists.rest...);
  }
}

/// The same with what lies `by` further.
template <class... Reductions>
all_results<Reductions...> moved(all_results<Reductions...> from, std::int64_t by) {
  for_each_reduction([&](auto& each) { each.first = each.first + by; }, from);
  return from;
}

inline std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Contributions of single indices, of leaves that several units share: `to` has room for one each, row after
/// row.
template <class Kernel, int D>
struct contribution_kernel {
  template <class Pack, class... Reductions>
  YOKE_FLAT YOKE_HD void operator()(const item_3d& at,
                                    const leaf_arguments<D, Pack, Reductions...>& all) const {
    part_start<D> start;
    for (int d = 0; d < D; ++d) start.begins[d] = all.grid.begins[d];
    start.second = all.grid.extents[1];
    const std::int64_t rows_below = D == 1 ? 0 : at.z * all.grid.extents[D < 2 ? 0 : D - 2] + at.y;
    partials<Reductions...> one;
    call_body<Kernel>(index_of<D>(at, start), all.args, one);
    put(one, all.to, rows_below * all.grid.extents[D - 1] + at.x);
  }
  YOKE_HD static void put(const partials<>&, const for_reductions<results>&, std::int64_t) {}
  template <class First, class... Rest>
  YOKE_HD static void put(const partials<First, Rest...>& from, const all_results<First, Rest...>& to,
                          std::int64_t at) {
    to.first.first[at] = from.first.value();
    put(from.rest, to.rest, at);
  }
};

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// Room on the unit for so many values of each reduction.
template <class... Reductions>
all_results<Reductions...> scratch_places(const loop_part& part, std::int64_t slots) {
  const auto bytes = [&](std::size_t element) {
    return aligned(bytes_of_elements("results of a loop", static_cast<std::size_t>(slots), element));
  };
  auto* next = static_cast<std::byte*>(
      part.scratch((std::size_t{0} + ... + bytes(sizeof(typename Reductions::value_type)))));
  all_results<Reductions...> to;
  for_each_reduction(
      [&]<class Place>(Place& each) {
        using T = std::remove_reference_t<decltype(*each.first)>;
        each.first = device_ptr{reinterpret_cast<T*>(next)};
        next += bytes(sizeof(T));
      },
      to);
  return to;
}

/// A value for each leaf of a box, one after the other.
template <class Kernel, int D, bool OnGpu, class Pack, class... Reductions>
void run_leaves(const loop_part& part, const Pack& args, const any_box& over,
                const all_results<Reductions...>& to) {
  using arguments = leaf_arguments<D, Pack, Reductions...>;
  const leaf_grid grid = leaves_of(over);
  if constexpr (OnGpu) {
    using kernel = leaf_kernel<Kernel, D>;
    block_arguments<pack<arguments, std::int64_t>> storage{
        sizeof(all_lanes<Reductions...>) * kernel::block,
        make_pack(arguments{grid, args, to}, grid.leaves())};
    part.run(
        make_block_call<kernel>(name_of<Kernel>(), {.x = (grid.leaves() - 1) / kernel::leaves + 1}, storage));
  } else {
    const arguments all{grid, args, to};
    kernel_call call{.name = name_of<Kernel>(), .items = {.x = grid.leaves()}};
    call.host_entry = &run_leaves_on_host<Kernel, D, Pack, Reductions...>;
    call.arguments = &all;
    call.argument_bytes = sizeof all;
    part.run(call);
  }
}

/// A value for each index of a box, row after row.
template <class Kernel, int D, bool OnGpu, class Pack, class... Reductions>
void run_contributions(const loop_part& part, const Pack& args, const any_box& over,
                       const all_results<Reductions...>& to) {
  auto storage = make_pack(leaf_arguments<D, Pack, Reductions...>{leaves_of(over), args, to});
  part.run(make_call<contribution_kernel<Kernel, D>, OnGpu>(name_of<Kernel>(), items_of(over), storage));
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke::detail
