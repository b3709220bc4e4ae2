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
