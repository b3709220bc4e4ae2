// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A loop with reductions: what units compute, and where on the host it goes. In which order values are
/// combined depends on the indices alone: leaves of 1024 (reduction.hpp), trees of 256 leaves, and a tree of
/// these. A sum over [100, 4000), cut at 1500:
///
///   index    100      1024      1500      2048      3072      4000
///             |         |         :         |         |         |
///   leaf      |    0    |         1         |    2    |    3    |
///   unit      |     a CPU CU      :            a GPU            |
///   brings      a value  476 contri- 548      a value   a value
///                           butions
///   kept in     leaves        shared          leaves    leaves
///
/// finish() makes leaf 1 of its 1024 contributions, as one unit would have made it, and the tree of leaves
/// 0 to 3: (0 + 1) + (2 + 3). A GPU that has all leaves of a tree combines them itself, and brings one value
/// to `trees`. Here none has: tree 0 begins with leaf 0.
///
/// With several dimensions each row has leaves of its own, numbered row after row. Where a part has whole
/// rows its leaves come one after the other, as above; else scattered_leaves brings them.

#include <cstddef>
#include <span>
#include <tuple>

#include <yoke/detail/bodies.hpp>
#include <yoke/detail/kept_leaves.hpp>
#include <yoke/detail/leaf_calls.hpp>
#include <yoke/detail/loop_arguments.hpp>
#include <yoke/detail/scattered_leaves.hpp>

namespace yoke::detail {

/// No leaves where there is no index.
inline leaf_grid leaves_of_all(const any_box& over) {
  return over.empty() ? leaf_grid{.dimensions = over.dimensions} : leaves_of(over);
}

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// Which arrays take results.
struct result_arrays {
  std::size_t first = 0;   ///< use of the loop
  bool on_device = false;  ///< which has all, and brings nothing to the host
};

template <int D, class... Reductions>
class reduction_loop {
 public:
  using result_places = all_results<Reductions...>;

  reduction_loop(const any_box& over, const loop& all, const result_arrays& arrays)
      : over_{over},
        arrays_{arrays},
        kept_{leaves_of_all(over), shared_leaves(all.cuts(D - 1), over[D - 1])} {}

  template <class Kernel, class Pack>
  void run(const loop_part& part, const Pack& args) {
    if constexpr (D == 1) {
      const cut_part cut = cut_into_leaves(part.over()[0], over_[0]);
      any_box whole = part.over();
      whole[0] = cut.whole;
      run<Kernel>(part, args, whole, {cut.pieces, static_cast<std::size_t>(cut.n_pieces)});
    } else if (has_whole_rows(part.box())) {
      run<Kernel>(part, args, part.box(), {});
    } else {
      scattered_.template run<Kernel>(part, args, numbering(), kept_.values());
    }
  }

  /// Into the variables and arrays of the program, which count once. `args`: those of the loop.
  template <class... Args>
  void finish(loop& all, const Args&... args) {
    const auto to = std::tuple_cat(only_reduction(args)...);
    scattered_.finish(numbering(), kept_.values());
    std::apply([&](const auto&... each) { kept_.finish(all, arrays_.first, each...); }, to);
  }

 private:
  using pieces_of_part = std::span<const shared_piece>;

  // Which of what is kept.
  static constexpr auto leaves = [](auto& of) { return of.leaves.get(); };
  static constexpr auto trees = [](auto& of) { return of.trees.get(); };
  static constexpr auto shared = [](auto& of) { return of.shared.get(); };

  leaves_of_loop<D> numbering() const { return {over_, kept_.grid(), kept_.shared()}; }

  template <class Arg>
  static auto only_reduction(const Arg& arg) {
    if constexpr (is_reduction<Arg>) {
      return std::tuple{arg};
    } else {
      return std::tuple{};
    }
  }

  template <class Kernel, class Pack>
  void run(const loop_part& part, const Pack& args, const any_box& whole, pieces_of_part pieces) {
    using body = bodies<Kernel>;
    if (part.is_on_gpu()) {
      if constexpr (has_gpu_body<Kernel>) run_on_gpu<typename body::on_gpu>(part, args, whole, pieces);
    } else if constexpr (has_cpu_body<Kernel>) {
      using on_cpu = typename body::on_cpu;
      if (!whole.empty())
        run_leaves<on_cpu, D, false>(part, args, whole, place_in(leaves, first_leaf(whole)));
      for (const shared_piece& piece : pieces)
        run_contributions<on_cpu, D, false>(part, args, box_of(piece),
                                            place_in(shared, kept_.slot_of(piece)));
    }
  }

  /// The number of the first leaf of a part.
  std::int64_t first_leaf(const any_box& whole) const {
    if constexpr (D == 1) {
      return leaves_of(whole).first_run - kept_.grid().first_run;
    } else {
      std::int64_t rows = whole[0].begin - over_[0].begin;
      for (int d = 1; d + 1 < D; ++d) rows *= over_[d].size();
      return rows * kept_.grid().runs;
    }
  }

  /// Whether the leaves of a part come one after the other.
  bool has_whole_rows(const any_box& part) const {
    for (int d = 1; d < D; ++d)
      if (part[d] != over_[d]) return false;
    return true;
  }

  static any_box box_of(const shared_piece& piece) {
    return {.dimensions = 1, .sides = {bound{piece.begin, piece.end}, bound{1}, bound{1}, bound{1}}};
  }

