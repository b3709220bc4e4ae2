#include "marching.hpp"

#include <algorithm>
#include <stdexcept>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/scheduling.hpp>

TEST_CASE("steps in several runs, and after a restart, have the bits of one run", "[npb]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    const npb::zone_norms expected = marching{6, kind}.norms_after({7});
    for (const int n_on_cpu : {0, 1, 3, 6}) {
      INFO(npb::short_name(kind) << ", " << n_on_cpu << " zones on the CPU");
      marching under{n_on_cpu, kind};
      CHECK(under.norms_after({7}) == expected);
      CHECK(under.norms_after({3, 4}) == expected);
      CHECK(under.norms_after({1, 1, 5}) == expected);
      under.norms_after({2});
      CHECK(under.norms_after({7}) == expected);
    }
  }
}

TEST_CASE("a run that fails while inner zones are ahead can be followed by another with the same bits",
          "[npb]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    const npb::zone_norms expected = marching{6, kind}.norms_after({7});
    marching under{1, kind};
    for (const int failing : {0, 1, 2, 3, 6}) {
      INFO(npb::short_name(kind) << ", the CPU fails in step " << failing);
      under.zones.restart(7);
      yoke::task_loop loop = under.zones.assigned(under.map);
      CHECK_THROWS_WITH(under.zones.run(loop, 7,
                                        [&](int step) {
                                          if (step == failing) throw std::runtime_error{"out of order"};
                                        }),
                        "out of order");
      CHECK(under.norms_after({7}) == expected);
    }
  }
}

TEST_CASE("a schedule that tells maps but never settles gives the same bits", "[npb]") {
  const npb::zone_norms expected = marching{6}.norms_after({14});
  marching under{0};
  yoke::task_loop loop = under.rt.make_loop(
      yoke::scheduling::make("cost", under.zones.work(), under.rt.schedule_units()), under.zones.work());
  loop.set_timing(false);
  under.zones.restart(14);
  under.zones.run(loop, 14);
  CHECK_FALSE(loop.prepare().is_settled());
  CHECK(npb::total_norms(under.zones.norms()) == expected);
}

TEST_CASE("zones are where a schedule that measures wants them, and steps keep their bits as it decides",
          "[npb]") {
  const npb::zone_norms expected = marching{6}.norms_after({9});
  for (const char* name : {"static-hybrid", "cost"}) {
    INFO(name);
    marching under{0};
    yoke::task_loop loop = under.rt.make_loop(
        yoke::scheduling::make(name, under.zones.work(), under.rt.schedule_units()), under.zones.work());
    const std::vector<yoke::unit_id> first = loop.prepare().map;
    REQUIRE(std::ranges::count(first, yoke::unit_id{0}) == 3);  // half for each kind
    npb::march zones{under.rt, *under.what, npb::exchange_mode::dataflow, true};
    zones.set_up(first);
    zones.restart(9);
    for (int pass = 0; pass < 9; ++pass) {
      zones.run(loop, 1);
      if (pass < 5) CHECK(zones.accounts().front().tasks == 3 * (pass + 1));
      CHECK(loop.plan().plan_of(pass).is_settled() == (pass >= 5));
    }
    CHECK(npb::total_norms(zones.norms()) == expected);
  }
}

namespace {

/// Zone 0 on the CPU, all others on the GPU; until pass 4 the GPU gets them in two pieces every other pass,
/// as while a schedule measures. The first piece is the zones that have zone 0 for a neighbour.
class in_pieces final : public yoke::schedule {
 public:
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    state& own = states_[static_cast<std::size_t>(unit)];
    if (own.pass != pass) own = {pass, 0};
    const std::span<const yoke::task_id> all{tasks_};
    const int n = own.given++;
    if (unit == 0) return n == 0 ? all.first(1) : all.first(0);
    const bool split = pass < 4 && pass % 2 == 0;
    if (!split) return n == 0 ? all.subspan(1) : all.first(0);
    return n == 0 ? all.subspan(1, 2) : n == 1 ? all.subspan(3) : all.first(0);
  }
  yoke::pass_plan plan_of(yoke::pass_id pass) const override {
    return {.map = {cpu, gpu, gpu, gpu}, .until = pass >= 4 ? yoke::pass_plan::for_good : pass + 1};
  }
  std::string describe() const override { return "in pieces"; }

