/// `auto` on CPUs alone that others use too, where tasks wait for their neighbours' faces and passes overlap,
/// as in NPB-MZ: CPUs differ for good, are slow for a while, and batches are late.

#include "../../scheduling/src/learning/looks.hpp"
#include "driver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <yoke/simulator.hpp>

using namespace yoke;
using driver::generator;

namespace {

/// Logarithmic deviations of a CPU's speed: for good, for some sixty tasks, and of each task; and how many
/// tasks are late, by up to twice `late_by` of their time. The means of 32 CPUs beside two H200s.
struct host {
  double lasting = 0.2, slow_for_a_while = 0.1, noise = 0.2;
  double late = 0.03, late_by = 2;
  /// In these passes half of the CPUs by turns are three times as slow.
  pass_id disturbed_from = 0, disturbed_until = 0;
};
constexpr double kept = 0.985;        ///< of a slow time, from task to task
constexpr seconds of_looking = 3e-4;  ///< all wait for that
constexpr pass_id turn = 5;

/// `side`² zones on a torus, the heaviest so many times as large as the lightest.
class zones_on_cpus {
 public:
  zones_on_cpus(int side, double heaviest, int cpus, pass_id passes, host on, unsigned seed)
      : passes_{passes}, host_{on}, rng_{seed}, units_{driver::make_units(cpus, 0)} {
    work_.n_tasks = side * side;
    work_.passes = passes;
    work_.edges = driver::closed_grid(side, side, 1);
    for (int t = 0; t < work_.n_tasks; ++t)
      work_.weights.push_back(std::pow(heaviest, static_cast<double>(t) / work_.n_tasks));
    const double mean = std::accumulate(work_.weights.begin(), work_.weights.end(), 0.0) / work_.n_tasks;
    for (double& weight : work_.weights) weight *= 8e-4 / mean;
    for (int u = 0; u < cpus; ++u) {
      lasting_.push_back(host_.lasting * normal_(rng_));
      slow_.push_back(host_.slow_for_a_while * normal_(rng_));
    }
  }

  struct outcome {
    seconds time = 0;  ///< of all passes
    bool is_pool = false;
  };
  outcome run(const char* schedule) && {
    const auto plan = scheduling::make(schedule, work_, units_);
    pass_plan known;
    int looks = 0;
    const auto time = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
      if (pass >= known.until) {
        known = plan->plan_of(pass);
        ++looks;
      }
      seconds all = 0;
      for (const task_id task : batch) all += time_of(static_cast<std::size_t>(int{unit}), task, pass);
      return all;
    };
    const auto seen = simulate(*plan, work_, static_cast<int>(units_.size()), time, static_cast<int>(passes_),
                               pass_order::dataflow);
    const seconds end = std::ranges::max(seen, {}, &simulated_pass::end).end;
    return {end + (plan->learning() != nullptr ? looks * of_looking : 0), known.cpus_share};
  }

 private:
  seconds time_of(std::size_t cpu, task_id task, pass_id pass) {
    double& slow = slow_[cpu];
    slow = kept * slow + host_.slow_for_a_while * std::sqrt(1 - kept * kept) * normal_(rng_);
    const seconds usual = work_.weights[static_cast<std::size_t>(int{task})];
    const seconds taken = usual * std::exp(lasting_[cpu] + slow + host_.noise * normal_(rng_));
    const bool is_disturbed = pass >= host_.disturbed_from && pass < host_.disturbed_until &&
                              (cpu + static_cast<std::size_t>(pass / turn)) % 2 == 0;
    const bool is_late = driver::real(rng_, 0, 1) < host_.late;
    return (is_disturbed ? 3 : 1) * taken + (is_late ? usual * host_.late_by * driver::real(rng_, 0, 2) : 0);
  }

  pass_id passes_;
  host host_;
  generator rng_;
  std::normal_distribution<double> normal_;
  std::vector<unit> units_;
  workload work_;
  std::vector<double> lasting_, slow_;
};

