#pragma once
/// Applications in two forms: plain OpenMP, and arrays with loops by roles. Both start from the same values.

#include <cstdint>
#include <memory>
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

  std::string name;
  std::string shape;
  double bytes = 0;  ///< that a run reads and writes at least, where caches are small
};

/// `elements`: of the largest array of each. `threads`: of plain OpenMP.
std::vector<std::unique_ptr<app>> all_apps(yoke::runtime& rt, std::int64_t elements, int threads);

}  // namespace apps
