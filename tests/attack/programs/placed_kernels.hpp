#pragma once
/// Kernels over placed objects and regions of whole numbers.

#include "array_kernels.hpp"

#include <cstdint>
#include <vector>

#include <yoke/yoke.hpp>

namespace attack {

using value = std::int64_t;
using values = std::vector<value>;

/// Kept small, so that nothing overflows.
YOKE_HD inline value scaled(value x, value a, value b) { return (a * x + b) % 1'000'003; }
YOKE_HD inline value added(value x, value y) { return (x + y) % 1'000'003; }

/// x = a x + b, on the calling CU.
void scale_here(yoke::placed<value>& x, value a, value b);
/// The same through a plain address, of n values.
void scale_at(yoke::device_ptr<value> x, std::size_t n, value a, value b);
/// y += x
void add_here(const yoke::placed<value>& x, yoke::placed<value>& y);
void add_at(yoke::device_ptr<const value> x, yoke::device_ptr<value> y, std::size_t n);
/// Throws, on CPUs and on emulated devices.
void throw_here(yoke::placed<value>& x);

}  // namespace attack