  /// On the device: leaves, then contributions of pieces, then trees. What comes in pieces has rows alone.
  template <class Kernel, class Pack>
  void run_on_gpu(const loop_part& part, const Pack& args, const any_box& whole, pieces_of_part pieces) {
    const std::int64_t n_leaves = whole.empty() ? 0 : leaves_of(whole).leaves();
    const std::int64_t first_tree = n_leaves + std::ssize(pieces) * leaf_length;
    const std::int64_t n_trees = 2 * (n_leaves / leaves_of_tree) + leaf_levels;
    const result_places to = scratch_places<Reductions...>(part, first_tree + n_trees);
    const any_box& now = D == 1 ? whole : part.over();
    if (!now.empty())
      run_leaves<Kernel, D, true>(part, args, now, moved(to, first_leaf(now) - first_leaf(whole)));
    if (!part.is_last()) return;
    if (arrays_.on_device) return finish_there(part, to, n_leaves, moved(to, first_tree));
    if (n_leaves > 0 && part.is_counted())
      bring_leaves(part, to, first_leaf(whole), n_leaves, moved(to, first_tree));
    std::int64_t at = n_leaves;
    for (const shared_piece& piece : pieces) {
      run_contributions<Kernel, D, true>(part, args, box_of(piece), moved(to, at));
      if (part.is_counted())
        bring(part, moved(to, at), shared, kept_.slot_of(piece), piece.end - piece.begin);
      at += leaf_length;
    }
  }

  /// All leaves become the elements of arrays, level by level.
  void finish_there(const loop_part& part, result_places from, std::int64_t n, result_places room) {
    while (n > 1) {
      run_trees(part, from, room, n);
      from = room;
      n = (n - 1) / leaves_of_tree + 1;
      room = moved(room, n);
    }
    result_places elements;
    std::size_t use = arrays_.first;
    for_each_reduction(
        [&]<class Place>(Place& each) {
          using T = std::remove_reference_t<decltype(*each.first)>;
          each.first = device_ptr{static_cast<T*>(part.view(use++).first)};
        },
        elements);
    auto storage = make_pack(from, elements);
    part.run(make_call<end_kernel, true>("end of a reduction", {.x = 1}, storage));
  }

  static void run_trees(const loop_part& part, const result_places& from, const result_places& to,
                        std::int64_t n) {
    block_arguments<pack<result_places, result_places, std::int64_t>> storage{
        sizeof(all_lanes<Reductions...>) * leaves_of_tree, make_pack(from, to, n)};
    part.run(
        make_block_call<tree_kernel>("trees of a reduction", {.x = (n - 1) / leaves_of_tree + 1}, storage));
  }

  /// Leaves of whole trees as one value for each tree, the others as they are.
  void bring_leaves(const loop_part& part, const result_places& from, std::int64_t first, std::int64_t n,
                    const result_places& of_trees) {
    const bound whole = whole_trees({first, first + n}, kept_.grid().leaves());
    bring(part, from, leaves, first, whole.begin - first);
    bring(part, moved(from, whole.end - first), leaves, whole.end, first + n - whole.end);
    if (whole.size() == 0) return;
    const std::int64_t first_tree = whole.begin / leaves_of_tree,
                       n_trees = (whole.size() - 1) / leaves_of_tree + 1;
    run_trees(part, moved(from, whole.begin - first), of_trees, whole.size());
    bring(part, of_trees, trees, first_tree, n_trees);
    kept_.has_trees(first_tree, n_trees);
  }

  /// `n` values of each reduction to `those` that are kept, from number `first` on.
  template <class Those>
  void bring(const loop_part& part, const result_places& from, const Those& those, std::int64_t first,
             std::int64_t n) {
    for_each_reduction(
        [&](auto& values, const auto& place) {
          auto* const at = those(values) + first;
          part.copy_to_host(at, place.first.address(), static_cast<std::size_t>(n) * sizeof *at);
        },
        kept_.values(), from);
  }

  /// Where a CPU CU puts its values: among `those` that are kept, from number `first` on.
  template <class Those>
  result_places place_in(const Those& those, std::int64_t first) {
    result_places to;
    for_each_reduction([&](auto& each, auto& values) { each.first = device_ptr{those(values) + first}; }, to,
                       kept_.values());
    return to;
  }

  /// More trees of trees than any number of leaves makes.
  static constexpr std::int64_t leaf_levels = 16;

  any_box over_;
  result_arrays arrays_;
  kept_leaves<D, Reductions...> kept_;
  scattered_leaves<D, Reductions...> scattered_;  ///< of parts whose leaves are here and there
};

/// Of a loop without any.
struct no_reductions {
  void finish(loop&, const auto&...) const {}
};

template <int D, class... Reductions>
auto make_reductions(type_list<Reductions...>, const any_box& over, const loop& all,
                     const result_arrays& arrays) {
  if constexpr (sizeof...(Reductions) == 0) {
    return no_reductions{};
  } else {
    return reduction_loop<D, Reductions...>{over, all, arrays};
  }
}
template <int D, class List>
using reductions_for = decltype(make_reductions<D>(List{}, std::declval<const any_box&>(),
                                                   std::declval<const loop&>(), result_arrays{}));

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke::detail
