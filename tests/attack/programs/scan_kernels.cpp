// Kernels: compiled by a GPU's compiler where there is one.
#include "scan_kernels.hpp"

namespace attack {

namespace {

using namespace yoke::loops;

struct fill_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<affine, 1> x, std::uint64_t by) const {
    x(at) = element_of(at.i, by);
  }
};

}  // namespace

void fill(yoke::runtime& rt, std::int64_t from, std::int64_t to, affine_array& x, std::uint64_t by) {
  yoke::for_each<fill_kernel>(rt, {{from, to}}, out(x), by);
}

affine scan(yoke::runtime& rt, bool is_inclusive, const affine_array& x, affine_array& y,
            const affine& start) {
  if (is_inclusive) return yoke::inclusive_scan<then>(rt, x, y);
  return yoke::exclusive_scan<then>(rt, x, y, start);
}

}  // namespace attack
