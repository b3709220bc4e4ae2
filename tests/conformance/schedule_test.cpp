#include "../scheduling/driver.hpp"

#include <map>
#include <utility>

// Every schedule passes this suite; a new one joins it by being in the list of schedules.

using namespace driver;

namespace {

/// Whether a pass went as `plan` says: each task to its unit, or to another CPU CU where these share.
bool keeps_to(const pass_plan& plan, const std::vector<int>& unit_of, const std::vector<unit>& units) {
  const auto is_cpu = [&](int u) { return units[static_cast<std::size_t>(u)].kind == unit_kind::cpu; };
  return std::equal(
      plan.map.begin(), plan.map.end(), unit_of.begin(), unit_of.end(),
      [&](int told, int seen) { return told == seen || (plan.cpus_share && is_cpu(told) && is_cpu(seen)); });
}

}  // namespace

TEST_CASE("every schedule runs each task exactly once in every pass under random interleavings",
          "[scheduling][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 100; ++round)
    for (const scheduling::schedule_info& info : scheduling::all()) {
      const auto [units, work, spec] = draw_case(rng, info);
      const int passes = between(rng, 1, 12);
      CAPTURE(spec, round, units.size(), work.n_tasks, passes);
      const auto plan = scheduling::make(spec, work, units);
      const record seen = run_interleaved(*plan, work.n_tasks, static_cast<int>(units.size()), passes, rng,
                                          random_times(rng));
      REQUIRE(seen.twice == 0);
      REQUIRE(seen.missing() == 0);
      REQUIRE(seen.spans_changed == 0);
    }
}

TEST_CASE("from the pass on from which a map holds for good every pass has it", "[scheduling][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 50; ++round)
    for (const scheduling::schedule_info& info : scheduling::all()) {
      const auto [units, work, spec] = draw_case(rng, info);
      CAPTURE(spec, round, units.size(), work.n_tasks);
      const auto plan = scheduling::make(spec, work, units);
      const record seen =
          run_interleaved(*plan, work.n_tasks, static_cast<int>(units.size()), 12, rng, random_times(rng));
      const pass_id settled = settled_from(*plan);
      const pass_plan last = plan->plan_of(pass_plan::for_good - 1);
      REQUIRE(last.is_settled() == (settled >= 0));
      REQUIRE(last.map.size() == (settled >= 0 ? static_cast<std::size_t>(work.n_tasks) : 0));
      if (settled < 0) continue;
      for (std::size_t pass = static_cast<std::size_t>(settled); pass < seen.unit_of.size(); ++pass) {
        REQUIRE(plan->plan_of(static_cast<pass_id>(pass)).map == last.map);
        REQUIRE(keeps_to(last, seen.unit_of[pass], units));
      }
    }
}

/// Tasks of each batch of a pass, by unit.
using pieces_of_gpus = std::map<std::size_t, std::vector<std::size_t>>;

TEST_CASE("a prepared pass has the plan that was told, while a schedule measures too, until it says",
          "[scheduling][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 20; ++round)
    for (const scheduling::schedule_info& info : scheduling::all()) {
      const auto [units, work, spec] = draw_case(rng, info);
      const auto plan = scheduling::make(spec, work, units);
      const batch_time times = random_times(rng);
      record seen;
      seen.unit_of.assign(12, std::vector<int>(static_cast<std::size_t>(work.n_tasks), -1));
      std::vector<agent> agents;
      for (std::size_t u = 0; u < units.size(); ++u) agents.push_back({.id = unit_id{static_cast<int>(u)}});
      int told = 0;
      pass_plan next;
      pieces_of_gpus pieces;
      for (pass_id pass = 0; pass < 12; ++pass) {
        CAPTURE(spec, round, pass, units.size(), work.n_tasks);
        const pass_plan last = std::move(next);
        plan->prepare(pass);
        next = plan->plan_of(pass);
        REQUIRE((next.is_open() || next.until > pass));
        if (pass < last.until) REQUIRE((next.map == last.map && next.until == last.until));
        const pieces_of_gpus before = std::exchange(pieces, {});
        for (agent& a : agents)
          while (a.pass == pass) {
            a.step(*plan, seen, times);
            const auto u = static_cast<std::size_t>(int{a.id});
            if (!a.batch.empty() && units[u].kind == unit_kind::gpu) pieces[u].push_back(a.batch.size());
          }
        if (pass < last.until) REQUIRE(pieces == before);
        REQUIRE(plan->plan_of(pass).map == next.map);
        if (next.is_open()) continue;
        ++told;
        REQUIRE(next.map.size() == static_cast<std::size_t>(work.n_tasks));
        REQUIRE(keeps_to(next, seen.unit_of[static_cast<std::size_t>(pass)], units));
      }
      if (!plan->plan_of(0).is_open()) REQUIRE(told == 12);
    }
}

