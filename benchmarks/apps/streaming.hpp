#pragma once
/// AXPY on memory of the host that goes in chunks, beside what the machine can do at best: plain pinned
/// copies of each GPU and a triad of the CPUs, at once.

#include <cstdint>
#include <vector>

#include <yoke/pinned_range.hpp>
#include <yoke/runtime.hpp>

namespace apps {

/// Bytes a second; an element is three values: two that are read, one that is written.
struct streaming_rates {
  double copies = 0;  ///< of all GPUs: two values come and one goes
  double triad = 0;   ///< of all CPUs
  double yoke = 0;
  double ratio() const { return yoke / (copies + triad); }
};

class streaming_axpy {
 public:
  static constexpr double bar = 0.9;  ///< of the ratio

  streaming_axpy(yoke::runtime& rt, std::int64_t elements);
  /// Each for `window` seconds at least.
  streaming_rates measure(yoke::seconds window);
  /// Whether Yoke's elements are right, to the bit.
  bool agree() const;

 private:
  void measure_plain(yoke::seconds window, streaming_rates& found);
  double elements_of_yoke(yoke::seconds window);

  yoke::runtime& rt_;
  std::int64_t n_;
  std::int64_t runs_ = 0;
  std::vector<double> x_, y_, y_plain_;
  std::vector<yoke::pinned_range> pinned_;
};

}  // namespace apps
