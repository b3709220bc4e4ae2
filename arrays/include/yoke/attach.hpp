// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arrays on memory of the program: all of it, or a section.

#include <ranges>
#include <span>
#include <type_traits>

#include <yoke/detail/attachment.hpp>

namespace yoke {

/// The elements are those of `host`, row by row as in C, which must live until detach or until the array ends
/// and is not to be used meanwhile. Without detach its values are undefined after that. CPU CUs use this
/// memory itself, where no edge needs room around it; GPUs get their parts when a loop first needs them.
/// Where checks are on, detach refuses to overwrite what the program has written meanwhile, if it can tell.
///
/// Const memory, or any that is only to be read, is for an array<const T, D>: nothing writes there, so that
/// it may be read meanwhile, and several of these may be attached to it.
///
/// Errors, of the array: usage_error for memory of another size, or of which another attached array has
/// elements, unless both are const.
template <std::ranges::contiguous_range Memory>
auto attach(Memory&& host) {
  using T = std::remove_reference_t<std::ranges::range_reference_t<Memory>>;
  return detail::attachment<T>{std::span<T>{std::ranges::data(host), std::ranges::size(host)}};
}

/// A section of the host's memory, which has the extents `n`, row by row: of each dimension the indices
/// [begin, end), or of these one in `steps`, the first one always. It need not lie together, and sections
/// of one memory may be attached to several arrays, where none has an element of another. Index 0 of the
/// array is the first one of the section. A section with gaps is copied to memory of its own, and back by
/// detach.
///
///   attach(host, {n, m}, {{1, n - 1}, {0, m / 2}})           // the left half of the inner rows
///   attach(host, {n, m}, {{0, n}, {1, m}}, {1, 2})           // every other column, from column 1
///
/// Errors: usage_error for memory of another size, a section that leaves it, a step below 1.
template <std::ranges::contiguous_range Memory, int D>
auto attach(Memory&& host, const detail::extent_of_dimension (&n)[D], const bound (&of)[D],
            const detail::extent_of_dimension (&steps)[D]) {
  auto made = attach(host);
  const auto extents = detail::values_of(n), every = detail::values_of(steps);
  made.section = detail::section_of(made.memory.size(), sizeof(*made.memory.data()), D, extents.data(), of,
                                    every.data());
  return made;
}
template <std::ranges::contiguous_range Memory, int D>
auto attach(Memory&& host, const detail::extent_of_dimension (&n)[D], const bound (&of)[D]) {
  auto made = attach(host);
  const auto extents = detail::values_of(n);
  made.section =
      detail::section_of(made.memory.size(), sizeof(*made.memory.data()), D, extents.data(), of, nullptr);
  return made;
}

}  // namespace yoke
