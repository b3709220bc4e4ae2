#pragma once
/// What both forms of the program share: the problem, its arguments and the report.
///
/// u is to solve (d/dx)^2 u + (d/dy)^2 u - 0.05 u = f on [-1, 1] x [-1, 1] with u = 0 at the border, on n x m
/// points; f is such that the solution is (1 - x^2) (1 - y^2).

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace jacobi {

inline constexpr double alpha = 0.05, relaxation = 0.8, tolerance = 1e-10;

struct arguments {
  std::int64_t n = 2000, m = 2000;
  int iterations = 200;
};

/// Of the neighbours along i and j, of the point itself, and of the step.
struct coefficients {
  double ax, ay, b, omega;
};

inline double step_of(std::int64_t n) { return 2.0 / static_cast<double>(n - 1); }

/// Ends the program with 2 for what is no number of 3 or more, or of iterations.
inline arguments read_arguments(int argc, char** argv) {
  std::int64_t given[3]{2000, 2000, 200};
  bool good = argc <= 4;
  for (int i = 1; i < argc && good; ++i) {
    char* end = nullptr;
    given[i - 1] = std::strtol(argv[i], &end, 10);
    good = *end == '\0' && given[i - 1] >= (i < 3 ? 3 : 0) && given[i - 1] <= 1'000'000;
  }
  if (good) return {given[0], given[1], static_cast<int>(given[2])};
  std::fputs("usage: jacobi [n [m [iterations]]], n and m at least 3\n", stderr);
  std::exit(2);
}

inline coefficients make_coefficients(std::int64_t n, std::int64_t m) {
  const double dx = step_of(n), dy = step_of(m);
  const double ax = 1 / (dx * dx), ay = 1 / (dy * dy);
  return {ax, ay, -2 * ax - 2 * ay - alpha, relaxation};
}

inline std::vector<double> right_hand_side(std::int64_t n, std::int64_t m) {
  std::vector<double> f;
  f.reserve(static_cast<std::size_t>(n * m));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) {
      const double x = -1 + step_of(n) * static_cast<double>(i), y = -1 + step_of(m) * static_cast<double>(j);
      f.push_back(-alpha * (1 - x * x) * (1 - y * y) - 2 * (1 - x * x) - 2 * (1 - y * y));
    }
  }
  return f;
}

inline double norm(double sum, std::int64_t n, std::int64_t m) {
  return std::sqrt(sum) / (static_cast<double>(n) * static_cast<double>(m));
}

class stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - from_).count();
  }

 private:
  std::chrono::steady_clock::time_point from_ = std::chrono::steady_clock::now();
};

/// With a number that tells whether two runs have the same bits.
inline void report(std::int64_t n, std::int64_t m, int iterations, double error, const stopwatch& watch,
                   const std::vector<double>& u) {
  const double seconds = watch.seconds();
  double far = 0;
  std::uint64_t bits = 0;
  for (std::int64_t at = 0; at < n * m; ++at) {
    const double x = -1 + step_of(n) * static_cast<double>(at / m),
                 y = -1 + step_of(m) * static_cast<double>(at % m);
    const double value = u[static_cast<std::size_t>(at)];
    far = std::fmax(far, std::fabs(value - (1 - x * x) * (1 - y * y)));
    bits = bits * 31 + static_cast<std::uint64_t>(std::llround(value * 0x1p52));
  }
  std::printf("%lld x %lld, %d iterations in %.3f s, error %.6e, %.6e from the solution, bits %016llx\n",
              static_cast<long long>(n), static_cast<long long>(m), iterations, seconds, error, far,
              static_cast<unsigned long long>(bits));
}

}  // namespace jacobi
