// Zones that are rehearsed before the others are set up.

#include "driver/run/warm_up.hpp"
#include "marching.hpp"
#include "stretches.hpp"

#include <algorithm>
#include <support/catch.hpp>
#include <support/variable.hpp>
#include <vector>

#include <yoke/learner.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/settings.hpp>

namespace {

/// A march of six zones under `auto`, on a CPU and an emulated GPU with these options.
struct rehearsing {
  std::unique_ptr<npb::benchmark> what;
  yoke::runtime rt{
      {.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  npb::march zones{rt, *what, npb::exchange_mode::dataflow, true};
  yoke::task_loop loop =
      rt.make_loop(yoke::scheduling::make("auto", zones.work(), rt.schedule_units()), zones.work());

  explicit rehearsing(npb::benchmark_kind kind) : what{six_zones(kind)} {}

  npb::zone_norms norms_after(int steps) {
    zones.set_up(loop.prepare().map);
    zones.restart(steps);
    zones.run(loop, steps);
    return npb::total_norms(zones.norms());
  }
  bool has_zones_on_the_gpu() const {
    return std::ranges::any_of(zones.places(), [](yoke::space_id space) { return space > yoke::host_space; });
  }
};

/// All zones on CU 1, and a wish for so many passes before time counts.
class wanting final : public yoke::schedule, private yoke::learner {
 public:
  explicit wanting(yoke::pass_id passes) : wanted_{passes} {}

  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    return all_.next(unit, pass);
  }
  yoke::pass_plan plan_of(yoke::pass_id pass) const override { return all_.plan_of(pass); }
  std::string describe() const override { return "wants more"; }
  yoke::learner* learning() override { return this; }

 private:
  bool wants_warm_up() const override { return ran_ < wanted_; }
  void ran(yoke::pass_id, yoke::pass_id passes, yoke::seconds) override { ran_ += passes; }

  in_stretches all_{{{yoke::pass_plan::for_good, map_of_zones(6, yoke::unit_id{1})}}};
  yoke::pass_id wanted_, ran_ = 0;
};

}  // namespace

TEST_CASE("zones that were rehearsed first give the bits of others", "[npb]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    INFO(npb::short_name(kind));
    rehearsing under{kind};
    const std::vector<yoke::unit_id> first = under.loop.prepare().map;
    REQUIRE(std::ranges::count(first, yoke::unit_id{1}) > 0);
    REQUIRE(under.zones.rehearse_first(under.loop, first, true));
    CHECK(under.norms_after(7) == marching{6, kind}.norms_after({7}));
  }
}

TEST_CASE("nothing is set up on a device of which a rehearsal tells that it cannot help", "[npb]") {
  yoke::detail::set_environment("YOKE_EMULATED", "slowdown=400");
  rehearsing under{npb::benchmark_kind::sp};
  yoke::detail::unset_environment("YOKE_EMULATED");
  REQUIRE(under.zones.rehearse_first(under.loop, under.loop.prepare().map, true));
  under.zones.set_up(under.loop.prepare().map);
  CHECK_FALSE(under.has_zones_on_the_gpu());
  CHECK(under.norms_after(3) == marching{6}.norms_after({3}));
}

TEST_CASE("a schedule that asks for no rehearsal gets none first", "[npb]") {
  marching under{3};
  npb::march zones{under.rt, *under.what, npb::exchange_mode::dataflow, true};
  yoke::task_loop loop = zones.assigned(under.map);
  CHECK_FALSE(zones.rehearse_first(loop, under.map, false));
  rehearsing unknown{npb::benchmark_kind::sp};
  CHECK_FALSE(unknown.zones.rehearse_first(unknown.loop, {}, false));
}

TEST_CASE("a schedule that will look at its map soon gets the passes until then before time counts",
          "[npb]") {
  constexpr int many = 100, few = 10;
  const auto passes_of = [](npb::march& zones, yoke::task_loop& loop, int steps) {
    npb::warm_up(zones, loop, steps, yoke::now());
    return loop.pass();
  };
  for (const int steps : {many, few}) {
    rehearsing under{npb::benchmark_kind::sp};
    npb::set_up(under.zones, under.loop, false);
    const yoke::pass_id passes = passes_of(under.zones, under.loop, steps);
    CAPTURE(steps, passes);
    CHECK((passes == 1 || passes >= 5));
    CHECK(passes <= 1 + 2 * 16);
    if (steps == many) CHECK(passes >= 5);
  }
  marching under{3};
  npb::march zones{under.rt, *under.what, npb::exchange_mode::dataflow, true};
  yoke::task_loop loop = zones.assigned(under.map);
  npb::set_up(zones, loop, false);
  CHECK(passes_of(zones, loop, many) == 1);
}

TEST_CASE("a map that is new after the steps that warm up is warmed up too", "[npb]") {
  constexpr int many = 100, few = 10;
  const map_of_zones first(6, yoke::unit_id{1});
  map_of_zones second = first;
  second.front() = yoke::unit_id{0};
  for (const int steps : {many, few}) {
    const yoke::pass_id warmed = steps == many ? 5 : 1;
    marching under{0};
    const std::vector<stretch> maps{{warmed, first}, {yoke::pass_plan::for_good, second}};
    yoke::task_loop loop = under.rt.make_loop(std::make_unique<in_stretches>(maps), under.zones.work());
    npb::set_up(under.zones, loop, false);
    npb::warm_up(under.zones, loop, steps, yoke::now());
    CAPTURE(steps);
    CHECK(loop.pass() == warmed + 4);
  }
}

TEST_CASE("a schedule that learns gets the steps that it wants before time counts, as far as they are little",
          "[npb]") {
  const auto passes_of = [](int wanted, int steps, yoke::seconds since_begin) {
    marching under{0};
    yoke::task_loop loop = under.rt.make_loop(std::make_unique<wanting>(wanted), under.zones.work());
    npb::set_up(under.zones, loop, false);
    npb::warm_up(under.zones, loop, steps,
                 yoke::now() - static_cast<yoke::ticks>(since_begin / yoke::tick_length()));
    return loop.pass();
  };
  constexpr yoke::seconds hour = 3600;
  CHECK(passes_of(0, 100, hour) == 1);
  CHECK(passes_of(18, 100, hour) == 21);
  CHECK(passes_of(18, 10, hour) == 1);
  CHECK(passes_of(1000, 100, hour) == 65);
  CHECK(passes_of(1000, 50, 0) < 65);
}
