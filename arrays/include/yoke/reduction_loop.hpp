#pragma once
/// What a loop with reductions keeps on the host until it has finished: a value for each leaf, and single
/// contributions of the leaves that units share.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <yoke/leaf_kernels.hpp>
#include <yoke/loop_arguments.hpp>

namespace yoke::detail {

/// Of one reduction.
template <class Reduction>
struct leaf_values {
  using T = typename Reduction::value_type;
  std::unique_ptr<T[]> leaves;
  std::unique_ptr<T[]> shared;  ///< leaf_length for each shared leaf
};

/// Indices of dimension 0 within one shared leaf.
struct shared_piece {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t leaf = 0;  ///< its number in the loop
};

/// A unit's part of the last dimension where that is cut: whole leaves, and what it has of shared ones.
struct cut_part {
  bound whole{};
  shared_piece pieces[2];
  int n_pieces = 0;
};

/// Requires: `part` is in `all` and not empty.
cut_part cut_into_leaves(const bound& part, const bound& all);
/// Numbers of the leaves that parts of [begin, end) with these cuts share, each once, in order.
std::vector<std::int64_t> shared_leaves(std::span<const std::int64_t> cuts, const bound& all);

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <int D, class... Reductions>
class reduction_loop {
 public:
  reduction_loop(const any_box& over, const loop& all) : over_{over}, grid_{leaves_of(over)} {
    if (over.empty()) grid_.runs = 0;
    if constexpr (D == 1) shared_ = shared_leaves(all.cuts(), over[0]);
    make(values_);
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

  /// Into the variables of the program, which count once.
  template <class... Args>
  void finish(const Args&... args) {
    const auto to = std::tuple_cat(only_reduction(args)...);
    std::apply([&](const Reductions&... each) { finish_all(values_, each...); }, to);
  }

 private:
  using all_values = for_reductions<leaf_values, Reductions...>;

  template <class Arg>
  static auto only_reduction(const Arg& arg) {
    if constexpr (is_reduction<Arg>) {
      return std::tuple{arg};
    } else {
      return std::tuple{};
    }
  }

  void make(for_reductions<leaf_values>&) {}
  template <class First, class... Rest>
  void make(for_reductions<leaf_values, First, Rest...>& all) {
    using T = typename First::value_type;
    all.first.leaves = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(grid_.leaves()));
    all.first.shared = std::make_unique_for_overwrite<T[]>(shared_.size() * leaf_length);
    make(all.rest);
  }

  template <class Kernel, class Pack>
  void run(const loop_part& part, const Pack& args, const any_box& whole,
           std::span<const shared_piece> pieces) {
    if (part.is_on_gpu()) return run_on_gpu<Kernel>(part, args, whole, pieces);
    if (!whole.empty()) run_on_cpus<Kernel>(part, args, whole);
    for (const shared_piece& piece : pieces) run_piece<Kernel>(part, args, piece, shared_places(piece));
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
    point(all.to, values_, first_leaf(whole));
    kernel_call call{.name = name_of<Kernel>(), .items = {.x = all.grid.leaves()}};
    call.host_entry = &run_leaves_on_host<Kernel, D, Pack, Reductions...>;
    call.arguments = &all;
    call.argument_bytes = sizeof all;
    part.run(call);
  }

  template <class Kernel, class Pack>
  static void run_piece(const loop_part& part, const Pack& args, const shared_piece& piece,
                        const all_results<Reductions...>& to) {
    if constexpr (D == 1) {
      const any_box over{.dimensions = 1,
                         .sides = {bound{piece.begin, piece.end}, bound{1}, bound{1}, bound{1}}};
      auto storage = make_pack(leaf_arguments<D, Pack, Reductions...>{leaves_of(over), args, to});
      part.run(
          make_kernel_call_3d<contribution_kernel<Kernel, D>>(name_of<Kernel>(), items_of(over), storage));
    }
  }

  template <class Kernel, class Pack>
  void run_on_gpu(const loop_part& part, const Pack& args, const any_box& whole,
                  std::span<const shared_piece> pieces) {
    const std::int64_t n_leaves = whole.empty() ? 0 : leaves_of(whole).leaves();
    const std::int64_t slots = n_leaves + std::ssize(pieces) * leaf_length;
    std::byte* next = static_cast<std::byte*>(part.scratch(scratch_bytes(slots)));
    all_results<Reductions...> to;
    place(to, next, slots);
    if (n_leaves > 0) launch_leaves<Kernel>(part, args, whole, n_leaves, to);
    if (n_leaves > 0 && part.is_counted()) copy_leaves(part, values_, to, first_leaf(whole), n_leaves);
    std::int64_t at = n_leaves;
    for (const shared_piece& piece : pieces) {
      run_piece<Kernel>(part, args, piece, moved(to, at));
      copy_piece(part, values_, to, piece, at);
      at += leaf_length;
    }
  }

