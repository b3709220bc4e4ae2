#include "loops.hpp"

#include <yoke/zone_step.hpp>

namespace task_loops {

namespace {

struct smooth_row {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const number, 1> from,
                          yoke::view<number, 1> to) const {
    to(at) = 3 * to(at) + from(at.i - 1) + from(at.i + 1);
  }
};
struct fill_row {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<number, 1> to, number value) const {
    to(at) = value;
  }
};
struct smooth_zone {
  YOKE_HD void operator()(const yoke::loop_index<1>& at, yoke::view<const number, 1> from,
                          yoke::view<number, 1> to, number value) const {
    to(at) = 3 * to(at) + from(at.i - 1) + from(at.i + 1) + value;
  }
};
struct fill_zone {
  YOKE_HD void operator()(const yoke::loop_index<1>& at, yoke::view<number, 1> to, number value) const {
    to(at) = value;
  }
};
struct fill_object {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<number> to, number value) const {
    to[at.x] = value;
  }
};
struct add_object {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const number> from,
                          yoke::device_ptr<number> to) const {
    to[at.x] = 3 * to[at.x] + from[at.x];
  }
};

}  // namespace

yoke::zones ring_of(yoke::runtime& rt) {
  return yoke::zones{rt, n_zones, [](int) { return yoke::zone_extents<1>{n_points}; }};
}

void smooth(yoke::runtime& rt, const row& from, row& to) {
  yoke::for_each<smooth_row>(rt, {{1, n - 1}}, in(from), inout(to));
}
void fill(yoke::runtime& rt, row& to, number value) { yoke::for_each<fill_row>(rt, {n}, out(to), value); }
void smooth(yoke::zones& of, const field& from, field& to, number value) {
  of.record([&](yoke::zone_step& s) {
      s.launch<smooth_zone>("smooth", in(from), inout(to), value);
    }).replay();
}
void fill(yoke::zones& of, field& to, number value) {
  of.record([&](yoke::zone_step& s) { s.launch<fill_zone>("fill", out(to), value); }).replay();
}
yoke::task fill(yoke::task_group& g, yoke::placed<number>& to, number value) {
  return g.launch<fill_object>({.x = n}, "fill", out(to), value);
}
yoke::task add(yoke::task_group& g, const yoke::placed<number>& from, yoke::placed<number>& to) {
  return g.launch<add_object>({.x = n}, "add", in(from), inout(to));
}

numbers points_of(const field& of) {
  numbers all;
  for (int zone = 0; zone < n_zones; ++zone) {
    const yoke::view<const number, 1> there = of.host(zone);
    for (std::int64_t i = 0; i < n_points; ++i) all.push_back(there(i));
  }
  return all;
}

}  // namespace task_loops
