#include <cstdio>
#include <solver.hpp>
#include <vector>

#include <yoke/yoke.hpp>

void halve_here(double* x, int n);

int main() {
  std::vector<double> x{1, 2, 3};
  double_all(x);
  yoke::runtime rt("1x1");
  rt.each_unit([&](yoke::unit_id) { halve_here(x.data(), 2); });
  std::printf("%g %g %g, %g, %d threads, %s\n", x[0], x[1], x[2], next(3), threads_of_a_team(),
              has_avx2() ? "avx2" : "plain");
}
