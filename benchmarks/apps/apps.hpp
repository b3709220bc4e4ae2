#pragma once
/// Applications in two forms: plain OpenMP, and arrays with loops by roles. Both start from the same values.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <yoke/runtime.hpp>

namespace apps {

class app {
 public:
  virtual ~app() = default;

  virtual void run_plain() = 0;
  /// The work of GPUs may go on behind it until finish.
  virtual void run_yoke() = 0;
  /// Waits for all that run_yoke has queued.
  virtual void finish() = 0;
  /// Whether both have come to the same, which takes as many runs of each: elements to the bit, sums to 1e-9
  /// (OpenMP adds in another order).
  virtual bool agree() const = 0;
  /// Whether some elements of Yoke's form are right, where that is told without a run of the plain form.
  virtual std::optional<bool> is_right_in_places() const { return std::nullopt; }
  /// How its arrays are cut, and why; empty where none outlives a run.
  virtual std::string explain() const { return {}; }

  std::string name;
  std::string shape;
  double bytes = 0;  ///< that a run reads and writes at least, where caches are small
};

/// How large, and how many threads the plain form has.
struct sizes {
  std::int64_t elements = 4'000'000;  ///< of the largest array
  int threads = 1;
  std::int64_t residual_every = 1;  ///< of Jacobi's method: runs from one residual to the next
  bool blas = false;                ///< products of matrices by OpenBLAS on CPUs, in both forms

  /// elements^(1 / dimensions), 8 at least.
  std::int64_t side(int dimensions) const;
};

struct known_app {
  std::string name;
  std::function<std::unique_ptr<app>(yoke::runtime&, const sizes&)> make;
};
/// Of one file each: vectors (AXPY, sums, BabelStream's kernels, a scan, an empty loop), matrices, their
/// products, stencils, the method of conjugate gradients on sparse matrices, look-ups in tables.
std::vector<known_app> vectors();
std::vector<known_app> matrices();
std::vector<known_app> products();
std::vector<known_app> stencils();
std::vector<known_app> sparse();
std::vector<known_app> lookups();
std::vector<known_app> all_apps();

}  // namespace apps
