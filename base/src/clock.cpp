#include <chrono>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

#include <yoke/clock.hpp>

namespace yoke {

namespace {

ticks steady_now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

#if defined(__x86_64__)

bool has_invariant_tsc() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}

/// Asked once; a function, so that it is right in constructors that run before this file's.
bool use_tsc() noexcept {
  static const bool use = has_invariant_tsc();
  return use;
}

struct clock_pair {
  ticks steady;
  ticks tsc;
};

/// Both clocks at one moment: the closest of several readings, so that an interrupt in between does no harm.
clock_pair read_both() noexcept {
  clock_pair best{};
  ticks narrowest = -1;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const auto before = static_cast<ticks>(__rdtsc());
    const ticks steady = steady_now();
    const auto after = static_cast<ticks>(__rdtsc());
    if (narrowest >= 0 && after - before >= narrowest) continue;
    narrowest = after - before;
    best = {steady, before + narrowest / 2};
  }
  return best;
}

const clock_pair& first_reading() noexcept {
  static const clock_pair first = read_both();
  return first;
}

/// Taken at start, so that the first use of tick_length rarely has to wait.
[[gnu::constructor]] void start_calibration() { first_reading(); }

seconds calibrate() noexcept {
  if (!use_tsc()) return 1e-9;
  // A pair is good to about 50 ns, so 10 ms give 5 parts in a million.
  constexpr ticks enough = 10'000'000;
  const clock_pair& first = first_reading();
  clock_pair last = read_both();
  while (last.steady - first.steady < enough) last = read_both();
  return static_cast<seconds>(last.steady - first.steady) * 1e-9 / static_cast<seconds>(last.tsc - first.tsc);
}

#else

seconds calibrate() noexcept { return 1e-9; }

#endif

}  // namespace

ticks now() noexcept {
#if defined(__x86_64__)
  if (use_tsc()) return static_cast<ticks>(__rdtsc());
#endif
  return steady_now();
}

seconds tick_length() noexcept {
  static const seconds length = calibrate();
  return length;
}

}  // namespace yoke
