// Weights, speeds and rates near the ends of what a double holds: every schedule ends and gives each task
// once, or says by name what it does not take.

#include "driver.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <support/catch.hpp>
#include <support/ends.hpp>
#include <utility>

#include <yoke/balancer.hpp>
#include <yoke/error.hpp>
#include <yoke/learner.hpp>
#include <yoke/performance.hpp>
#include <yoke/simulated_machine.hpp>
#include <yoke/team_plan.hpp>
#include <yoke/unit_sizes.hpp>

using namespace driver;

namespace {

using support::accepted_amount, support::near_the_ends;

/// All alike, all at one end, or any.
std::vector<double> weights(generator& rng, int n, bool any) {
  const double same = accepted_amount(rng);
  const int how = between(rng, 0, 3);
  std::vector<double> all;
  for (int task = 0; task < n; ++task)
    all.push_back(how == 0 ? same : how == 1 ? same * real(rng, 0.5, 1) : accepted_amount(rng));
  if (any && n > 0) all[static_cast<std::size_t>(between(rng, 0, n - 1))] = near_the_ends(rng);
  for (double& weight : all)
    if (!any) weight = std::max(weight, 1e-200);
  return all;
}

workload work_at_the_ends(generator& rng, bool any) {
  workload work{.n_tasks = between(rng, 0, 24)};
  work.weights = weights(rng, work.n_tasks, any);
  for (int n = between(rng, 0, work.n_tasks); n > 0; --n)
    work.edges.push_back({task_id{between(rng, 0, work.n_tasks - 1)},
                          task_id{between(rng, 0, work.n_tasks - 1)},
                          static_cast<std::size_t>(between(rng, 0, 1 << 20))});
  if (between(rng, 0, 1) == 1)
    work.links.push_back({space_id{1}, space_id{2}, any ? near_the_ends(rng) : accepted_amount(rng)});
  work.waits_late = between(rng, 0, 3) == 0;
  return work;
}

bool is_amount(double value) { return std::isnormal(value) && value >= 1e-200 && value <= 1e200; }

/// The schedule with options at the ends; and whether they are some.
std::pair<std::string, bool> spec_at_the_ends(generator& rng, const scheduling::schedule_info& info) {
  for (const char* option : {"pcf", "bandwidth"}) {
    const bool accepts = info.options.find(option + std::string{"="}) != std::string::npos;
    if (!accepts || between(rng, 0, 1) == 0) continue;
    const double value = near_the_ends(rng);
    return {fmt::format("{},{}={}", info.name, option, value), is_amount(value)};
  }
  return {std::string{info.name}, true};
}

bool is_acceptable(const workload& work) {
  return std::ranges::all_of(work.weights, is_amount) &&
         std::ranges::all_of(work.links, [](const space_link& link) { return is_amount(link.bandwidth); });
}

/// Relative to a usual weight, so that times are some.
batch_time some_times(generator& rng, const workload& work, std::size_t n_units) {
  double usual = 0;
  for (int task = 0; task < work.n_tasks; ++task) usual = std::max(usual, weight_of(work, task_id{task}));
  std::vector<double> per_weight;
  for (std::size_t u = 0; u < n_units; ++u) per_weight.push_back(real(rng, 1e-3, 1e-1) / usual);
  return [=, &work](unit_id unit, pass_id, std::span<const task_id> batch) {
    double weight = 0;
    for (const task_id task : batch) weight += weight_of(work, task);
    return 1e-5 + per_weight[static_cast<std::size_t>(unit)] * weight;
  };
}

template <class Call>
std::optional<std::string> refusal_of(const Call& call) {
  try {
    call();
  } catch (const error& problem) {
    return problem.what();
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE(
    "with weights at the ends every schedule gives each task once in every pass, or names what is wrong",
    "[scheduling][ends][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  const std::vector<scheduling::schedule_info> all = scheduling::all();
  for (int round = 0; round < 10'000; ++round) {
    const scheduling::schedule_info& info = all[static_cast<std::size_t>(round) % all.size()];
    const std::vector<unit> units = random_units(rng);
    const workload work = work_at_the_ends(rng, between(rng, 0, 3) == 0);
    const auto [spec, is_spec] = spec_at_the_ends(rng, info);
    CAPTURE(round, spec, work.n_tasks, units.size(), work.weights);
    std::unique_ptr<schedule> plan;
    const auto refused = refusal_of([&] { plan = scheduling::make(spec, work, units); });
    REQUIRE(refused.has_value() == !(is_spec && is_acceptable(work)));
    if (refused) {
      CAPTURE(*refused);
      REQUIRE(refused->find("a number from 1e-200 to 1e+200") != std::string::npos);
      continue;
    }
    const int passes = between(rng, 1, 12);
    const record seen = run_interleaved(*plan, work.n_tasks, static_cast<int>(units.size()), passes, rng,
                                        some_times(rng, work, units.size()));
    REQUIRE(seen.twice == 0);
    REQUIRE(seen.missing() == 0);
    REQUIRE_FALSE(plan->describe().empty());
    if (learner* const of = plan->learning())
      for (const unit_profile& one : of->learnt().units)
        if (one.is_known()) REQUIRE((is_amount(one.usual.per_weight) && is_amount(one.careful.per_weight)));
  }
}

// No bit of a ratio changes, so nothing may that is decided by them.
TEST_CASE("with all weights multiplied by the same power of two every schedule has the same maps",
          "[scheduling][ends][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 30; ++round)
    for (const scheduling::schedule_info& info : scheduling::all())
      for (const int power : {-600, 600}) {
        auto [units, work, spec] = draw_case(rng, info);
        workload scaled = work;
        if (work.weights.empty()) continue;
        for (double& weight : scaled.weights) weight = std::ldexp(weight, power);
        CAPTURE(spec, round, power, work.n_tasks, units.size());
        const auto plan = scheduling::make(spec, work, units), other = scheduling::make(spec, scaled, units);
        const batch_time times = some_times(rng, work, units.size());
        const auto passes = simulate(*plan, work, static_cast<int>(units.size()), times, 40),
                   others = simulate(*other, scaled, static_cast<int>(units.size()), times, 40);
        for (std::size_t pass = 0; pass < passes.size(); ++pass)
          REQUIRE(passes[pass].map == others[pass].map);
      }
}

namespace {

simulated_machine machine_at_the_ends(generator& rng, bool any) {
  const auto draw = [&] {
    return any && between(rng, 0, 9) == 0 ? near_the_ends(rng) : accepted_amount(rng);
  };
  simulated_machine machine;
  const double usual = accepted_amount(rng);
  const bool alike = between(rng, 0, 1) == 0;
  for (const unit& seen : random_units(rng)) {
    simulated_unit one{.seen = seen, .alone = {0, alike ? usual : draw()}};
    if (between(rng, 0, 1) == 1) one.alone.launch = draw();
    if (between(rng, 0, 3) == 0) one.noise = any ? near_the_ends(rng) : 0.1;
    if (between(rng, 0, 3) == 0) one.drift = any ? near_the_ends(rng) : 0.1;
    if (seen.kind == unit_kind::gpu) one.to_host = {draw(), between(rng, 0, 1) == 0 ? 0 : draw()};
    machine.units.push_back(one);
  }
  if (between(rng, 0, 1) == 1) machine.slowdowns = {{{1, 1}, {3, any ? draw() : real(rng, 1, 4)}}};
  if (between(rng, 0, 3) == 0) machine.changes = {{unit_id{0}, 2, draw()}};
  return machine;
}

}  // namespace

TEST_CASE("passes on machines with speeds at the ends have an end, or what is wrong with them is said",
          "[scheduling][ends][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  const std::vector<scheduling::schedule_info> all = scheduling::all();
  int ran = 0;
  for (int round = 0; round < 10'000; ++round) {
    const scheduling::schedule_info& info = all[static_cast<std::size_t>(round) % all.size()];
    const bool any = between(rng, 0, 1) == 0;
    simulated_machine machine = machine_at_the_ends(rng, any);
    workload work = work_at_the_ends(rng, false);
    work.links.clear();
    if (!any && work.n_tasks > 0)  // times that are some
      for (simulated_unit& one : machine.units)
        one.alone = {0, real(rng, 1e-3, 1) / std::ranges::max(work.weights)};
    const auto plan = scheduling::make(info.name, work, machine.seen());
    const pass_order order =
        std::array{pass_order::barrier, pass_order::overlapping, pass_order::dataflow}[round % 3];
    std::vector<simulated_pass> passes;
    CAPTURE(round, info.name, work.n_tasks, machine.units.size(), work.weights);
    const auto refused = refusal_of(
        [&] { passes = simulate(*plan, work, machine, {.passes = 6, .order = order, .rehearse = any}); });
    if (refused) {
      CAPTURE(*refused);
      REQUIRE(refused->find("a number from") != std::string::npos);
    }
    ran += refused ? 0 : 1;
    for (const simulated_pass& pass : passes) {
      REQUIRE(std::isfinite(pass.end));
      REQUIRE(pass.makespan() >= 0);
    }
    known_best best;
    refusal_of([&] { best = best_of(machine, work); });
    REQUIRE(std::isfinite(best.found));
  }
  CHECK(ran > 1000);
}

TEST_CASE("work is divided by weights and times at the ends, and all of it", "[scheduling][ends][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t n = between(rng, 0, 1 << between(rng, 0, 24));
    std::vector<scheduling::sharing_unit> units;
    std::vector<scheduling::performance_function> functions;
    for (int u = between(rng, 1, 5); u > 0; --u) {
      units.push_back({.weight = accepted_amount(rng)});
      functions.push_back(
          scheduling::performance_function{{{1, accepted_amount(rng)}, {9, accepted_amount(rng)}}});
    }
    CAPTURE(round, n, units.size());
    const scheduling::balancer sharing{n, units};
    const std::vector<std::int64_t> first(sharing.shares().begin(), sharing.shares().end());
    for (const auto& shares : {first, scheduling::distribute(n, functions, {}, 1 + n / 1000)}) {
      std::int64_t all = 0;
      for (const std::int64_t share : shares) all += share;
      REQUIRE(all == n);
      REQUIRE(std::ranges::min(shares) >= 0);
    }
  }
}

TEST_CASE("a balancer refuses weights of units that are none, and names them", "[scheduling][ends][errors]") {
  for (const double weight : {0.0, -1.0, 1e-320, 1e308, HUGE_VAL, std::nan("")})
    CHECK(refusal_of([&] { scheduling::balancer{8, {{.weight = 1}, {.weight = weight}}}; }) ==
          fmt::format("balancer: a unit of weight {}; a number from 1e-200 to 1e+200", weight));
}

TEST_CASE("teams and sizes of units are found for weights at the ends", "[scheduling][ends][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 1000; ++round) {
    const std::vector<double> all = weights(rng, between(rng, 1, 40), false);
    const scheduling::team_model team{.fixed_weight = accepted_amount(rng)};
    const int threads = between(rng, 1, 6);
    CAPTURE(round, threads, all);
    std::vector<task_id> batch;
    for (int task = 0; task < std::ssize(all); ++task) batch.emplace_back(task);
    const scheduling::team_plan plan = scheduling::plan_team(batch, all, threads, team);
    std::size_t given = plan.shared.size();
    for (const auto& own : plan.own) given += own.size();
    REQUIRE(given == batch.size());
    const scheduling::unit_sizes sizes = scheduling::sizes_beside(accepted_amount(rng), all, 8, team);
    REQUIRE(sizes.units * sizes.cpus_each <= 8);
    REQUIRE(sizes.units >= 1);
  }
}
