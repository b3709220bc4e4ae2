/// Does not compile, for five reasons.
#include <yoke/runtime.hpp>
#include <yoke/zone_sum.hpp>

namespace {

struct moves {
  YOKE_HD void operator()(const yoke::loop_index<1>& at, yoke::view<double, 1> u,
                          yoke::view<double, 1> v) const {
    v(at) = u(at);
  }
};
struct adds {
  YOKE_HD void operator()(const yoke::loop_index<1>& at, yoke::view<const double, 1> u, double& sum) const {
    sum += u(at);
  }
};

}  // namespace

int main() {
  yoke::runtime rt;
  yoke::zones blocks{rt, 1, [](int) { return yoke::zone_extents<1>{8}; }};
  yoke::zoned<double, 1> u{blocks}, v{blocks};
  static_cast<void>(blocks.record([&](yoke::zone_step& s) {
    s.launch<moves>("views", in(u), out(v));
    s.launch<moves>("numbers", inout(u));
    s.call("site", [](const yoke::zone_site&, yoke::view<double, 1>) {}, in(u));
    s.call_batch("batch", [](const yoke::zone_site&, yoke::view<double, 1>) {}, out(u));
  }));
  return yoke::zone_sum<adds>(blocks, "sum", in(u, yoke::interior)) > 0 ? 0 : 1;
}