  template <class Kernel, class Pack>
  static void launch_leaves(const loop_part& part, const Pack& args, const any_box& whole,
                            std::int64_t n_leaves, const all_results<Reductions...>& to) {
    using kernel = leaf_kernel<Kernel, D>;
    using arguments = leaf_arguments<D, Pack, Reductions...>;
    block_arguments<pack<arguments, std::int64_t>> storage{
        sizeof(all_lanes<Reductions...>) * kernel::block,
        make_pack(arguments{leaves_of(whole), args, to}, n_leaves)};
    part.run(make_block_call<kernel>(name_of<Kernel>(), {.x = (n_leaves - 1) / kernel::leaves + 1}, storage));
  }

  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  static std::size_t scratch_bytes(std::int64_t slots) {
    return (std::size_t{0} + ... +
            aligned(static_cast<std::size_t>(slots) * sizeof(typename Reductions::value_type)));
  }

  std::int64_t slot_of(const shared_piece& piece) const {
    const auto found = std::ranges::lower_bound(shared_, piece.leaf) - shared_.begin();
    const std::int64_t base = (grid_.first_run + piece.leaf) * leaf_length;
    return found * leaf_length + (piece.begin - base);
  }

  all_results<Reductions...> shared_places(const shared_piece& piece) {
    all_results<Reductions...> to;
    point_shared(to, values_, slot_of(piece));
    return to;
  }

  // The same for each reduction.
  static void point(for_reductions<results>&, const for_reductions<leaf_values>&, std::int64_t) {}
  template <class First, class... Rest>
  static void point(all_results<First, Rest...>& to, const for_reductions<leaf_values, First, Rest...>& from,
                    std::int64_t leaf) {
    to.first.first = device_ptr{from.first.leaves.get() + leaf};
    point(to.rest, from.rest, leaf);
  }
  static void point_shared(for_reductions<results>&, const for_reductions<leaf_values>&, std::int64_t) {}
  template <class First, class... Rest>
  static void point_shared(all_results<First, Rest...>& to,
                           const for_reductions<leaf_values, First, Rest...>& from, std::int64_t slot) {
    to.first.first = device_ptr{from.first.shared.get() + slot};
    point_shared(to.rest, from.rest, slot);
  }
  static void place(for_reductions<results>&, std::byte*, std::int64_t) {}
  template <class First, class... Rest>
  static void place(all_results<First, Rest...>& to, std::byte* next, std::int64_t slots) {
    using T = typename First::value_type;
    to.first.first = device_ptr{reinterpret_cast<T*>(next)};
    place(to.rest, next + aligned(static_cast<std::size_t>(slots) * sizeof(T)), slots);
  }
  static for_reductions<results> moved(const for_reductions<results>&, std::int64_t) { return {}; }
  template <class First, class... Rest>
  static all_results<First, Rest...> moved(const all_results<First, Rest...>& from, std::int64_t by) {
    return {{from.first.first + by}, moved(from.rest, by)};
  }
  static void copy_leaves(const loop_part&, for_reductions<leaf_values>&, const for_reductions<results>&,
                          std::int64_t, std::int64_t) {}
  template <class First, class... Rest>
  static void copy_leaves(const loop_part& part, for_reductions<leaf_values, First, Rest...>& to,
                          const all_results<First, Rest...>& from, std::int64_t leaf, std::int64_t n) {
    part.copy_to_host(to.first.leaves.get() + leaf, from.first.first.address(),
                      static_cast<std::size_t>(n) * sizeof(typename First::value_type));
    copy_leaves(part, to.rest, from.rest, leaf, n);
  }
  void copy_piece(const loop_part&, for_reductions<leaf_values>&, const for_reductions<results>&,
                  const shared_piece&, std::int64_t) {}
  template <class First, class... Rest>
  void copy_piece(const loop_part& part, for_reductions<leaf_values, First, Rest...>& to,
                  const all_results<First, Rest...>& from, const shared_piece& piece, std::int64_t at) {
    part.copy_to_host(to.first.shared.get() + slot_of(piece), (from.first.first + at).address(),
                      static_cast<std::size_t>(piece.end - piece.begin) * sizeof(typename First::value_type));
    copy_piece(part, to.rest, from.rest, piece, at);
  }

  void finish_all(for_reductions<leaf_values>&) {}
  template <class First, class... Rest>
  void finish_all(for_reductions<leaf_values, First, Rest...>& all, First to, Rest... others) {
    using operation = typename First::operation;
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      const leaf<1> whole = leaf_at<1>(grid_, shared_[i]);
      all.first.leaves[static_cast<std::size_t>(shared_[i])] = leaf_of<operation>(
          all.first.shared.get() + i * leaf_length, whole.begin - whole.base, whole.end - whole.base);
    }
    *to.result =
        operation::combine(tree_of_leaves<operation>(all.first.leaves.get(), grid_.leaves()), *to.result);
    finish_all(all.rest, others...);
  }

  any_box over_;
  leaf_grid grid_;
  std::vector<std::int64_t> shared_;  ///< leaves that units share, in order
  all_values values_;
};

template <int D, class... Reductions>
reduction_loop<D, Reductions...> make_reductions(type_list<Reductions...>, const any_box& over,
                                                 const loop& all) {
  return {over, all};
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke::detail
