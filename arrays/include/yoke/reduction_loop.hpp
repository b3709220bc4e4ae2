#pragma once
/// What a loop with reductions keeps on the host until it has finished: a value for each leaf or tree of
/// leaves, and single contributions of the leaves that units share.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <yoke/leaf_kernels.hpp>
#include <yoke/leaf_parts.hpp>
#include <yoke/loop_arguments.hpp>
#include <yoke/variants.hpp>

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

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <int D, class... Reductions>
class reduction_loop {
 public:
  using result_places = all_results<Reductions...>;

  reduction_loop(const any_box& over, const loop& all) : over_{over}, grid_{leaves_of(over)} {
    if (over.empty()) grid_.runs = 0;
    if constexpr (D == 1) shared_ = shared_leaves(all.cuts(), over[0]);
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
    } else {
      run<Kernel>(part, args, part.over(), {});
    }
  }

  /// Into the variables of the program, which count once. `args`: those of the loop.
  template <class... Args>
  void finish(const Args&... args) {
    const auto to = std::tuple_cat(only_reduction(args)...);
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
    of.shared = std::make_unique_for_overwrite<T[]>(shared_.size() * leaf_length);
  }

  template <class Kernel, class Pack>
  void run(const loop_part& part, const Pack& args, const any_box& whole, pieces_of_part pieces) {
    using body = bodies<Kernel>;
    if (part.is_on_gpu()) {
      if constexpr (has_gpu_body<Kernel>) run_on_gpu<typename body::on_gpu>(part, args, whole, pieces);
    } else if constexpr (has_cpu_body<Kernel>) {
      using on_cpu = typename body::on_cpu;
      if (!whole.empty()) run_on_cpus<on_cpu>(part, args, whole);
      for (const shared_piece& piece : pieces) run_piece<on_cpu, false>(part, args, piece, place_of(piece));
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

  template <class Kernel, class Pack>
  void run_on_cpus(const loop_part& part, const Pack& args, const any_box& whole) {
    leaf_arguments<D, Pack, Reductions...> all{leaves_of(whole), args, {}};
    const std::int64_t first = first_leaf(whole);
    for_each_reduction([&](auto& to, auto& from) { to.first = device_ptr{from.leaves.get() + first}; },
                       all.to, values_);
    kernel_call call{.name = name_of<Kernel>(), .items = {.x = all.grid.leaves()}};
    call.host_entry = &run_leaves_on_host<Kernel, D, Pack, Reductions...>;
    call.arguments = &all;
    call.argument_bytes = sizeof all;
    part.run(call);
  }

  template <class Kernel, bool OnGpu, class Pack>
  static void run_piece(const loop_part& part, const Pack& args, const shared_piece& piece,
                        const result_places& to) {
    if constexpr (D == 1) {
      const any_box over{.dimensions = 1,
                         .sides = {bound{piece.begin, piece.end}, bound{1}, bound{1}, bound{1}}};
      auto storage = make_pack(leaf_arguments<D, Pack, Reductions...>{leaves_of(over), args, to});
      part.run(make_call<contribution_kernel<Kernel, D>, OnGpu>(name_of<Kernel>(), items_of(over), storage));
    }
  }

  /// On the device: leaves, then contributions of pieces, then trees.
  template <class Kernel, class Pack>
  void run_on_gpu(const loop_part& part, const Pack& args, const any_box& whole, pieces_of_part pieces) {
    const std::int64_t n_leaves = whole.empty() ? 0 : leaves_of(whole).leaves();
    const std::int64_t trees = n_leaves + std::ssize(pieces) * leaf_length;
    const result_places to = scratch_places(part, trees + n_leaves / leaves_of_tree + 1);
    if (n_leaves > 0) launch_leaves<Kernel>(part, args, whole, n_leaves, to);
    if (n_leaves > 0 && part.is_counted())
      bring_leaves(part, to, first_leaf(whole), n_leaves, moved(to, trees));
    std::int64_t at = n_leaves;
    for (const shared_piece& piece : pieces) {
      run_piece<Kernel, true>(part, args, piece, moved(to, at));
      bring_piece(part, moved(to, at), piece);
      at += leaf_length;
    }
  }

  static result_places scratch_places(const loop_part& part, std::int64_t slots) {
    const auto bytes = [&](std::size_t element) {
      return aligned(static_cast<std::size_t>(slots) * element);
    };
    auto* next = static_cast<std::byte*>(
        part.scratch((std::size_t{0} + ... + bytes(sizeof(typename Reductions::value_type)))));
    result_places to;
    for_each_reduction(
        [&]<class Place>(Place& each) {
          using T = std::remove_reference_t<decltype(*each.first)>;
          each.first = device_ptr{reinterpret_cast<T*>(next)};
          next += bytes(sizeof(T));
        },
        to);
    return to;
  }

  template <class Kernel, class Pack>
  static void launch_leaves(const loop_part& part, const Pack& args, const any_box& whole,
                            std::int64_t n_leaves, const result_places& to) {
    using kernel = leaf_kernel<Kernel, D>;
    using arguments = leaf_arguments<D, Pack, Reductions...>;
    block_arguments<pack<arguments, std::int64_t>> storage{
        sizeof(all_lanes<Reductions...>) * kernel::block,
        make_pack(arguments{leaves_of(whole), args, to}, n_leaves)};
    part.run(make_block_call<kernel>(name_of<Kernel>(), {.x = (n_leaves - 1) / kernel::leaves + 1}, storage));
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
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      const leaf<1> whole = leaf_at<1>(grid_, shared_[i]);
      of.leaves[static_cast<std::size_t>(shared_[i])] = leaf_of<operation>(
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
  std::vector<std::int64_t> shared_;  ///< leaves that units share, in order
  std::vector<char> has_tree_;        ///< whether a device has combined these leaves
  for_reductions<leaf_values, Reductions...> values_;
};

template <int D, class... Reductions>
reduction_loop<D, Reductions...> make_reductions(type_list<Reductions...>, const any_box& over,
                                                 const loop& all) {
  return {over, all};
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke::detail