/// `auto` is so many times as fast as a pool at least, by the median of five such hosts.
void check_over_pool(double least, int side, double heaviest, int cpus, const host& on) {
  constexpr pass_id passes = 400;
  std::vector<double> ratios;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto time = [&](const char* name) {
      return zones_on_cpus{side, heaviest, cpus, passes, on, seed}.run(name).time;
    };
    const seconds pool = time("pool");
    ratios.push_back(pool / time("auto"));
  }
  std::ranges::sort(ratios);
  CAPTURE(side, heaviest, cpus, ratios);
  CHECK(ratios[ratios.size() / 2] >= least);
}

}  // namespace

TEST_CASE("auto keeps to the pool where CPUs are slow by chance", "[scheduling][auto]") {
  check_over_pool(0.95, 8, 1, 32, {});
  check_over_pool(0.95, 8, 1, 32, {.late = 0});
  check_over_pool(0.93, 8, 1, 32, {.slow_for_a_while = 0.4});
  check_over_pool(0.95, 4, 4, 8, {});
  check_over_pool(0.95, 4, 4, 8, {.late = 0});
}

TEST_CASE("auto gives CPUs tasks of their own where these differ for good", "[scheduling][auto]") {
  check_over_pool(1.05, 8, 20, 32, {});
  check_over_pool(1.02, 4, 1, 32, {});
}

TEST_CASE("auto tries tasks of their own again long after CPUs were disturbed", "[scheduling][auto]") {
  const host unlike{.lasting = 0.5, .slow_for_a_while = 0.01, .noise = 0.03, .late = 0};
  host disturbed = unlike;
  disturbed.disturbed_from = 100;
  disturbed.disturbed_until = 400;
  const auto is_pool_after = [](const host& on, pass_id passes) {
    return zones_on_cpus{8, 20, 32, passes, on, 1}.run("auto").is_pool;
  };
  CHECK_FALSE(is_pool_after(unlike, 400));
  CHECK(is_pool_after(disturbed, 400));
  CHECK_FALSE(is_pool_after(disturbed, 8000));
}

// LU-MZ class C on 16 CPUs as 8x2: it left its pool after one cold pass, for passes of 44 ms instead of 34.
TEST_CASE("CPUs alone keep to their pool for eight passes at least", "[scheduling][auto]") {
  const auto first_pass_with_own = [](pass_id slow_until) {
    const std::vector<unit> units = driver::make_units(8, 0);
    const workload work{.n_tasks = 16, .passes = 100};
    const auto plan = scheduling::make("auto", work, units);
    pass_plan known;
    pass_id first = pass_plan::for_good;
    const auto time = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
      if (pass >= known.until) known = plan->plan_of(pass);
      if (!known.cpus_share) first = std::min(first, pass);
      const seconds each = unit == unit_id{0} && pass < slow_until ? 0.1 : 0.03;
      return each * static_cast<double>(batch.size());
    };
    simulate(*plan, work, 8, time, 100, pass_order::dataflow);
    return first;
  };
  CHECK(first_pass_with_own(2) == pass_plan::for_good);
  const pass_id of_lasting = first_pass_with_own(100);
  CHECK(of_lasting >= 8);
  CHECK(of_lasting < 30);
}

TEST_CASE("CPUs alone are not looked at where too little is left to win that back", "[scheduling][auto]") {
  using scheduling::look_at_cpus;
  CHECK(look_at_cpus(0, 1e-4, 1000) == 200);
  CHECK(look_at_cpus(0, 1e-4, 400) == 200);
  CHECK(look_at_cpus(0, 1e-4, 399) == 399);
  CHECK(look_at_cpus(100, 1e-4, 499) == 499);
  CHECK(look_at_cpus(0, 1e-4, pass_plan::for_good) == 200);
  CHECK(look_at_cpus(500, 1e-4, 400) == 700);  // there are more passes than were said
}

TEST_CASE("looks at short passes come to be a tenth of a second apart", "[scheduling][auto]") {
  const auto longest = [](seconds pass) {
    return scheduling::period_after(100000, scheduling::pass_time{pass, 0.01}, scheduling::use::cpus);
  };
  CHECK(longest(1e-4) == 1000);
  CHECK(longest(4e-4) == 256);
  CHECK(longest(0.1) == 49);
}
