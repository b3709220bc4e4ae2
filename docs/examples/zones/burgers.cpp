// A diffusion and transport equation on uneven zones, periodic in x and y: what a multi-block code adds for
// Yoke.
//   yoke-zones [zones along x] [zones along y] [points along z] [steps]
#include "burgers.hpp"

#include <cstdio>
#include <cstdlib>

#include <yoke/yoke.hpp>
#include <yoke/zone_step.hpp>

namespace {

/// One point of a step.
struct advance {
  YOKE_HD void operator()(const yoke::loop_index<3>& at, yoke::view<const double, 3> u,
                          yoke::view<double, 3> v) const {
    const auto [k, j, i] = at;
    v(k, j, i) = burgers::next(u(k, j, i), u(k, j, i - 1), u(k, j, i + 1), u(k, j - 1, i), u(k, j + 1, i));
  }
};

}  // namespace

int main(int argc, char** argv) try {
  const burgers::grid grid = burgers::grid_of(argc, argv);
  yoke::runtime rt;
  yoke::zones blocks{rt, grid.zones(),
                     [&](int z) { return yoke::zone_extents<3>{grid.nz, grid.ny(z), grid.nx(z)}; }};
  for (int z = 0; z < grid.zones(); ++z) {
    blocks.join({z, yoke::side::high(2)}, {grid.east(z), yoke::side::low(2)});
    blocks.join({z, yoke::side::high(1)}, {grid.north(z), yoke::side::low(1)});
  }
  yoke::zoned<double, 3> u{blocks, yoke::halo{0, 1, 1}, "u"}, v{blocks, yoke::halo{0, 1, 1}, "v"};
  for (int z = 0; z < grid.zones(); ++z) grid.start(z, u.host(z));
  yoke::zone_recording step = blocks.record([&](yoke::zone_step& s) {
    s.launch<advance>("advance", in(u), out(v));
    s.swap(u, v);
  });
  step.replay(20);  // speeds are measured here
  blocks.wait();
  const double begin = burgers::seconds();
  step.replay(grid.steps);
  blocks.wait();
  const double took = burgers::seconds() - begin;
  double sum = 0;
  for (int z = 0; z < grid.zones(); ++z) sum += grid.sum(z, u.host(z));
  std::printf("%d zones, %.0f points: sum %.17g, %.6f s a step\n%s", grid.zones(), grid.points(), sum,
              took / grid.steps, step.explain().c_str());
} catch (const yoke::error& problem) {  // main is one try block; YOKE_SCHEDULE=help ends here, too
  std::fprintf(stderr, "zones: %s\n", problem.what());
  return 1;
}
