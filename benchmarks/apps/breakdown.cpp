// Compiled by a GPU's compiler where there is one.
#include "breakdown.hpp"

#include "base.hpp"
#include "kernels.hpp"
#include "plain.hpp"

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

/// Does nothing, but what it names must be there.
struct bring {
  template <int D>
  YOKE_HD void operator()(yoke::loop_index<D>, yoke::view<double, D>, yoke::view<double, D>) const {}
};

template <class Work>
yoke::seconds time_of(const yoke::runtime& rt, const Work& work) {
  const yoke::ticks from = yoke::now();
  work();
  for (const yoke::compute_unit& unit : rt.units().all())
    if (unit.dev != nullptr) unit.dev->synchronize(unit.stream);
  return yoke::elapsed(from, yoke::now());
}

}  // namespace

breakdown axpy_breakdown(yoke::runtime& rt, std::int64_t elements) {
  constexpr double a = 0.4;
  values x_host = wave(elements), y_host = x_host, wanted = x_host;
  plain::axpy(1, elements, a, x_host.data(), wanted.data());
  breakdown found{.name = "axpy"};
  yoke::array<double, 1> x, y;
  found.copy_in = time_of(rt, [&] {
    x = yoke::array<double, 1>{rt, {elements}, {dist::block}, yoke::attach(x_host)};
    y = yoke::array<double, 1>{rt, {elements}, {dist::block}, yoke::attach(y_host)};
    yoke::for_each<bring>(rt, {elements}, inout(x), inout(y));
  });
  found.compute = time_of(rt, [&] { yoke::for_each<axpy_kernel>(rt, {elements}, in(x), inout(y), a); });
  found.copy_out = time_of(rt, [&] { y.detach(); });
  found.agree = y_host == wanted;
  return found;
}

breakdown jacobi_breakdown(yoke::runtime& rt, std::int64_t n, int steps) {
  values u_host = wave(n * n), wanted = u_host, old_wanted = u_host;
  for (int step = 0; step < steps; ++step) {
    std::swap(wanted, old_wanted);
    plain::relax_2d(1, n, n, old_wanted.data(), wanted.data());
  }
  breakdown found{.name = "jacobi"};
  yoke::array<double, 2> u, old;
  found.copy_in = time_of(rt, [&] {
    u = yoke::array<double, 2>{rt, {n, n}, {dist::block.halo(1), dist::duplicate}, yoke::attach(u_host)};
    old = yoke::array<double, 2>{rt, {n, n}, dist::as(u)};
    yoke::copy(u, old);
    yoke::for_each<bring>(rt, {n, n}, inout(u), inout(old));
  });
  for (int step = 0; step < steps; ++step) {
    swap(u, old);
    found.exchange += time_of(rt, [&] { yoke::exchange(old); });
    found.compute +=
        time_of(rt, [&] { yoke::for_each<relax_2d_kernel>(rt, {{1, n - 1}, {1, n - 1}}, in(old), out(u)); });
  }
  found.copy_out = time_of(rt, [&] { u.detach(); });
  found.agree = u_host == wanted;
  return found;
}

}  // namespace apps
