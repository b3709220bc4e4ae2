/// Which loops open a parallel region: counted by OpenMP's own interface for tools.
#include <atomic>
#include <cstdint>
#include <omp-tools.h>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

std::atomic<int> regions{0};

void count_region(ompt_data_t*, const ompt_frame_t*, ompt_data_t*, unsigned, int, const void*) { ++regions; }

int start(ompt_function_lookup_t find, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(find("ompt_set_callback"));
  return set(ompt_callback_parallel_begin, reinterpret_cast<ompt_callback_t>(&count_region)) ==
                 ompt_set_always
             ? 1
             : 0;
}
void end(ompt_data_t*) {}

using namespace yoke::loops;
namespace dist = yoke::dist;

struct add_one {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x) const { x(at) += 1; }
};
struct add_up {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at);
  }
};

/// How many the call opens.
template <class Call>
int opened_by(const Call& call) {
  const int before = regions;
  call();
  return regions - before;
}

}  // namespace

/// libomp looks for it by this name.
extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t tool{&start, &end, {}};
  return &tool;
}

TEST_CASE("a loop opens one parallel region for CPU CUs, and none without them", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {3000}, {dist::block}};  // no replay is timed
  double sum = 0;
  const int by_loop = opened_by([&] { yoke::for_each<add_one>(rt, {3000}, inout(x)); });
  const int by_reduction =
      opened_by([&] { yoke::for_each<add_up>(rt, {3000}, in(x), yoke::loops::sum(sum)); });
  yoke::recording step = yoke::record(rt, [&] {
    for (int k = 0; k < 3; ++k) yoke::for_each<add_one>(rt, {3000}, inout(x));
  });
  const int by_replay = opened_by([&] { step.replay(); });
  const int wanted = rt.units().shape().cpu_units > 0 ? 1 : 0;
  CHECK(by_loop == wanted);
  CHECK(by_reduction == wanted);
  CHECK(by_replay == wanted);
  CHECK(sum == 3000);
  CHECK(x.gather() == std::vector<double>(3000, 4));
}

TEST_CASE("a loop over an array of GPUs alone opens no parallel region beside CPU CUs either", "[arrays]") {
  yoke::runtime rt;
  if (rt.units().shape().gpu_units == 0) return support::skip("no GPU CU");
  const dist::grid on = dist::grid{dist::any}.over(dist::gpus);
  yoke::array<double, 1> x{rt, {3000}, {dist::block}, on};
  double sum = 0;
  CHECK(opened_by([&] { yoke::for_each<add_one>(rt, {3000}, inout(x)); }) == 0);
  CHECK(opened_by([&] { yoke::for_each<add_up>(rt, {3000}, in(x), yoke::loops::sum(sum)); }) == 0);
  yoke::recording step = yoke::record(rt, [&] { yoke::for_each<add_one>(rt, {3000}, inout(x)); });
  CHECK(opened_by([&] { step.replay(); }) == 0);
  CHECK(sum == 3000);
  CHECK(x.gather() == std::vector<double>(3000, 2));
}
