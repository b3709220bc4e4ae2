#pragma once
/// What hwloc is given as a synthetic description, which it trusts: some counts and indexes end the process
/// by an assertion, some take its memory, others are passed over without a word.

#include <yoke/settings.hpp>

namespace yoke::detail {

/// Of CPUs, and of NUMA nodes: hwloc takes a second for so many, and a minute for four times as many.
inline constexpr int most_synthetic_cpus = 4096;

/// Errors: config_error naming the position. Whether hwloc has levels of these names it says itself.
void check_synthetic(const sourced& description, int most = most_synthetic_cpus);

}  // namespace yoke::detail