 private:
  struct state {
    yoke::pass_id pass = -1;
    int given = 0;
  };
  static constexpr yoke::unit_id cpu{0}, gpu{1};
  std::vector<yoke::task_id> tasks_{yoke::task_id{0}, yoke::task_id{1}, yoke::task_id{2}, yoke::task_id{3}};
  state states_[2];
};

}  // namespace

TEST_CASE("pieces of a share are laid out apart from the border of the whole share with the same zones",
          "[npb]") {
  const auto what =
      npb::sp::make_benchmark(npb::make_custom_problem(npb::benchmark_kind::sp, 'S', {29, 23, 9, 2, 2}));
  yoke::runtime rt{
      {.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  const auto norms_under = [&](std::unique_ptr<yoke::schedule> plan) {
    npb::march zones{rt, *what, npb::exchange_mode::dataflow, true};
    yoke::task_loop loop = rt.make_loop(std::move(plan), zones.work());
    zones.set_up(loop.prepare().map);
    zones.restart(9);
    zones.run(loop, 9);
    return npb::total_norms(zones.norms());
  };
  const auto on_cpu = std::vector<yoke::unit_id>(4, yoke::unit_id{0});
  CHECK(norms_under(std::make_unique<in_pieces>()) ==
        norms_under(std::make_unique<npb::assigned_schedule>(on_cpu, 2)));
}

TEST_CASE("graphs are of steps that send faces, also when a run ends as they become due", "[npb]") {
  marching under{0};
  under.zones.restart(6);
  yoke::task_loop loop = under.zones.assigned(under.map);
  under.zones.run(loop, 2);
  CHECK(under.zones.accounts().back().replays == 0);  // the second step is due, but the last of its run
  under.zones.run(loop, 4);
  CHECK(under.zones.accounts().back().replays == 3);  // the last is launched anew
}

TEST_CASE("a run in which a call of the device fails can be followed by another with the same bits",
          "[npb]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    const npb::zone_norms expected = marching{6, kind}.norms_after({7});
    for (const int n_on_cpu : {0, 1, 3}) {
      marching under{n_on_cpu, kind};
      const auto check = [&](const yoke::emulated_options& fault) {
        INFO(npb::short_name(kind) << ", " << n_on_cpu << " zones on the CPU, launch " << fault.fail_launch
                                   << " or copy " << fault.fail_copy << " fails");
        under.zones.restart(7);
        yoke::task_loop loop = under.zones.assigned(under.map);
        under.device().set_faults(fault);
        CHECK_THROWS_AS(under.zones.run(loop, 7), yoke::device_error);
        under.device().set_faults({});
        CHECK(under.norms_after({7}) == expected);
      };
      for (const int k : {1, 2, 5, 9}) check({.fail_launch = k});
      if (n_on_cpu > 0)
        for (const int k : {1, 4, 11}) check({.fail_copy = k});
    }
  }
}

TEST_CASE("in a settled map each step takes one message into a device and one out of it", "[npb]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    for (const int n_on_cpu : {0, 1, 3, 5}) {
      INFO(npb::short_name(kind) << ", " << n_on_cpu << " zones on the CPU");
      marching under{n_on_cpu, kind};
      const auto copies_of = [&](int steps) {
        under.zones.restart(steps);
        yoke::task_loop loop = under.zones.assigned(under.map);
        const std::size_t before = under.device().statistics().copies;
        under.zones.run(loop, steps);
        return under.device().statistics().copies - before;
      };
      (void)copies_of(9);  // lays the batches out
      const std::size_t of_ten_steps = copies_of(19) - copies_of(9);
      CHECK(of_ten_steps == (n_on_cpu == 0 ? 0 : 20));
    }
  }
}
