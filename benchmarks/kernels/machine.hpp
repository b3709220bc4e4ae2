#pragma once
/// What this machine can do: the ceilings that phases are compared with.

#include <cstddef>

namespace kernels {

/// STREAM's triad a[i] = b[i] + s c[i], each of `n_threads` threads on its own three arrays of together
/// `bytes` bytes. Bytes per second of all threads, 24 for each i (that the cache first reads the line of a[i]
/// is not counted, as in STREAM); the best of several rounds.
double triad(int n_threads, std::size_t bytes);

/// Independent multiply-adds in the widest packs of this CPU, operations per second of all threads; the best
/// of several rounds.
double fma_rate(int n_threads);

}  // namespace kernels
