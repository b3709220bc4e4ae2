// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Threads that share on-chip memory, as a block kernel sees them. kernel.hpp says how to launch one.
///
///   // Each block adds to its 256 numbers the same ones in reverse; a thread keeps its own between two
///   phases. YOKE_HD void operator()(const yoke::block& b, yoke::device_ptr<double> x) const {
///     double* const chip = b.shared<double>();
///     yoke::per_thread<double, 256> kept;
///     b.for_each_thread([&](int t) { chip[t] = kept[t] = x[256 * b.x + t]; });
///     b.for_each_thread([&](int t) { x[256 * b.x + t] = chip[255 - t] + kept[t]; });
///   }

#include <cstddef>
#include <cstdint>

#include <yoke/compiler.hpp>
#include <yoke/vendors.hpp>

namespace yoke {

/// Whether threads of a block of more than 256 have fewer registers each than kernels of a hundred want, by
/// the compiler that this is compiled with for GPUs: such kernels stay at 256 then.
inline constexpr bool large_blocks_spill = detail::large_blocks_spill;

/// The block that a block kernel is called for: position (x, y), threads 0 .. n_threads - 1, and shared_bytes
/// of memory on chip, whose contents are undefined at the start. The kernel is a sequence of phases; all
/// threads meet at the end of each, and see then what the others have written.
///
/// On a CPU and on the emulated device a phase is a loop over the threads. So a local variable of the kernel
/// must not change in a phase: what has to survive one is in shared memory, in a per_thread, or computed
/// again.
class block {
 public:
  std::int64_t x = 0;
  std::int64_t y = 0;
  int n_threads = 0;
  std::size_t shared_bytes = 0;

  YOKE_HD block(std::int64_t at_x, std::int64_t at_y, int threads, void* shared, std::size_t bytes)
      : x{at_x}, y{at_y}, n_threads{threads}, shared_bytes{bytes}, shared_{shared} {}

  /// All of the memory on chip as an array of T, aligned to 16 bytes at least. The emulated device fills it
  /// with NaNs first, and refuses a kernel that writes behind it.
  template <class T>
  YOKE_HD T* shared() const {
    return static_cast<T*>(shared_);
  }

  /// A phase: body(t) for every thread t, 0 <= t < n_threads. On a GPU each thread runs its own t and then
  /// waits for the others; on a host one thread runs all of them in turn. Every thread of the block must come
  /// to every phase: none may return before.
  template <class Body>
  YOKE_HD void for_each_thread(const Body& body) const {
#if YOKE_DEVICE_PASS
    body(static_cast<int>(threadIdx.x));
    __syncthreads();
#else
    for (int t = 0; t < n_threads; ++t) body(t);
#endif
  }
  /// A phase: body(i) for 0 <= i < n, dealt to the threads in turn.
  template <class Body>
  YOKE_HD void for_each(int n, const Body& body) const {
    for_each_thread([&](int t) {
      for (int i = t; i < n; i += n_threads) body(i);
    });
  }

 private:
  void* shared_;
};

/// A value that each of N threads keeps from phase to phase: a register on a GPU. A thread reads and writes
/// its own only, [t] in a phase of for_each_thread. N is the block size of the kernel.
template <class T, int N>
class per_thread {
 public:
#if YOKE_DEVICE_PASS
  YOKE_HD T& operator[](int) { return of_this_thread_; }

 private:
  T of_this_thread_{};
#else
  YOKE_HD T& operator[](int t) { return of_[t]; }

 private:
  T of_[N]{};
#endif
};

}  // namespace yoke