TEST_CASE("every schedule runs each task exactly once when threads ask at the same time without barriers",
          "[scheduling][threads]") {
  for (const scheduling::schedule_info& info : scheduling::all())
    for (const char* shape : {"4+0", "3+1", "1+2"}) {
      const std::vector<unit> units = make_units(shape[0] - '0', shape[2] - '0');
      const workload work{.n_tasks = 53};
      CAPTURE(info.name, shape);
      const auto plan = scheduling::make(info.name, work, units);
      CHECK(run_threads(*plan, work.n_tasks, static_cast<int>(units.size()), 40,
                        by_weight(work, std::vector<double>(units.size(), 1e-3))) == 0);
    }
}

TEST_CASE("what a schedule tells about itself may be asked while it runs", "[scheduling][threads]") {
  for (const scheduling::schedule_info& info : scheduling::all()) {
    const std::vector<unit> units = make_units(2, 1);
    const workload work{.n_tasks = 20};
    const auto plan = scheduling::make(info.name, work, units);
    std::atomic<bool> running{true};
    std::atomic<int> wrong_maps{0};
    std::thread observer{[&] {
      do {
        for (const pass_id pass : {0, 5, 29}) {
          const std::vector<unit_id> map = plan->plan_of(pass).map;
          if (std::find(map.begin(), map.end(), unit_id{-1}) != map.end()) ++wrong_maps;
        }
        if (plan->describe().empty()) ++wrong_maps;
        std::this_thread::yield();
      } while (running);
    }};
    const int wrong = run_threads(*plan, work.n_tasks, 3, 30, by_weight(work, {1e-3, 1e-3, 1e-4}));
    running = false;
    observer.join();
    CAPTURE(info.name);
    CHECK(wrong == 0);
    CHECK(wrong_maps == 0);
  }
}

TEST_CASE("a workload without tasks gives every unit an empty batch", "[scheduling]") {
  const std::vector<unit> units = make_units(2, 1);
  for (const scheduling::schedule_info& info : scheduling::all()) {
    CAPTURE(info.name);
    const auto plan = scheduling::make(info.name, workload{}, units);
    for (pass_id pass = 0; pass < 8; ++pass)
      for (int u = 0; u < 3; ++u) CHECK(plan->next(unit_id{u}, pass).empty());
  }
}

TEST_CASE("a schedule is dynamic when who asks first decides who runs what", "[scheduling]") {
  const std::vector<unit> units = make_units(2, 1);
  const workload work{.n_tasks = 30};
  for (const scheduling::schedule_info& info : scheduling::all()) {
    const auto maps_of_passes = [&](std::vector<int> order) {
      const auto plan = scheduling::make(info.name, work, units);
      record seen;
      seen.unit_of.assign(8, std::vector<int>(30, -1));  // measuring schedules have decided by then
      std::vector<agent> agents{{.id = unit_id{0}}, {.id = unit_id{1}}, {.id = unit_id{2}}};
      for (pass_id pass = 0; pass < 8; ++pass) {
        for (const int u : order) {
          agent& one = agents[static_cast<std::size_t>(u)];
          while (one.pass == pass) one.step(*plan, seen, by_weight(work, {1, 1, 0.5}));
        }
      }
      return seen.unit_of;
    };
    CAPTURE(info.name);
    const bool order_decides = maps_of_passes({0, 1, 2}) != maps_of_passes({1, 0, 2});
    CHECK(scheduling::make(info.name, work, units)->plan_of(0).is_first_come() == order_decides);
  }
}

// Whoever runs many passes asks for what follows while units are in the last but one.
TEST_CASE("a pass that is prepared while units run the two before it has the plan that was told",
          "[scheduling][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 20; ++round)
    for (const scheduling::schedule_info& info : scheduling::all()) {
      const random_case on = draw_case(rng, info);
      const auto plan = scheduling::make(on.spec, on.work, on.units);
      const batch_time times = random_times(rng);
      record seen;
      seen.unit_of.assign(14, std::vector<int>(static_cast<std::size_t>(on.work.n_tasks), -1));
      std::vector<agent> agents;
      for (std::size_t u = 0; u < on.units.size(); ++u)
        agents.push_back({.id = unit_id{static_cast<int>(u)}});
      const auto run_until = [&](pass_id end) {
        for (agent& a : agents)
          while (a.pass < end) a.step(*plan, seen, times);
      };
      run_until(between(rng, 2, 6));
      const pass_id next = agents.front().pass + 2;
      for (agent& a : agents)
        if (between(rng, 0, 1) == 1)
          while (a.pass == next - 2) a.step(*plan, seen, times);
      plan->prepare(next);
      const pass_plan told = plan->plan_of(next);
      CAPTURE(on.spec, round, next, on.units.size(), on.work.n_tasks);
      run_until(14);
      REQUIRE(seen.twice == 0);
      REQUIRE(seen.missing() == 0);
      if (told.is_open()) continue;
      REQUIRE(plan->plan_of(next).map == told.map);
      REQUIRE(keeps_to(told, seen.unit_of[static_cast<std::size_t>(next)], on.units));
    }
}
