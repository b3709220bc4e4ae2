#include "driver/run/result.hpp"

#include <optional>
#include <support/catch.hpp>
#include <utility>
#include <vector>

namespace {

/// Ten steps in two seconds of a made-up clock: five a second.
npb::run_result five_steps_a_second(std::optional<npb::solo_result> solo) {
  npb::run_result r;
  r.iterations = 10;
  r.seconds = 2;
  r.solo = std::move(solo);
  return r;
}

npb::solo_result alone(double cpu_rate, std::vector<double> gpu_rates) {
  npb::solo_result solo;
  solo.cpu_rate = cpu_rate;
  solo.gpu_rates = std::move(gpu_rates);
  return solo;
}

}  // namespace

TEST_CASE("hybrid efficiency is the rate over the sum of what the parts make alone", "[npb]") {
  CHECK(five_steps_a_second(alone(1, {3, 1})).hybrid_efficiency() == 1.0);
  CHECK(five_steps_a_second(alone(2, {8})).hybrid_efficiency() == 0.5);
  CHECK(five_steps_a_second(alone(4, {})).hybrid_efficiency() == 1.25);
  CHECK(five_steps_a_second(alone(0, {0})).hybrid_efficiency() == std::nullopt);
  CHECK(five_steps_a_second(std::nullopt).hybrid_efficiency() == std::nullopt);
}

TEST_CASE("the gain of the CPUs is what they add to the GPUs, in units of what they make alone", "[npb]") {
  CHECK(five_steps_a_second(alone(1, {3, 1})).cpu_gain() == 1.0);
  CHECK(five_steps_a_second(alone(2, {4})).cpu_gain() == 0.5);
  CHECK(five_steps_a_second(alone(2, {6})).cpu_gain() == -0.5);
  CHECK(five_steps_a_second(alone(0, {4})).cpu_gain() == std::nullopt);
  CHECK(five_steps_a_second(alone(4, {})).cpu_gain() == std::nullopt);
  CHECK(five_steps_a_second(std::nullopt).cpu_gain() == std::nullopt);
}

namespace {

/// A CPU CU and a GPU CU, busy for so many seconds of ten steps in two.
npb::run_result busy_for(double cpu_s, double gpu_s) {
  npb::run_result r = five_steps_a_second(std::nullopt);
  r.units.resize(2);
  r.units[1].id = 1;
  r.units[0].place = "{3}";
  r.units[1].is_gpu = true;
  r.units[1].device = "cuda:0";
  const double busy[]{cpu_s, gpu_s};
  for (std::size_t u = 0; u < 2; ++u) {
    r.units[u].advance_s = busy[u];
    r.units[u].tasks = busy[u] > 0 ? 20 : 0;
    r.units[u].work = 40;
  }
  r.largest_weight = 1;
  return r;
}

}  // namespace

TEST_CASE("the CU that needed most bounds the step", "[npb]") {
  CHECK(npb::bound_text(busy_for(1, 1.5)) == "CU 1 (cuda:0), busy 75.0% of the time");
  CHECK(npb::bound_text(busy_for(1.9, 1.5)) == "CU 0 (CPUs {3}), busy 95.0% of the time");
  CHECK(npb::bound_text(busy_for(0, 0)) == "nothing that was timed");
}

TEST_CASE("CUs that got no zones are named", "[npb]") {
  CHECK(npb::units_without_zones(busy_for(1, 1)).empty());
  CHECK(npb::units_without_zones(busy_for(0, 1)) == "CU 0");
  npb::run_result many;
  many.units.resize(7);
  for (int u = 0; u < 7; ++u) many.units[static_cast<std::size_t>(u)].id = u;
  many.units[3].tasks = 1;
  many.units[5].tasks = 1;
  CHECK(npb::units_without_zones(many) == "CU 0 to 2, 4, 6");
}

TEST_CASE("what would help is what weighs", "[npb]") {
  const auto says = [](const npb::run_result& r, const char* words) {
    CAPTURE(npb::what_would_help(r));
    return npb::what_would_help(r).find(words) != std::string::npos;
  };
  CHECK(says(busy_for(1.9, 1.9), "more or faster units"));
  CHECK(says(busy_for(1.9, 1), "fewer zones for CPUs"));
  CHECK(says(busy_for(0, 0), "nothing that can be seen"));
  npb::run_result exchanging = busy_for(1, 1.9);
  exchanging.units[1].exchange_s = 0.5;
  CHECK(says(exchanging, "exchange takes 21%"));
  npb::run_result launching = busy_for(1, 1.9);
  launching.learnt.units = {{.runs = 0}, {.usual = {.launch = 0.1, .per_weight = 1}, .careful = {}}};
  CHECK(says(launching, "launches take 50%"));
  npb::run_result uneven = busy_for(1.9, 1.9);
  uneven.best_step_s = 0.1;
  CHECK(says(uneven, "50% less"));
  npb::run_result one_zone = busy_for(1.9, 0);
  one_zone.largest_weight = 4;
  CHECK(says(one_zone, "all that it has"));
}
