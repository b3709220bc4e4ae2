#pragma once
/// As many multiply-adds as a core can do. In an unnamed namespace: see pack.hpp of NPB-MZ.

#include "common/pack.hpp"

namespace kernels {

/// Runs `rounds` rounds on the calling thread and returns the floating-point operations done; a multiply-add
/// is two. The values end up in `sink`, so that nothing is left out.
using fma_function = double (*)(long rounds, double& sink);
double fma_of_4(long rounds, double& sink);
/// Only where npb::has_packs_of_eight.
double fma_of_8(long rounds, double& sink);

namespace {

template <int W>
double run_fma(long rounds, double& sink) {
  constexpr int chains = 12;  // more than latency times throughput, fewer than there are registers
  npb::pack<W> sum[chains];
  for (int n = 0; n < chains; ++n) sum[n] = npb::pack<W>(1.0 + n);
  const npb::pack<W> factor(0.999999), addend(1e-6);
  for (long round = 0; round < rounds; ++round) {
#pragma unroll
    for (int n = 0; n < chains; ++n) sum[n] = fma(sum[n], factor, addend);
  }
  for (const npb::pack<W>& s : sum)
    for (int lane = 0; lane < W; ++lane) sink += s.v[lane];
  return 2.0 * W * chains * static_cast<double>(rounds);
}

}  // namespace
}  // namespace kernels
