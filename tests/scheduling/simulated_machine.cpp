#include "driver.hpp"

#include <limits>
#include <numeric>
#include <support/errors.hpp>

#include <yoke/error.hpp>
#include <yoke/learner.hpp>
#include <yoke/simulated_machine.hpp>
#include <yoke/zone_grid.hpp>

using namespace driver;

namespace {

simulated_unit cpu(seconds per_weight) { return {.alone = {0, per_weight}}; }
simulated_unit gpu(int space, seconds per_weight, link_speed link = {}) {
  return {.seen = {.kind = unit_kind::gpu, .space = space_id{space}},
          .alone = {0, per_weight},
          .group = 1,
          .to_host = link};
}

std::vector<simulated_pass> run(const char* schedule, const workload& work, const simulated_machine& on,
                                int passes = 1) {
  const std::vector<unit> units = on.seen();
  return simulate(*scheduling::make(schedule, work, units), work, on, {.passes = passes});
}

}  // namespace

TEST_CASE("units of a group slow each other down by as many as are at work", "[simulator]") {
  simulated_machine on{.units = {cpu(1), cpu(3)}, .slowdowns = {{{1, 1.0}, {2, 2.0}}}};
  const workload work{.n_tasks = 2};
  const auto passes = run("static", work, on);
  // Together at half speed until unit 0 is done at 2; unit 1 then has 2 of its 3 seconds left.
  CHECK(passes[0].busy == std::vector<seconds>{2, 4});
  CHECK(on.speeds()[1].per_weight == 6);
}

TEST_CASE("a slowdown is linear between the counts that it names and constant outside", "[simulator]") {
  const slowdown by{{2, 1.0}, {4, 3.0}};
  CHECK(slowdown_at(by, 1) == 1);
  CHECK(slowdown_at(by, 3) == 2);
  CHECK(slowdown_at(by, 9) == 3);
  CHECK(slowdown_at({}, 9) == 1);
}

TEST_CASE("groups do not slow each other down", "[simulator]") {
  const simulated_machine on{.units = {cpu(1), gpu(1, 0.5)}, .slowdowns = {{{1, 1.0}, {2, 2.0}}, {}}};
  CHECK(run("static", {.n_tasks = 2}, on)[0].busy == std::vector<seconds>{1, 0.5});
}

TEST_CASE("what a gone unit would have run stays undone, unless others may take it", "[simulator]") {
  simulated_machine on{.units = {cpu(1), cpu(1)}, .changes = {{unit_id{1}, 2, 0.0}, {unit_id{1}, 3, 0.5}}};
  const workload work{.n_tasks = 6};
  const auto fixed = run("static", work, on, 4);
  CHECK(fixed[1].undone == 0);
  CHECK(fixed[2].undone == 3);
  CHECK(fixed[2].busy[1] == 0);
  CHECK(fixed[3].undone == 0);
  CHECK(fixed[3].makespan() == 6);  // it came back at half speed
  const auto shared = run("dynamic", work, on, 4);
  CHECK(shared[2].undone == 0);
  CHECK(shared[2].makespan() == 6);
}

TEST_CASE("a machine without units and a change of a unit that it lacks are refused", "[simulator][errors]") {
  const workload work{.n_tasks = 1};
  const auto plan = scheduling::make("static", work, make_units(1, 0));
  CHECK_THROWS_AS(simulate(*plan, work, simulated_machine{}, {}), usage_error);
  simulated_machine on{.units = {cpu(1)}, .changes = {{unit_id{1}, 0, 1.0}}};
  CHECK_THROWS_AS(simulate(*plan, work, on, {}), usage_error);
}

TEST_CASE("data come to a device once, and what neighbours exchange in every pass", "[simulator]") {
  const simulated_machine on{.units = {gpu(1, 1, {.bandwidth = 100, .latency = 0.5})}};
  const workload alone{.n_tasks = 2, .bytes = {100, 200}};
  const auto passes = run("static", alone, on, 2);
  CHECK(passes[0].makespan() == Approx(2 + 2 * 0.5 + 3));
  CHECK(passes[1].makespan() == Approx(2));

  CHECK(moved_bytes({}, passes[0].map, alone, on.seen()) == 300);
  CHECK(moved_bytes(passes[0].map, passes[1].map, alone, on.seen()) == 0);

  const simulated_machine two{.units = {cpu(1), gpu(1, 1, {.bandwidth = 100, .latency = 0.5})}};
  const workload pair{.n_tasks = 2, .edges = {{task_id{0}, task_id{1}, 300}}};
  const auto together = run("static", pair, two, 2);
  CHECK(together[1].busy == std::vector<seconds>{1, 1 + 0.5 + 3});
  CHECK(exchanged_bytes(together[1].map, pair, two.seen()) == 300);
}

