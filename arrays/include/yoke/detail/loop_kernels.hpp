// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the body of a loop becomes a kernel: with global indices, views whose rows are contiguous, and partial
/// results.

#include <cstdint>
#include <string>
#include <string_view>

#include <yoke/box.hpp>
#include <yoke/character.hpp>
#include <yoke/detail/launch_shape.hpp>
#include <yoke/detail/tiling.hpp>
#include <yoke/kernel.hpp>
#include <yoke/reduction.hpp>
#include <yoke/tile.hpp>
#include <yoke/view.hpp>

namespace yoke::detail {

/// In a pack of arguments: the number of a reduction.
template <int I>
struct reduction_slot {};

/// Partial results of one index, in the order of reductions.
template <class... Reductions>
struct partials {};
template <class First, class... Rest>
struct partials<First, Rest...> {
  partial<typename First::value_type, typename First::operation> first;
  partials<Rest...> rest;
};

template <int I, class First, class... Rest>
YOKE_INLINE YOKE_HD auto& partial_at(partials<First, Rest...>& all) {
  if constexpr (I == 0) {
    return all.first;
  } else {
    return partial_at<I - 1>(all.rest);
  }
}

/// In a pack of arguments: the view of an array in its role, which a kernel may write at its own index alone.
/// `Number` counts the arrays of the loop from 0.
template <class T, int D, int Number>
struct role_view {
  view<T, D> elements;
};

/// What the index that runs next is given, and may write, where indices are checked.
template <int Number, class T, int D>
YOKE_INLINE YOKE_HD void note_given(const view<T, D>& elements) {
  if constexpr (is_host_pass)
    if (are_accesses_checked()) {
      own_elements& own = own_elements_of_this_thread();
      const void* const origin = elements.origin().address();
      own.given.push_back({origin, D, Number + 1});
      if constexpr (!std::is_const_v<T>) own.views.push_back({.origin = origin, .dimensions = D});
    }
}

/// While the body runs for an index: what was noted is written there alone.
template <class At>
class own_index {
 public:
  YOKE_INLINE YOKE_HD explicit own_index(const At& at) {
    if constexpr (is_host_pass)
      if (are_accesses_checked()) begin(at);
  }
  YOKE_INLINE YOKE_HD ~own_index() {
    if constexpr (is_host_pass)
      if (are_accesses_checked()) own_elements_of_this_thread().forget();
  }
  own_index(const own_index&) = delete;
  own_index& operator=(const own_index&) = delete;

 private:
  template <int D>
  static void begin(const loop_index<D>& at) {
    own_elements& own = own_elements_of_this_thread();
    own.is_loop = true;
    own.dimensions = D;
    for (int d = 0; d < D; ++d) own.index[d] = at[d];
  }
  /// A tile and a part have more than one index.
  template <class Several>
  static void begin(const Several&) {
    own_elements& own = own_elements_of_this_thread();
    own.is_loop = true;
    own.dimensions = 0;
  }
};

// What a kernel is given for an argument of the pack.
template <class T, class Partials>
YOKE_INLINE YOKE_HD const T& given(const T& value, Partials&) {
  return value;
}
template <class T, int D, class Partials>
YOKE_INLINE YOKE_HD view<T, D> given(const view<T, D>& x, Partials&) {
  return x.with_contiguous_rows();
}
template <class T, int D, int Number, class Partials>
YOKE_INLINE YOKE_HD view<T, D> given(const role_view<T, D, Number>& x, Partials&) {
  note_given<Number>(x.elements);
  const view<T, D> rows = x.elements.with_contiguous_rows();
  if constexpr (std::is_const_v<T>)
    return rows.unchanged();  // no loop reads by another role what it writes
  else
    return rows;
}
template <int I, class Partials>
YOKE_INLINE YOKE_HD auto& given(const reduction_slot<I>&, Partials& all) {
  return partial_at<I>(all);
}

// The body of a CPU CU may be a function of the host alone.
YOKE_CALLS_HOST_CODE
template <class Kernel, class At, class Partials, class... Done>
YOKE_FLAT YOKE_INLINE YOKE_HD void call_body(const At& at, const pack<>&, Partials&, Done&&... done) {
  const own_index<At> mine{at};
  Kernel{}(at, static_cast<Done&&>(done)...);
}
template <class Kernel, class At, class Partials, class First, class... Rest, class... Done>
YOKE_FLAT YOKE_INLINE YOKE_HD void call_body(const At& at, const pack<First, Rest...>& args, Partials& all,
                                             Done&&... done) {
  call_body<Kernel>(at, args.rest, all, static_cast<Done&&>(done)..., given(args.first, all));
}

/// Where a part of a loop begins, and how many indices dimension 1 has.
template <int D>
struct part_start {
  std::int64_t begins[D];
  std::int64_t second = 1;
};

/// Items count x along the last dimension, y along the one before, z all the others.
template <int D>
YOKE_HD loop_index<D> index_of(const item_3d& at, const part_start<D>& from) {
  if constexpr (D == 1) {
    return {from.begins[0] + at.x};
  } else if constexpr (D == 2) {
    return {from.begins[0] + at.y, from.begins[1] + at.x};
  } else if constexpr (D == 3) {
    return {from.begins[0] + at.z, from.begins[1] + at.y, from.begins[2] + at.x};
  } else {
    return {from.begins[0] + at.z / from.second, from.begins[1] + at.z % from.second, from.begins[2] + at.y,
            from.begins[3] + at.x};
  }
}

/// `before`: items at the beginning of each row that are none of the part.
template <int D>
part_start<D> start_of(const any_box& over, std::int64_t before) {
  part_start<D> start{};
  for (int d = 0; d < D; ++d) start.begins[d] = over[d].begin;
  start.begins[D - 1] -= before;
  if constexpr (D > 1) start.second = over[1].size();
  return start;
}

inline extent_3d items_of(const any_box& over) {
  const auto n = [&](int d) { return over[d].size(); };
  switch (over.dimensions) {
    case 1:
      return {.x = n(0)};
    case 2:
      return {.x = n(1), .y = n(0)};
    case 3:
      return {.x = n(2), .y = n(1), .z = n(0)};
    default:
      return {.x = n(3), .y = n(2), .z = n(0) * n(1)};
  }
}

template <class Kernel>
constexpr character character_of() {
  if constexpr (requires { Kernel::character; }) {
    return Kernel::character;
  } else {
    return {};
  }
}

/// What `Kernel::block` says, else what follows from its character.
template <class Kernel, int D>
constexpr block_shape shape_of_body() {
  if constexpr (requires { Kernel::block; }) {
    return shape_of<Kernel>();
  } else {
    return block_for(character_of<Kernel>(), D);
  }
}

template <class Kernel>
constexpr std::int64_t several_from_of_body() {
  if constexpr (requires { Kernel::several_from; }) {
    return Kernel::several_from;
  } else {
    return several_from_for(character_of<Kernel>());
  }
}

constexpr bool fits_gpus(const block_shape& block) {
  return block.x > 0 && block.y > 0 && block.z > 0 && block.z <= max_block_z &&
         std::int64_t{block.x} * block.y * block.z <= max_block;
}

/// The body for each index.
template <class Kernel, int D>
struct body_kernel {
  static constexpr block_shape block = shape_of_body<Kernel, D>();
  static constexpr std::int64_t several_from = several_from_of_body<Kernel>();
  static_assert(fits_gpus(block),
                "the block of a loop's body has 1 to 1024 threads, 64 at most along its third dimension");

