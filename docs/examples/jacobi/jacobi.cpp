/// Jacobi's method with relaxation on all compute units, beside jacobi_plain.cpp.
///
///   YOKE_CUS=2x1+1 YOKE_DEVICES=emulated:1 ./jacobi [n [m [iterations]]]
#include "numbers.hpp"

#include <cstdio>
#include <vector>

#include <yoke/arrays.hpp>

using namespace yoke::loops;
namespace dist = yoke::dist;

namespace {

struct relax {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old,
                          yoke::view<const double, 2> f, yoke::view<double, 2> u,
                          yoke::partial<double>& error, jacobi::coefficients c) const {
    const double resid = (c.ax * (old(at.i - 1, at.j) + old(at.i + 1, at.j)) +
                          c.ay * (old(at.i, at.j - 1) + old(at.i, at.j + 1)) + c.b * old(at) - f(at)) /
                         c.b;
    u(at) = old(at) - c.omega * resid;
    error += resid * resid;
  }
};

}  // namespace

int main(int argc, char** argv) try {
  const auto [n, m, iterations] = jacobi::read_arguments(argc, argv);
  const jacobi::coefficients c = jacobi::make_coefficients(n, m);
  std::vector<double> u_host(n * m), f_host = jacobi::right_hand_side(n, m);
  yoke::runtime rt;
  yoke::array<double, 2> u{rt, {n, m}, {dist::balanced.halo(1), dist::duplicate}, yoke::attach(u_host)};
  yoke::array<double, 2> old{rt, {n, m}, dist::as(u)};
  yoke::array<double, 2> f{rt, {n, m}, dist::as(u), yoke::attach(f_host)};
  double error = 1;
  int k = 0;
  yoke::copy(u, old);
  const jacobi::stopwatch watch;
  for (; k < iterations && error > jacobi::tolerance; ++k) {
    swap(u, old);
    error = 0;
    yoke::for_each<relax>(rt, {{1, n - 1}, {1, m - 1}}, in(old), in(f, yoke::interior), out(u), sum(error),
                          c);
    error = jacobi::norm(error, n, m);
  }
  u.detach();
  jacobi::report(n, m, k, error, watch, u_host);
} catch (const yoke::error& problem) {  // main is one try block; YOKE_SCHEDULE=help ends here, too
  std::fprintf(stderr, "jacobi: %s\n", problem.what());
  return 1;
}