TEST_CASE("data that are set up where they are used first come to a device only when they move",
          "[simulator]") {
  const link_speed link{.bandwidth = 100};
  const simulated_machine on{.units = {cpu(1), gpu(1, 1, link)}};
  const workload work{.n_tasks = 2, .bytes = {100, 200}, .edges = {{task_id{0}, task_id{1}, 300}}};
  const auto plan = scheduling::make("static", work, on.seen());
  const auto passes = simulate(*plan, work, on, {.passes = 2, .data = data_start::in_place});
  CHECK(passes[0].map == std::vector<unit_id>{unit_id{0}, unit_id{1}});
  CHECK(passes[0].busy[1] <= 1 + 3.0);  // what comes before the other's first batch is not known yet
  CHECK(passes[1].busy == std::vector<seconds>{1, 1 + 3});

  const auto open = scheduling::make("dynamic", work, on.seen());
  const auto moving = simulate(*open, work, on, {.passes = 6, .data = data_start::in_place});
  const auto from_host = simulate(*scheduling::make("dynamic", work, on.seen()), work, on, {.passes = 6});
  CHECK(moving[0].busy[1] < from_host[0].busy[1]);
}

TEST_CASE("copies between two devices take their own link, or both links to the host", "[simulator]") {
  const link_speed link{.bandwidth = 100};
  simulated_machine on{.units = {gpu(1, 1, link), gpu(2, 1, link)}};
  const workload work{.n_tasks = 2, .edges = {{task_id{0}, task_id{1}, 100}, {task_id{1}, task_id{0}, 100}}};
  CHECK(run("static", work, on, 2)[1].busy == std::vector<seconds>{3, 3});  // 100 bytes come in, by two links
  on.between_devices = {.bandwidth = 200};
  CHECK(run("static", work, on, 2)[1].busy == std::vector<seconds>{1.5, 1.5});
}

TEST_CASE("noise and drift are the same for the same seed and have the spread that was asked for",
          "[simulator]") {
  simulated_machine on{.units = {cpu(1)}};
  on.units[0].noise = 0.2;
  const workload work{.n_tasks = 4000};
  const auto passes = run("static", work, on);
  CHECK(passes[0].makespan() == run("static", work, on)[0].makespan());
  CHECK(passes[0].makespan() / 4000 == Approx(1).epsilon(0.02));
  on.seed = 2;
  CHECK(passes[0].makespan() != run("static", work, on)[0].makespan());

  simulated_machine drifting{.units = {cpu(1)}};
  drifting.units[0].drift = 0.05;
  const auto walk = run("static", {.n_tasks = 1}, drifting, 400);
  CHECK(walk[0].makespan() == 1);
  double squares = 0;
  for (std::size_t p = 1; p < walk.size(); ++p)
    squares += std::pow(std::log(walk[p].makespan() / walk[p - 1].makespan()), 2);
  CHECK(std::sqrt(squares / 399) == Approx(0.05).epsilon(0.15));
}

TEST_CASE("batches are shown when they end", "[simulator]") {
  const simulated_machine on{.units = {cpu(1), cpu(2)}};
  const workload work{.n_tasks = 4};
  std::vector<seconds> ends;
  double tasks = 0;
  const auto watch = [&](const simulated_batch& seen) {
    ends.push_back(seen.end);
    tasks += static_cast<double>(seen.tasks.size());
    CHECK(seen.end - seen.begin == (seen.unit == 0 ? 1 : 2));
  };
  const std::vector<unit> units = on.seen();
  (void)simulate(*scheduling::make("dynamic", work, units), work, on, {.watcher = watch});
  CHECK(tasks == 4);
  CHECK(std::ranges::is_sorted(ends));
}

TEST_CASE("no schedule is better than the bound, and the best map found is near it",
          "[simulator][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 40; ++round) {
    simulated_machine on{.slowdowns = {{{1, 1.0}, {8, 1.5}, {16, 4.0}}, {}}};
    for (int n = 0; n < 1 + round % 16; ++n) on.units.push_back(cpu(1));
    if (round % 3 == 0) on.units.push_back(gpu(1, real(rng, 0.01, 0.5)));
    workload work{.n_tasks = 200};
    for (int t = 0; t < 200; ++t) work.weights.push_back(real(rng, 1, 3));
    const known_best best = best_of(on, work);
    CHECK(best.found >= best.bound * (1 - 1e-12));
    CHECK(best.found <= 1.15 * best.bound);
    for (const char* name : {"static", "dynamic", "cost", "partition"})
      CHECK(run(name, work, on, 8).back().makespan() >= best.bound * 0.999);
  }
  CHECK(best_of({.units = {cpu(1)}}, {}).found == 0);
}

TEST_CASE("crowded units are left out of the best map where fewer do more", "[simulator]") {
  const simulated_machine on{.units = {cpu(1), cpu(1), cpu(1), cpu(1)},
                             .slowdowns = {{{1, 1.0}, {2, 1.0}, {4, 10.0}}}};
  CHECK(best_of(on, {.n_tasks = 10}).found == 5);
}

