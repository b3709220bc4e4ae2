#pragma once
/// What a loop with reductions keeps on the host until it has finished: a value for each leaf or tree of
/// leaves, and single contributions of the leaves that units share.

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include <yoke/detail/bodies.hpp>
#include <yoke/detail/leaf_calls.hpp>
#include <yoke/detail/loop_arguments.hpp>
#include <yoke/detail/scattered_leaves.hpp>

namespace yoke::detail {

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <int D, class... Reductions>
class reduction_loop {
 public:
  using result_places = all_results<Reductions...>;

  reduction_loop(const any_box& over, const loop& all) : over_{over}, grid_{leaves_of(over)} {
    if (over.empty()) grid_.runs = 0;
    shared_ = shared_leaves(all.cuts(D - 1), over[D - 1]);
    has_tree_.resize(static_cast<std::size_t>((grid_.leaves() + leaves_of_tree - 1) / leaves_of_tree));
    for_each_reduction([&](auto& each) { make(each); }, values_);
  }

  template <class Kernel, class Pack>
  void run(const loop_part& part, const Pack& args) {
    if constexpr (D == 1) {
      const cut_part cut = cut_into_leaves(part.over()[0], over_[0]);
      any_box whole = part.over();
      whole[0] = cut.whole;
      run<Kernel>(part, args, whole, {cut.pieces, static_cast<std::size_t>(cut.n_pieces)});
    } else if (has_whole_rows(part.over())) {
      run<Kernel>(part, args, part.over(), {});
    } else {
      scattered_.template run<Kernel>(part, args, leaves_of_loop<D>{over_, grid_, shared_}, values_);
    }
  }

  /// Into the variables of the program, which count once. `args`: those of the loop.
  template <class... Args>
  void finish(const Args&... args) {
    const auto to = std::tuple_cat(only_reduction(args)...);
    scattered_.finish(leaves_of_loop<D>{over_, grid_, shared_}, values_);
    std::apply([&](const auto&... each) { finish_all(values_, each...); }, to);
  }

 private:
  using pieces_of_part = std::span<const shared_piece>;
  enum class kept { leaves, trees, shared };

  template <class Values>
  static auto* array_of(Values& of, kept which) {
    return which == kept::leaves ? of.leaves.get() : which == kept::trees ? of.trees.get() : of.shared.get();
  }

  template <class Arg>
  static auto only_reduction(const Arg& arg) {
    if constexpr (is_reduction<Arg>) {
      return std::tuple{arg};
    } else {
      return std::tuple{};
    }
  }

