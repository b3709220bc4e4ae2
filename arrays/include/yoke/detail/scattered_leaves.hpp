// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Leaves of parts that are cut in another dimension than the first one: those of a part do not come one
/// after the other, and each row may have leaves that units share.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <yoke/detail/bodies.hpp>
#include <yoke/detail/leaf_calls.hpp>

namespace yoke::detail {

/// How the leaves of a loop are numbered, and which ones of a row units share.
template <int D>
struct leaves_of_loop {
  const any_box& over;
  const leaf_grid& grid;
  std::span<const std::int64_t> shared;

  /// f(number in the box, number in the loop) for each row of a box.
  template <class F>
  void for_each_row(const any_box& box, const F& f) const {
    std::int64_t n = 1;
    for (int d = 0; d + 1 < D; ++d) n *= box[d].size();
    for (std::int64_t row = 0; row < n; ++row) {
      std::int64_t left = row, number = 0, stride = 1;
      for (int d = D - 2; d >= 0; --d) {
        number += (box[d].begin - over[d].begin + left % box[d].size()) * stride;
        left /= box[d].size();
        stride *= over[d].size();
      }
      f(row, number);
    }
  }
};

/// On the host: one value for each leaf of a box, or for each index of it.
template <class Reduction>
struct gathered_values {
  std::unique_ptr<typename Reduction::value_type[]> values;
};
template <class... Reductions>
struct gathered_box {
  any_box over;
  bool is_of_leaves = true;
  for_reductions<gathered_values, Reductions...> of;

  std::int64_t size() const {
    if (is_of_leaves) return leaves_of(over).leaves();
    std::int64_t n = 1;
    for (const bound& side : over.sides) n *= side.size();
    return n;
  }
  void reserve() {
    for_each_reduction(
        [&]<class Values>(Values& each) {
          using T = std::remove_reference_t<decltype(each.values[0])>;
          each.values = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(size()));
        },
        of);
  }
};

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <int D, class... Reductions>
class scattered_leaves {
 public:
  using values_of_loop = for_reductions<leaf_values, Reductions...>;

  template <class Kernel, class Pack>
  void run(const loop_part& part, const Pack& args, const leaves_of_loop<D>& all, values_of_loop& to) {
    const cut_part cut = cut_into_leaves(part.over()[D - 1], all.over[D - 1]);
    any_box some = part.over();
    some[D - 1] = cut.whole;
    run_box<Kernel>(part, args, some, true, all, to);
    for (int i = 0; i < cut.n_pieces; ++i) {
      some[D - 1] = {cut.pieces[i].begin, cut.pieces[i].end};
      run_box<Kernel>(part, args, some, false, all, to);
    }
  }

  /// When GPUs have finished.
  void finish(const leaves_of_loop<D>& all, values_of_loop& to) const {
    for (const std::unique_ptr<box_type>& each : on_gpus_) put(*each, all, to);
  }

 private:
  using box_type = gathered_box<Reductions...>;
  using result_places = all_results<Reductions...>;

  template <class Kernel, class Pack>
  void run_box(const loop_part& part, const Pack& args, const any_box& over, bool is_of_leaves,
               const leaves_of_loop<D>& all, values_of_loop& to) {
    using body = bodies<Kernel>;
    if (over.empty()) return;
    if (part.is_on_gpu()) {
      if constexpr (has_gpu_body<Kernel>) run_on_gpu<typename body::on_gpu>(part, args, over, is_of_leaves);
    } else if constexpr (has_cpu_body<Kernel>) {
      box_type mine{.over = over, .is_of_leaves = is_of_leaves, .of = {}};
      mine.reserve();
      result_places places;
      for_each_reduction([](auto& place, auto& from) { place.first = device_ptr{from.values.get()}; }, places,
                         mine.of);
      run_kernel<typename body::on_cpu, false>(part, args, mine, places);
      put(mine, all, to);
    }
  }

  template <class Kernel, bool OnGpu, class Pack>
  static void run_kernel(const loop_part& part, const Pack& args, const box_type& of,
                         const result_places& to) {
    if (of.is_of_leaves) {
      run_leaves<Kernel, D, OnGpu>(part, args, of.over, to);
    } else {
      run_contributions<Kernel, D, OnGpu>(part, args, of.over, to);
    }
  }

  template <class Kernel, class Pack>
  void run_on_gpu(const loop_part& part, const Pack& args, const any_box& over, bool is_of_leaves) {
    box_type mine{.over = over, .is_of_leaves = is_of_leaves, .of = {}};
    const result_places places = scratch_places<Reductions...>(part, mine.size());
    run_kernel<Kernel, true>(part, args, mine, places);
    if (!part.is_counted()) return;
    const box_type& kept = keep(std::move(mine));
    for_each_reduction(
        [&](const auto& values, const auto& from) {
          const std::size_t bytes = static_cast<std::size_t>(kept.size()) * sizeof values.values[0];
          part.copy_to_host(values.values.get(), from.first.address(), bytes);
        },
        kept.of, places);
  }

  /// With memory for its values, the same each time that the box comes: a recording copies there in each of
  /// its replays, between others that run the loop anew to time it.
  const box_type& keep(box_type mine) {
    const auto begins_of = [](const box_type& of) {
      const any_box& over = of.over;
      return std::array{over[0].begin, over[1].begin, over[2].begin, over[3].begin};
    };
    const auto begins_at = [&](const std::unique_ptr<box_type>& of) { return begins_of(*of); };
    const auto at = std::ranges::lower_bound(on_gpus_, begins_of(mine), {}, begins_at);
    if (at != on_gpus_.end() && begins_at(*at) == begins_of(mine)) return **at;
    mine.reserve();
    return **on_gpus_.insert(at, std::make_unique<box_type>(std::move(mine)));
  }

  /// To where they belong among those of the loop.
  static void put(const box_type& from, const leaves_of_loop<D>& all, values_of_loop& to) {
    const bound& last = from.over[D - 1];
    const std::int64_t run = run_of(last.begin);
    if (from.is_of_leaves) {
      const std::int64_t n = leaves_of(from.over).runs, first = run - all.grid.first_run;
      put_rows(from, all, to, n, [&](auto& values, std::int64_t row) {
        return values.leaves.get() + row * all.grid.runs + first;
      });
    } else {
      const auto found = std::ranges::lower_bound(all.shared, run - all.grid.first_run) - all.shared.begin();
      const std::int64_t offset = found * leaf_length + (last.begin - run * leaf_length);
      put_rows(from, all, to, last.size(), [&](auto& values, std::int64_t row) {
        return values.shared.get() + row * std::ssize(all.shared) * leaf_length + offset;
      });
    }
  }

  /// `place(values, row)`: where the `n` values of a row go.
  template <class Place>
  static void put_rows(const box_type& from, const leaves_of_loop<D>& all, values_of_loop& to, std::int64_t n,
                       const Place& place) {
    for_each_reduction(
        [&](const auto& mine, auto& values) {
          all.for_each_row(from.over, [&](std::int64_t here, std::int64_t row) {
            std::copy_n(mine.values.get() + here * n, n, place(values, row));
          });
        },
        from.of, to);
  }

  /// By the first index of each. No std::map: the compiler of Debian's hipcc crashes on one here.
  std::vector<std::unique_ptr<box_type>> on_gpus_;
};

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke::detail
