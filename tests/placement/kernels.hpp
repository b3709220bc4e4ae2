#pragma once
/// Kernels over placed objects of whole numbers, some of which wait until the test lets them go on.

#include <cstdint>
#include <latch>
#include <stdexcept>
#include <vector>

#include <yoke/yoke.hpp>

namespace kernels {

using value = std::int64_t;
using values = std::vector<value>;

/// x = a x + b
struct scale {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<value> x, value a, value b) const {
    x[at.x] = a * x[at.x] + b;
  }
};
struct scale_doubles {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x, double a) const { x[at.x] *= a; }
};
/// y += x
struct add {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const value> x, yoke::device_ptr<value> y) const {
    y[at.x] += x[at.x];
  }
};
/// x[0] = 1 where the values of `seen` are not all the same, else what it was.
struct note_mixture {
  YOKE_HD void operator()(yoke::item, yoke::device_ptr<const value> seen, yoke::device_ptr<value> mixed,
                          value n) const {
    for (value i = 1; i < n; ++i)
      if (seen[i] != seen[0]) mixed[0] = 1;
  }
};

/// Fails on an emulated device and on CPUs.
struct fail {
  YOKE_HD void operator()(yoke::item, yoke::device_ptr<value>) const {
#if !YOKE_DEVICE_PASS
    throw std::runtime_error{"as the test asks"};
#endif
  }
};

struct fail_both {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<value> x, yoke::device_ptr<value>) const {
    fail{}(at, x);
  }
};

/// Holds kernels up until it is opened. On an emulated device kernels run in the test's own process.
class gate {
 public:
  ~gate() { open(); }
  void open() {
    if (!latch_.try_wait()) latch_.count_down();
  }
  void pass() const { latch_.wait(); }

 private:
  std::latch latch_{1};
};
struct gate_argument {
  const gate* at;
};
struct wait_at {
  YOKE_HD void operator()(yoke::item, gate_argument at) const { at.at->pass(); }
};
/// The first item waits, the others come after it.
struct scale_behind {
  YOKE_HD void operator()(yoke::item at, gate_argument gate, yoke::device_ptr<value> x, value a,
                          value b) const {
    if (at.x == 0) gate.at->pass();
    x[at.x] = a * x[at.x] + b;
  }
};
struct add_behind {
  YOKE_HD void operator()(yoke::item at, gate_argument gate, yoke::device_ptr<const value> x,
                          yoke::device_ptr<value> y) const {
    if (at.x == 0) gate.at->pass();
    y[at.x] += x[at.x];
  }
};

inline yoke::extent over(std::size_t n) { return {.x = static_cast<std::int64_t>(n)}; }

}  // namespace kernels
