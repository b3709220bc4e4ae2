/// Does not compile, for fourteen reasons.
#include <string>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

struct body {
  void operator()(yoke::loop_index<1>, const auto&...) const {}
};
struct body_with_state {
  int value = 0;
  void operator()(yoke::loop_index<1>) const {}
};

struct copies {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, yoke::view<double, 1> y) const {
    y(at) = x(at);
  }
};
struct tiles : yoke::tiled<8> {
  void operator()(const yoke::tile<1>&, const auto&...) const {}
};
struct wide {
  static constexpr yoke::block_shape block{64, 32, 1};
  void operator()(yoke::loop_index<2>, int) const {}
};
struct parts : yoke::whole_part {
  void operator()(const yoke::part<1>&, const auto&...) const {}
};

}  // namespace

int main() {
  yoke::runtime rt;
  const yoke::array<std::string, 1> x{rt, {3}};
  yoke::for_each<body_with_state>(rt, {3});
  int value = 0;
  yoke::for_each<body>(rt, {3}, &value);
  std::vector<double> host(3);
  const yoke::streamed y{rt, host, {3}};
  double sum = 0;
  yoke::for_each<body>(rt, {3}, yoke::roles::in(y), yoke::loops::sum(sum));
  yoke::for_each<tiles>(rt, {3}, yoke::loops::sum(sum));
  yoke::for_each<parts>(rt, {3}, yoke::roles::in(y));
  yoke::for_each<wide>(rt, {3, 3}, 1);
  const yoke::array<double, 1> written{rt, {3}, yoke::attach(std::as_const(host))};
  yoke::array<const double, 1> read{rt, {3}, yoke::attach(host)};
  yoke::for_each<body>(rt, {3}, yoke::roles::out(read));
  yoke::array<double, 1> a{rt, {3}}, b{rt, {3}};
  yoke::for_each<copies>(rt, {3}, yoke::roles::in(a), yoke::roles::out(b));
  yoke::for_each<yoke::variants<yoke::loops::cpu<copies>, yoke::loops::gpu<body>>>(rt, {3},
                                                                                   yoke::roles::inout(b));
  yoke::for_each(rt, {3}, 1.0, 2.0);
  yoke::for_each(rt, {3}, 1.0, [host](yoke::loop_index<1>, double) {});
  yoke::for_each(rt, {3}, 1.0, [value](yoke::loop_index<1>, double) mutable { ++value; });
}
