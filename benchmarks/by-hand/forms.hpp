#pragma once
/// Three programs in two forms: launched by hand (CUDA, HIP; OpenMP on CPUs), and as loops over arrays. Both
/// have the same body, compiled with the same options, on the same device.

#include <cstdint>
#include <memory>
#include <vector>

#include <yoke/runtime.hpp>

namespace by_hand {

/// What comes in: n * n numbers.
std::vector<double> wave(std::int64_t n);

/// Until the GPUs of `rt` are through.
void wait_for(yoke::runtime& rt);

class form {
 public:
  virtual ~form() = default;
  /// One run; on a GPU it may go on behind it until finish.
  virtual void run() = 0;
  virtual void finish() = 0;
  virtual std::vector<double> result() = 0;
};

/// c = a + b, n x n.
std::unique_ptr<form> launched_add(std::int64_t n);
std::unique_ptr<form> array_add(yoke::runtime& rt, std::int64_t n);
/// c = a b, n x n, an element of c for each index.
std::unique_ptr<form> launched_multiply(std::int64_t n);
std::unique_ptr<form> array_multiply(yoke::runtime& rt, std::int64_t n);
/// A sweep of Jacobi's method over the inner points of n x n.
std::unique_ptr<form> launched_jacobi(std::int64_t n);
std::unique_ptr<form> array_jacobi(yoke::runtime& rt, std::int64_t n);

}  // namespace by_hand
