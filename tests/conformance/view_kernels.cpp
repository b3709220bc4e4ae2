// Kernels of views, see device_kernels.hpp.
#include "device_kernels.hpp"

namespace conformance {

namespace {

using yoke::item;

struct move {
  YOKE_HD void operator()(item at, two_views both) const { both.to(at.y, at.x) = both.from(at.y, at.x) + 10; }
};

struct sum_last {
  YOKE_HD void operator()(item at, yoke::view<const double, 3> u, yoke::view<double, 2> sums) const {
    double sum = 0;
    for (std::int64_t i = 0; i < u.extent(2); ++i) sum += u(at.y, at.x, i);
    sums(at.y, at.x) = sum;
  }
};

struct sum_inner {
  YOKE_HD void operator()(item at, yoke::view<const double, 3> u, yoke::view<double, 2> sums) const {
    const yoke::view<const double, 1> row = u.subview(at.y).subview(at.x);
    const yoke::view<const double, 1> inner = row.subview({{row.begin(0) + 1, row.end(0) - 1}});
    double sum = 0;
    for (std::int64_t i = inner.begin(0); i < inner.end(0); ++i) sum += inner(i);
    sums.subview(at.y)(at.x) = sum;
  }
};

struct sum_twice {
  YOKE_HD void operator()(item at, yoke::view<const double, 3> u, yoke::view<double, 2> sums) const {
    const yoke::view<const double, 3> same = u.unchanged();
    for (std::int64_t i = u.begin(2); i < u.end(2); ++i)
      sums(at.y, at.x) += same(at.y, at.x, i) + *u.address(at.y, at.x, i);
    for (std::int64_t i = u.begin(2); i < u.end(2); ++i)
      sums(at.y, at.x) += same.subview(at.y)(at.x, i) - *same.address(at.y, at.x, i);
  }
};

}  // namespace

void launch_move(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items, two_views both) {
  yoke::launch<move>(dev, stream, items, "move", both);
}

void launch_sum_last(yoke::device_streams& dev, yoke::stream_handle stream, yoke::view<const double, 3> u,
                     yoke::view<double, 2> sums) {
  yoke::launch<sum_last>(dev, stream, {sums.extent(1), sums.extent(0)}, "sum_last", u, sums);
}

void launch_sum_inner(yoke::device_streams& dev, yoke::stream_handle stream, yoke::view<const double, 3> u,
                      yoke::view<double, 2> sums) {
  yoke::launch<sum_inner>(dev, stream, {sums.extent(1), sums.extent(0)}, "sum_inner", u, sums);
}

void launch_sum_twice(yoke::device_streams& dev, yoke::stream_handle stream, yoke::view<const double, 3> u,
                      yoke::view<double, 2> sums) {
  yoke::launch<sum_twice>(dev, stream, {sums.extent(1), sums.extent(0)}, "sum_twice", u, sums);
}

}  // namespace conformance