TEST_CASE("zones that cannot be, or have more bytes than addresses count, are refused", "[scheduling]") {
  const auto refusal = [](const auto& call) { return support::message_of<yoke::usage_error>(call); };
  const int most = std::numeric_limits<int>::max();
  CHECK_THAT(
      refusal([&] { static_cast<void>(zones_of({.gx = most, .gy = most, .gz = most}, 80, 40)); }),
      Catch::Matchers::Contains("zones_of: a zone of 2147483647 x 2147483647 x 2147483647 elements with 80 "
                                "bytes each"));
  CHECK_THAT(refusal([&] { static_cast<void>(zones_of({.gx = 9, .gy = 9, .gz = 9, .x_zones = 0}, 80, 40)); }),
             Catch::Matchers::Contains("0 x 1 zones of 9 x 9 x 9 points with ratio 1: there is one zone"));
#ifndef YOKE_SANITIZED  // its allocator ends the process
  CHECK_THAT(
      refusal([&] {
        static_cast<void>(
            zones_of({.gx = 46340, .gy = 46340, .gz = 3, .x_zones = 46340, .y_zones = 46340}, 8, 8));
      }),
      Catch::Matchers::Contains("zones_of: 46340 x 46340 zones of 46340 x 46340 x 3 points with ratio ") &&
          Catch::Matchers::EndsWith("there is no memory for so many zones"));
#endif
  CHECK_THAT(refusal([&] { static_cast<void>(zones_of({.gx = 2, .gy = 9, .gz = 9, .x_zones = 3}, 80, 40)); }),
             Catch::Matchers::Contains("too few points"));
  const workload thin = zones_of({.gx = 3, .gy = 9, .gz = 3, .x_zones = 3}, 8, 8);
  CHECK(thin.weights == std::vector<double>{0, 0, 0});
}

TEST_CASE("bytes of tasks that add up to more than addresses count are refused", "[scheduling]") {
  const std::size_t half = std::size_t{1} << 62;
  const std::vector<unit> one(1);
  const auto told = [&](workload work) {
    return support::message_of<yoke::usage_error>(
        [&] { static_cast<void>(scheduling::make("static", std::move(work), one)); });
  };
  CHECK_THAT(told({.n_tasks = 2, .bytes = {half, half}}),
             Catch::Matchers::Contains("the bytes of the tasks add up to more than 9223372036854775807"));
  CHECK_THAT(told({.n_tasks = 2, .edges = {{task_id{0}, task_id{1}, half}, {task_id{1}, task_id{0}, half}}}),
             Catch::Matchers::Contains("the bytes of the edges add up"));
}

TEST_CASE("zones of a grid are tasks with interior points, bytes and periodic neighbours", "[scheduling]") {
  const workload work = zones_of({.gx = 24, .gy = 18, .gz = 6, .x_zones = 2, .y_zones = 1}, 80, 40);
  CHECK(work.weights == std::vector<double>{10.0 * 16 * 4, 10.0 * 16 * 4});
  CHECK(work.bytes == std::vector<std::size_t>{12 * 18 * 6 * 80, 12 * 18 * 6 * 80});
  REQUIRE(work.edges.size() == 8);
  std::size_t to_other = 0;
  for (const edge& e : work.edges) to_other += e.from != e.to ? e.bytes : 0;
  CHECK(to_other == 4 * (16 * 4 * 40));
}

namespace {

/// `static`, which notes what it is told before the first pass.
class listener final : public schedule, public learner {
 public:
  listener(const workload& work, std::span<const unit> units)
      : map_{scheduling::make("static", work, units)} {}

  std::span<const task_id> next(unit_id unit, pass_id pass) override { return map_->next(unit, pass); }
  void done(unit_id, pass_id, std::span<const task_id>, seconds) override {}
  void prepare(pass_id pass) override { map_->prepare(pass); }
  pass_plan plan_of(pass_id pass) const override { return map_->plan_of(pass); }
  std::string describe() const override { return "listener"; }
  learner* learning() override { return this; }
  bool wants_rehearsal() const override { return true; }
  void rehearsed(unit_id unit, double weight, seconds time) override { told.push_back({unit, weight, time}); }

  struct rehearsal {
    unit_id unit;
    double weight;
    seconds time;
    bool operator==(const rehearsal&) const = default;
  };
  std::vector<rehearsal> told;

 private:
  std::unique_ptr<schedule> map_;
};

}  // namespace

TEST_CASE("units rehearse the first of their tasks, all at a time, where that is asked for", "[simulator]") {
  const workload work{.n_tasks = 4, .weights = {1, 2, 3, 4}};
  const simulated_machine on{.units = {cpu(1), cpu(10)}, .slowdowns = {{{1, 1.0}, {2, 2.0}}}};
  listener hears{work, on.seen()};
  const std::vector<unit_id> map = hears.plan_of(0).map;
  const auto first = std::ranges::find(map, unit_id{1}) - map.begin();
  const double weight = work.weights[static_cast<std::size_t>(first)];
  (void)simulate(hears, work, on, {.passes = 1, .rehearse = true});
  CHECK(hears.told ==
        std::vector<listener::rehearsal>{{unit_id{0}, 1, 2}, {unit_id{1}, weight, 20 * weight}});
  listener deaf{work, on.seen()};
  (void)simulate(deaf, work, on, {.passes = 1});
  CHECK(deaf.told.empty());
}