  template <class Values>
  void make(Values& of) {
    using T = typename Values::T;
    of.leaves = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(grid_.leaves()));
    of.trees = std::make_unique_for_overwrite<T[]>(has_tree_.size());
    of.shared = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(grid_.rows()) * shared_.size() *
                                                    leaf_length);
  }

  template <class Kernel, class Pack>
  void run(const loop_part& part, const Pack& args, const any_box& whole, pieces_of_part pieces) {
    using body = bodies<Kernel>;
    if (part.is_on_gpu()) {
      if constexpr (has_gpu_body<Kernel>) run_on_gpu<typename body::on_gpu>(part, args, whole, pieces);
    } else if constexpr (has_cpu_body<Kernel>) {
      using on_cpu = typename body::on_cpu;
      if (!whole.empty()) run_on_cpus<on_cpu>(part, args, whole);
      for (const shared_piece& piece : pieces)
        run_contributions<on_cpu, D, false>(part, args, box_of(piece), place_of(piece));
    }
  }

  /// The number of the first leaf of a part.
  std::int64_t first_leaf(const any_box& whole) const {
    if constexpr (D == 1) {
      return leaves_of(whole).first_run - grid_.first_run;
    } else {
      std::int64_t rows = whole[0].begin - over_[0].begin;
      for (int d = 1; d + 1 < D; ++d) rows *= over_[d].size();
      return rows * grid_.runs;
    }
  }

  /// Whether the leaves of a part come one after the other.
  bool has_whole_rows(const any_box& part) const {
    for (int d = 1; d < D; ++d)
      if (part[d] != over_[d]) return false;
    return true;
  }

  template <class Kernel, class Pack>
  void run_on_cpus(const loop_part& part, const Pack& args, const any_box& whole) {
    const std::int64_t first = first_leaf(whole);
    result_places to;
    for_each_reduction([&](auto& each, auto& from) { each.first = device_ptr{from.leaves.get() + first}; },
                       to, values_);
    run_leaves<Kernel, D, false>(part, args, whole, to);
  }

  static any_box box_of(const shared_piece& piece) {
    return {.dimensions = 1, .sides = {bound{piece.begin, piece.end}, bound{1}, bound{1}, bound{1}}};
  }

  /// On the device: leaves, then contributions of pieces, then trees.
  template <class Kernel, class Pack>
  void run_on_gpu(const loop_part& part, const Pack& args, const any_box& whole, pieces_of_part pieces) {
    const std::int64_t n_leaves = whole.empty() ? 0 : leaves_of(whole).leaves();
    const std::int64_t trees = n_leaves + std::ssize(pieces) * leaf_length;
    const result_places to = scratch_places<Reductions...>(part, trees + n_leaves / leaves_of_tree + 1);
    if (n_leaves > 0) run_leaves<Kernel, D, true>(part, args, whole, to);
    if (n_leaves > 0 && part.is_counted())
      bring_leaves(part, to, first_leaf(whole), n_leaves, moved(to, trees));
    std::int64_t at = n_leaves;
    for (const shared_piece& piece : pieces) {
      run_contributions<Kernel, D, true>(part, args, box_of(piece), moved(to, at));
      if (part.is_counted()) bring_piece(part, moved(to, at), piece);
      at += leaf_length;
    }
  }

  /// Leaves of whole trees as one value for each tree, the others as they are.
  void bring_leaves(const loop_part& part, const result_places& leaves, std::int64_t first, std::int64_t n,
                    const result_places& trees) {
    const bound whole = whole_trees({first, first + n}, grid_.leaves());
    bring(part, leaves, kept::leaves, first, whole.begin - first);
    bring(part, moved(leaves, whole.end - first), kept::leaves, whole.end, first + n - whole.end);
    if (whole.size() == 0) return;
    const std::int64_t first_tree = whole.begin / leaves_of_tree,
                       n_trees = (whole.size() - 1) / leaves_of_tree + 1;
    block_arguments<pack<result_places, result_places, std::int64_t>> storage{
        sizeof(all_lanes<Reductions...>) * leaves_of_tree,
        make_pack(moved(leaves, whole.begin - first), trees, whole.size())};
    part.run(make_block_call<tree_kernel>("trees of a reduction", {.x = n_trees}, storage));
    bring(part, trees, kept::trees, first_tree, n_trees);
    std::fill_n(has_tree_.begin() + first_tree, n_trees, char{1});
  }

  void bring_piece(const loop_part& part, const result_places& from, const shared_piece& piece) {
    bring(part, from, kept::shared, slot_of(piece), piece.end - piece.begin);
  }

  /// `n` values of each reduction to those that are kept, from number `first` on.
  void bring(const loop_part& part, const result_places& from, kept to, std::int64_t first, std::int64_t n) {
    for_each_reduction(
        [&](auto& values, const auto& place) {
          auto* const at = array_of(values, to) + first;
          part.copy_to_host(at, place.first.address(), static_cast<std::size_t>(n) * sizeof *at);
        },
        values_, from);
  }

  std::int64_t slot_of(const shared_piece& piece) const {
    const auto found = std::ranges::lower_bound(shared_, piece.leaf) - shared_.begin();
    const std::int64_t base = (grid_.first_run + piece.leaf) * leaf_length;
    return found * leaf_length + (piece.begin - base);
  }

  result_places place_of(const shared_piece& piece) {
    result_places to;
    for_each_reduction(
        [&](auto& each, auto& from) { each.first = device_ptr{from.shared.get() + slot_of(piece)}; }, to,
        values_);
    return to;
  }

  template <class Values>
  void finish_leaves(Values& of) const {
    using operation = typename Values::operation;
    const std::size_t rows = shared_.empty() ? 0 : static_cast<std::size_t>(grid_.rows());
    for (std::size_t i = 0; i < rows * shared_.size(); ++i) {
      const std::int64_t run = shared_[i % shared_.size()];
      const std::int64_t number = static_cast<std::int64_t>(i / shared_.size()) * grid_.runs + run;
      const leaf<D> whole = leaf_at<D>(grid_, number);
      of.leaves[static_cast<std::size_t>(number)] = leaf_of<operation>(
          of.shared.get() + i * leaf_length, whole.begin - whole.base, whole.end - whole.base);
    }
    for (std::size_t tree = 0; tree < has_tree_.size(); ++tree) {
      const auto first = static_cast<std::int64_t>(tree) * leaves_of_tree;
      if (has_tree_[tree] == 0)
        of.trees[tree] = tree_of_leaves<operation>(
            of.leaves.get() + first, std::min<std::int64_t>(leaves_of_tree, grid_.leaves() - first));
    }
  }

  void finish_all(for_reductions<leaf_values>&) {}
  template <class First, class... Rest>
  void finish_all(for_reductions<leaf_values, First, Rest...>& all, const First& to, const Rest&... others) {
    using operation = typename First::operation;
    finish_leaves(all.first);
    *to.result = operation::combine(tree_of_leaves<operation>(all.first.trees.get(), std::ssize(has_tree_)),
                                    *to.result);
    finish_all(all.rest, others...);
  }

  any_box over_;
  leaf_grid grid_;
  std::vector<std::int64_t> shared_;  ///< leaves of a row that units share, in order
  std::vector<char> has_tree_;        ///< whether a device has combined these leaves
  for_reductions<leaf_values, Reductions...> values_;
  scattered_leaves<D, Reductions...> scattered_;  ///< of parts whose leaves are here and there
};

/// Of a loop without any.
struct no_reductions {
  void finish(const auto&...) const {}
};

template <int D, class... Reductions>
auto make_reductions(type_list<Reductions...>, const any_box& over, const loop& all) {
  if constexpr (sizeof...(Reductions) == 0) {
    return no_reductions{};
  } else {
    return reduction_loop<D, Reductions...>{over, all};
  }
}
template <int D, class List>
using reductions_for =
    decltype(make_reductions<D>(List{}, std::declval<const any_box&>(), std::declval<const loop&>()));

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke::detail
