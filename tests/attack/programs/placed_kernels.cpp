// Kernels: compiled by a GPU's compiler where there is one.
#include "placed_kernels.hpp"

#include <stdexcept>

namespace attack {

namespace {

struct scale_kernel {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<value> x, value a, value b) const {
    x[at.x] = scaled(x[at.x], a, b);
  }
};
struct add_kernel {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const value> x, yoke::device_ptr<value> y) const {
    y[at.x] = added(x[at.x], y[at.x]);
  }
};
struct throwing_kernel {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<value> x) const {
#if !YOKE_DEVICE_PASS
    if (at.x == 1) throw std::runtime_error{thrown_text};
#endif
    x[at.x] = 0;
  }
};

yoke::extent over(std::size_t n) { return {.x = static_cast<std::int64_t>(n)}; }

}  // namespace

void scale_here(yoke::placed<value>& x, value a, value b) {
  yoke::launch_here<scale_kernel>(over(x.size()), "scale", x, a, b);
}
void scale_at(yoke::device_ptr<value> x, std::size_t n, value a, value b) {
  yoke::launch_here<scale_kernel>(over(n), "scale", x, a, b);
}
void add_here(const yoke::placed<value>& x, yoke::placed<value>& y) {
  yoke::launch_here<add_kernel>(over(y.size()), "add", x, y);
}
void add_at(yoke::device_ptr<const value> x, yoke::device_ptr<value> y, std::size_t n) {
  yoke::launch_here<add_kernel>(over(n), "add", x, y);
}
void throw_here(yoke::placed<value>& x) { yoke::launch_here<throwing_kernel>(over(x.size()), "throw", x); }

}  // namespace attack
