// A kernel file whose project says nothing about contraction: x * y + z is rounded twice, as in Yoke's own.
#include <cstdio>
#include <vector>

#include <yoke/yoke.hpp>

struct multiply_add {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const double> x, yoke::device_ptr<const double> y,
                          yoke::device_ptr<double> z) const {
    z[at.x] = x[at.x] * y[at.x] + z[at.x];
  }
};

int main() {
  yoke::runtime rt("1x1");
  constexpr int n = 1000;
  const std::vector<double> x(n, 1 + 0x1p-30), y(n, 1 - 0x1p-30);  // the product rounds to 1
  std::vector<double> z(n, -1);
  rt.each_unit([&](yoke::unit_id) {
    yoke::launch_here<multiply_add>({.x = n}, "multiply_add", yoke::device_ptr{x.data()},
                                    yoke::device_ptr{y.data()}, yoke::device_ptr{z.data()});
  });
  int contracted = 0;
  for (const double each : z) contracted += each != 0 ? 1 : 0;
  std::printf("%d of %d contracted\n", contracted, n);
}
