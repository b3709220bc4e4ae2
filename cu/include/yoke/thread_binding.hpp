// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Keeps the threads of compute units on the CPUs of their places.

#include <atomic>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/places.hpp>

namespace yoke {

/// Who puts threads where they belong: libomp, which was started with OMP_PLACES, or Yoke, thread by thread,
/// where libomp had started before.
enum class bound_by { openmp, yoke };

/// The places of the CUs of a runtime.
struct bound_places {
  std::vector<place> places;  ///< CPUs ascending
  bound_by by = bound_by::openmp;
};

/// Threads of the outer team, one for each place, and those of their inner teams. libomp keeps threads to
/// their numbers in hot teams, so that what is bound once stays so; what something else has moved since is
/// put back at the begin of the next run.
class thread_binding {
 public:
  thread_binding(const configuration& shape, bound_places where);

  bound_by by() const { return where_.by; }
  /// Whether one of this process has bound threads, so that they may be elsewhere than libomp believes.
  static bool has_bound() noexcept;
  /// Threads that were elsewhere at the begin of a run, so far.
  long long mended() const { return mended_.load(std::memory_order_relaxed); }

  /// Opens the teams and binds them, where libomp does not. Errors: config_error naming `origin`'s value
  /// where inner teams change their threads from one region to the next.
  void bind(const sourced& origin);
  /// Before the outer team of a run is opened, by the thread that opens it; one run at a time.
  void take_turn() noexcept;
  /// On the thread of `unit` in an outer team: puts back what is on a CPU of another unit. A thread that may
  /// have been another binding's since, or was nobody's, as where a run is started from another thread than
  /// before, is bound. Cost: some nanoseconds, and an inner region where Yoke binds several CPUs. `unit` is
  /// in range.
  void check(int unit) noexcept;

 private:
  int inner_threads(int unit) const;
  /// How many threads were not as `is_right` says.
  template <class Test>
  int put(int unit, const Test& is_right) const noexcept;
  int put_all() const;

  configuration shape_;
  bound_places where_;
  int number_;  ///< from 1 on, of this process
  std::atomic<long long> mended_{0};
};

}  // namespace yoke
