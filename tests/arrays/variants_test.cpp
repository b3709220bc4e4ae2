/// Loops with another body for a kind of compute unit.
#include <cmath>
#include <cstdint>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

/// Of the host alone.
double from_host(double value) { return std::floor(value) + 1; }

struct on_cpu {
  void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, double by) const { x(at) = from_host(by); }
};
struct on_gpu {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, double by) const {
    x(at) = by + 2;
  }
};
struct count_on_cpu {
  void operator()(yoke::loop_index<1>, yoke::partial<std::int64_t>& cpus,
                  yoke::partial<std::int64_t>&) const {
    cpus += 1;
  }
};
struct count_on_gpu {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::partial<std::int64_t>&,
                          yoke::partial<std::int64_t>& gpus) const {
    gpus += 1;
  }
};

using both = yoke::variants<cpu<on_cpu>, gpu<on_gpu>>;
using cpus_only = yoke::variants<cpu<on_cpu>>;
using gpus_only = yoke::variants<gpu<on_gpu>>;

/// What each index must have.
std::vector<double> by_owner(const yoke::runtime& rt, const yoke::array<double, 1>& x, double cpu_has,
                             double gpu_has) {
  std::vector<double> wanted;
  for (int unit = 0; unit < rt.units().size(); ++unit)
    wanted.resize(wanted.size() + static_cast<std::size_t>(x.rows_of(unit).size()),
                  unit < rt.units().shape().cpu_units ? cpu_has : gpu_has);
  return wanted;
}

/// 1 for each CU of one kind, 0 for the others.
yoke::distribution only(const yoke::runtime& rt, bool cpus) {
  std::vector<double> weights;
  for (int unit = 0; unit < rt.units().size(); ++unit)
    weights.push_back((unit < rt.units().shape().cpu_units) == cpus ? 1 : 0);
  return dist::weighted(weights);
}

}  // namespace

TEST_CASE("each CU runs the body for its kind", "[arrays][variants]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {3000}};
  yoke::for_each<both>(rt, {3000}, out(x), 4.5);
  CHECK(x.gather() == by_owner(rt, x, 5, 6.5));
  yoke::for_each<yoke::variants<gpu<on_gpu>, cpu<on_cpu>>>(rt, {3000}, out(x), 1.5);
  CHECK(x.gather() == by_owner(rt, x, 2, 3.5));
}

TEST_CASE("a CU without a body takes no part, and has no rows", "[arrays][variants]") {
  yoke::runtime rt;
  const auto shape = rt.units().shape();
  if (shape.cpu_units > 0) {
    yoke::array<double, 1> x{rt, {50}, {only(rt, true)}};
    yoke::for_each<cpus_only>(rt, {50}, out(x), 1.0);
    CHECK(x.gather() == std::vector<double>(50, 2.0));
  }
  if (shape.gpu_units > 0) {
    yoke::array<double, 1> x{rt, {50}, {only(rt, false)}};
    yoke::for_each<gpus_only>(rt, {50}, out(x), 1.0);
    CHECK(x.gather() == std::vector<double>(50, 3.0));
  }
}

TEST_CASE("a CU with rows and without a body is refused before anything runs", "[arrays][variants]") {
  yoke::runtime rt;
  const auto shape = rt.units().shape();
  if (shape.cpu_units == 0 || shape.gpu_units == 0) return support::skip("one kind of CUs only");
  yoke::array<double, 1> x{rt, {60}, {dist::block}}, replica{rt, {60}, {dist::duplicate}};
  CHECK_THAT(
      refusal([&] { yoke::for_each<cpus_only>(rt, {60}, out(x), 1.0); }),
      Contains("for_each 'on_cpu': unit " + std::to_string(shape.cpu_units)) && Contains("no gpu<body>"));
  CHECK_THAT(refusal([&] { yoke::for_each<gpus_only>(rt, {60}, out(x), 1.0); }),
             Contains("for_each 'on_gpu': unit 0 has the indices [0, ") && Contains("no cpu<body>"));
  CHECK_THAT(refusal([&] { yoke::for_each<cpus_only>(rt, {60}, out(replica), 1.0); }),
             Contains("no gpu<body>"));
  CHECK(x.gather() == std::vector<double>(60));
}

TEST_CASE("a loop without arrays is shared among those who have a body", "[arrays][variants]") {
  yoke::runtime rt;
  const auto shape = rt.units().shape();
  std::int64_t cpus = 0, gpus = 0;
  using counts = yoke::variants<cpu<count_on_cpu>, gpu<count_on_gpu>>;
  yoke::for_each<counts>(rt, {{-7, 5000}}, sum(cpus), sum(gpus));
  CHECK(cpus + gpus == 5007);
  CHECK((gpus > 0) == (shape.gpu_units > 0));
  CHECK((cpus > 0) == (shape.cpu_units > 0));
  const auto count_cpus = [&] {
    yoke::for_each<yoke::variants<cpu<count_on_cpu>>>(rt, {5000}, sum(cpus), sum(gpus));
  };
  const auto count_gpus = [&] {
    yoke::for_each<yoke::variants<gpu<count_on_gpu>>>(rt, {5000}, sum(cpus), sum(gpus));
  };
  cpus = gpus = 0;
  if (shape.cpu_units > 0) {
    count_cpus();
    CHECK(cpus == 5000);
  } else {
    CHECK_THAT(refusal(count_cpus), Contains("the runtime has no CPU CU"));
  }
  if (shape.gpu_units > 0) {
    count_gpus();
    CHECK(gpus == 5000);
  } else {
    CHECK_THAT(refusal(count_gpus), Contains("the runtime has no GPU CU"));
  }
}