  template <class Pack>
  YOKE_FLAT YOKE_HD void operator()(const item_3d& at, const part_start<D>& from, const Pack& args) const {
    partials<> none;
    call_body<Kernel>(index_of<D>(at, from), args, none);
  }
};

/// The body for each tile.
template <class Kernel, int D>
struct tile_kernel {
  static constexpr int block = Kernel::block;
  static constexpr int min_blocks = min_blocks_of<Kernel>();
  static_assert(fits_gpus({block, 1, 1}), "the block of a tiled body has 1 to 1024 threads");

  template <class Pack>
  YOKE_FLAT YOKE_HD void operator()(const yoke::block& b, const tiling<D>& all, const Pack& args) const {
    partials<> none;
    call_body<Kernel>(all.of(b), args, none);
  }
};

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// The same of a block kernel.
template <class Kernel, bool OnGpu, class... Args>
kernel_call make_tiled_call(const char* name, std::int64_t tiles, block_arguments<pack<Args...>>& storage) {
  if constexpr (OnGpu) {
    return make_block_call<Kernel>(name, {.x = tiles}, storage);
  } else {
    using arguments = block_arguments<pack<Args...>>;
    kernel_call call{.name = name, .items = {.x = tiles}};
    call.host_entry = &run_blocks_on_host<Kernel, arguments>;
    call.arguments = &storage;
    call.argument_bytes = sizeof storage;
    call.form = kernel_form::blocks;
    call.shared_bytes = storage.shared_bytes;
    return call;
  }
}

/// A call for a GPU CU, or for a CPU CU: then Kernel need not be what a GPU can run.
template <class Kernel, bool OnGpu, class... Args>
kernel_call make_call(const char* name, const extent_3d& items, pack<Args...>& storage) {
  if constexpr (OnGpu) {
    return make_kernel_call_3d<Kernel>(name, items, storage);
  } else {
    kernel_call call{.name = name, .items = items};
    call.host_entry = &run_on_host<Kernel, item_3d, pack<Args...>>;
    call.arguments = &storage;
    call.argument_bytes = sizeof storage;
    call.form = kernel_form::items_3d;
    return call;
  }
}

}  // namespace YOKE_LAUNCHERS

/// "relax" of "… [Kernel = (anonymous namespace)::relax]", as compilers write a function's signature.
std::string name_in(std::string_view signature);

/// The name of a kernel for messages; lives as long as the program.
template <class Kernel>
const char* name_of() {
  static const std::string name = name_in(__PRETTY_FUNCTION__);
  return name.c_str();
}

}  // namespace yoke::detail
