#include "machine.hpp"

#include "common/aligned_doubles.hpp"
#include "common/pack_width.hpp"
#include "fma.hpp"

#include <algorithm>
#include <omp.h>
#include <optional>
#include <vector>

namespace kernels {

namespace {

constexpr int rounds = 7;

/// The best rate of a few rounds, in each of which all threads do `work(thread)` between two barriers; `work`
/// returns what it did.
template <class Work>
double best_rate(int n_threads, const Work& work) {
  double best = 0;
#pragma omp parallel num_threads(n_threads)
  for (int round = 0; round < rounds; ++round) {
#pragma omp barrier
    const double from = omp_get_wtime();
    const double done = work(omp_get_thread_num());
#pragma omp barrier
    const double to = omp_get_wtime();
#pragma omp master
    best = std::max(best, done * n_threads / (to - from));
  }
  return best;
}

}  // namespace

double triad(int n_threads, std::size_t bytes) {
  const std::size_t n = bytes / (3 * sizeof(double));
  const auto repeats = static_cast<long>(std::max<std::size_t>(1, (std::size_t{256} << 20) / bytes));
  std::vector<std::optional<npb::aligned_doubles>> memory(static_cast<std::size_t>(n_threads));
  return best_rate(n_threads, [&](int thread) {
    auto& own = memory[static_cast<std::size_t>(thread)];
    if (!own) own.emplace(3 * n);  // touched first by the thread that uses it
    double *a = own->data(), *b = a + n, *c = b + n;
    for (long r = 0; r < repeats; ++r) {
      for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
      asm volatile("" : : "r"(a) : "memory");
    }
    return static_cast<double>(repeats) * static_cast<double>(n) * 24;
  });
}

double fma_rate(int n_threads) {
  const fma_function run = npb::has_packs_of_eight() ? fma_of_8 : fma_of_4;
  return best_rate(n_threads, [&](int) {
    double sink = 0;
    const double done = run(4'000'000, sink);
    asm volatile("" : : "m"(sink));
    return done;
  });
}

}  // namespace kernels
