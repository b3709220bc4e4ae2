// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the body of a loop does, in words from which the shape of its launch on GPUs follows.
///
///   struct multiply {
///     static constexpr yoke::character character{.sharing = yoke::level::high};
///     YOKE_HD void operator()(yoke::loop_index<2> at, …) const { … }
///   };
///
/// The words are those of Communicators' KERNEL_CHAR (Alonso-Mayo et al., section 3.3), as far as a GPU's
/// launch depends on them: its `medium` is `low` here, its pattern of access is left out, and what is not
/// said is `def` there. A body may say numbers instead (`block`, `several_from`), which win over words.

#include <cstdint>
#include <limits>

#include <yoke/compiler.hpp>
#include <yoke/kernel_call.hpp>

namespace yoke {

enum class level { low, high };

struct character {
  level load = level::low;     ///< operations for each access to memory
  level sharing = level::low;  ///< elements that several blocks read
};

namespace detail {

/// As yoke-bench-shapes found on an H200. Neighbours of stencils share their cache, and what many blocks read
/// is read less often by square ones.
constexpr block_shape block_for(const character& of, int dimensions) {
  if (dimensions == 1) return {};
  // Without names: nvcc gives 0 to a member that they pass over, whatever its default.
  if (dimensions > 2) return block_shape{64, 1, 4};
  return of.sharing == level::high ? block_shape{16, 16, 1} : block_shape{64, 2, 1};
}

/// Where a thread computes long it must not run several rows: blocks would wait for the last of few.
constexpr std::int64_t several_from_for(const character& of) {
  const bool is_long = of.load == level::high || of.sharing == level::high;
  return is_long ? std::numeric_limits<std::int64_t>::max() : kernel_call{}.several_from;
}

}  // namespace detail

}  // namespace yoke
