// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// In what the vendors' GPUs differ for kernels: instructions that one of them has, and what the second
/// launch bound means. Beside it only <yoke/compiler.hpp> asks whose GPU it is compiled for; the names for
/// kernels are in async_copy.hpp, block.hpp and reciprocal.hpp.

#include <math.h>

#include <yoke/compiler.hpp>

namespace yoke::detail {

/// What every processor has, the host's too.
struct plain_instructions {
  YOKE_HD static double reciprocal(double x) { return 1.0 / x; }
  YOKE_HD static double quotient(double a, double x) { return a / x; }
  YOKE_HD static double square_root(double x) { return ::sqrt(x); }

  YOKE_HD static void start_copy(double* to_shared, const double* from) { *to_shared = *from; }
  YOKE_HD static void close_group() {}
  template <int Younger>
  YOKE_HD static void wait_for_groups() {}
};

#if YOKE_CUDA_PASS

/// What NVIDIA's processors can do beside that. Results have the bits of plain_instructions for the numbers
/// that the public functions accept, which tests/conformance compares on every device.
struct nvidia_instructions {
  /// The steps that CUDA's own division takes, without the branch behind them: an approximation of 20 bits,
  /// and two corrections by what is left of 1 - x y.
  YOKE_HD static double reciprocal(double x) {
    double y = 0;
    asm("{\n\t"
        ".reg .b32 low, high, unused;\n\t"
        ".reg .f64 approximation;\n\t"
        "mov.b64 {unused, high}, %1;\n\t"
        "add.s32 low, high, 0x300402;\n\t"
        "rcp.approx.ftz.f64 approximation, %1;\n\t"
        "mov.b64 {unused, high}, approximation;\n\t"
        "mov.b64 %0, {low, high};\n\t"
        "}"
        : "=d"(y)
        : "d"(x));
    double error = __fma_rn(-x, y, 1.0);
    y = __fma_rn(y, __fma_rn(error, error, error), y);
    error = __fma_rn(-x, y, 1.0);
    return __fma_rn(y, error, y);
  }
  /// One correction of a * (1 / x) by its remainder.
  YOKE_HD static double quotient(double a, double x) {
    const double y = reciprocal(x), approximation = a * y;
    return __fma_rn(y, __fma_rn(-x, approximation, a), approximation);
  }
  /// The same of CUDA's root: from 1 / sqrt(x), which the processor approximates.
  YOKE_HD static double square_root(double x) {
    double y = 0;  // about 1 / sqrt(x)
    asm("{\n\t"
        ".reg .b32 low, high, unused;\n\t"
        ".reg .f64 approximation;\n\t"
        "mov.b64 {unused, high}, %1;\n\t"
        "add.s32 low, high, 0xfcb00000;\n\t"
        "rsqrt.approx.ftz.f64 approximation, %1;\n\t"
        "mov.b64 {unused, high}, approximation;\n\t"
        "mov.b64 %0, {low, high};\n\t"
        "}"
        : "=d"(y)
        : "d"(x));
    const double error = __fma_rn(x, -(y * y), 1.0);
    y = __fma_rn(__fma_rn(error, 0.375, 0.5), y * error, y);
    const double root = x * y;
    return __fma_rn(__fma_rn(root, -root, x), 0.5 * y, root);
  }

  /// Past the registers, from compute capability 8.0 on.
  YOKE_HD static void start_copy(double* to_shared, const double* from) {
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
  }
  YOKE_HD static void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
  template <int Younger>
  YOKE_HD static void wait_for_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Younger) : "memory");
  }
};
using instructions = nvidia_instructions;

#else
/// Those of the processor that this pass of the compiler makes code for.
using instructions = plain_instructions;
#endif

/// The second launch bound of a block kernel: blocks of a processor for CUDA, for HIP waves of a SIMD, of
/// which a processor has four with 64 lanes each. Rounded down, so that a thread gets no fewer registers than
/// with CUDA.
constexpr int second_launch_bound(int min_blocks, int threads_of_block) {
  if (!YOKE_FOR_AMD) return min_blocks;
  const int waves = min_blocks * threads_of_block / (4 * 64);
  return waves > 1 ? waves : 1;
}

/// Whether a thread of a block of more than four waves has fewer registers than a kernel of a hundred wants.
inline constexpr bool large_blocks_spill = YOKE_FOR_AMD != 0;

}  // namespace yoke::detail
