#include "kernels.hpp"

#include <cstdio>

namespace task_tests {

namespace {

using yoke::loops::cpu;
using yoke::loops::gpu;

struct adding {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const number> x, yoke::device_ptr<number> y,
                          number factor) const {
    y[at.x] = (31 * y[at.x] + factor * x[at.x]) & 0xffffffff;
  }
};
struct filling {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<number> x, number value) const { x[at.x] = value; }
};

struct adding_one {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<number> x, number k) const { x[at.x] += k; }
};
struct filling_ones {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<number> x) const { x[at.x] = 1; }
};
struct filling_twos {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<number> x) const { x[at.x] = 2; }
};
struct setting {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x, double value) const { x[at.x] += value; }
};

}  // namespace

void add_one(yoke::task_context& me, yoke::device_ptr<number> x, number k) {
  yoke::launch_in_task<adding_one>(me, {.x = n}, "add one", x, k);
}

yoke::task contribute(yoke::task_starter& on, yoke::placed<double>& sum, double mine,
                      const yoke::task_options& options, std::atomic<int>& n_ran) {
  return on.run("contribute", options, reduce<yoke::plus>(sum),
                [mine, &n_ran](yoke::task_context& me, auto own) {
                  yoke::launch_in_task<setting>(me, {.x = 1}, "set", own, mine);
                  ++n_ran;
                });
}

yoke::task add(yoke::task_starter& on, const numbers& x, numbers& y, number factor,
               const yoke::task_options& options) {
  return on.launch<adding>({.x = n}, "add", options, in(x), inout(y), factor);
}

yoke::task fill(yoke::task_starter& on, numbers& x, number value, const yoke::task_options& options) {
  return on.launch<filling>({.x = n}, "fill", options, out(x), value);
}

yoke::task fill_by_kind(yoke::task_starter& on, numbers& x, const yoke::task_options& options) {
  return on.launch<yoke::variants<cpu<filling_ones>, gpu<filling_twos>>>({.x = n}, "fill by kind", options,
                                                                         out(x));
}

void fill_in(yoke::task_context& me, yoke::device_ptr<number> x, number value) {
  yoke::launch_in_task<filling>(me, {.x = n}, "fill", x, value);
}

void fill_elsewhere(yoke::task_context& me, yoke::device_ptr<number> x) {
  if (me.is_gpu()) return yoke::launch_in_task<yoke::variants<cpu<filling_ones>>>(me, {.x = n}, "fill", x);
  yoke::launch_in_task<yoke::variants<gpu<filling_twos>>>(me, {.x = n}, "fill", x);
}

void add_in(yoke::task_context& me, yoke::device_ptr<const number> x, yoke::device_ptr<number> y,
            number factor) {
  yoke::launch_in_task<adding>(me, {.x = n}, "add", x, y, factor);
}

bool lacks_emulated_devices(const yoke::runtime& rt) {
  bool all_are = !rt.devices().empty();
  for (const yoke::device* each : rt.devices()) all_are = all_are && each->info().emulated;
  if (!all_are) std::printf("[skipped] no device, or one that is not emulated\n");
  return !all_are;
}

yoke::detail::placed_role<number> adds_to(numbers& x) { return yoke::roles::reduce<yoke::plus>(x); }
yoke::detail::placed_role<number> raises(numbers& x) { return yoke::roles::reduce<yoke::largest>(x); }

}  // namespace task_tests
