/// White-box: which batches of a GPU were delayed.

#include "../../scheduling/src/speeds/unit_record.hpp"
#include "driver.hpp"

#include <algorithm>
#include <vector>

using namespace driver;
using scheduling::unit_record;

namespace {

constexpr double most_of_launch = 24;

unit_record warm(const unit_record::batches& told) {
  unit_record made{256};
  for (const auto& [weight, time] : told) made.add(weight, time, true);
  return made;
}

double greatest(const std::vector<double>& of) { return std::ranges::max(of); }

}  // namespace

TEST_CASE("batches of one weight are delayed by what they took beside the quickest tenth",
          "[delayed_batches]") {
  unit_record::batches told(20, {10, 1});
  told[3].second = 1.1;
  told[7].second = 3;
  const std::vector<double> delays = warm(told).delays(most_of_launch);
  CHECK(delays[0] == Approx(1));
  CHECK(delays[3] == Approx(1.1));
  CHECK(delays[7] == Approx(3));
}

TEST_CASE("a batch of more work is not delayed by that, whether a launch takes nothing or most of it",
          "[delayed_batches]") {
  const double launch = GENERATE(0.0, 6.0, 24.0);
  unit_record::batches told;
  for (const double weight : {4.3, 13.8, 35.0, 110.7})
    for (int i = 0; i < 3; ++i) told.emplace_back(weight, 0.28 * (weight + launch));
  CAPTURE(launch);
  CHECK(greatest(warm(told).delays(most_of_launch)) < 2);
}

TEST_CASE("delayed batches are forgotten, and the newest of the others stay the newest",
          "[delayed_batches]") {
  unit_record one = warm({{4, 1}, {35, 8}, {35, 80}, {35, 8.2}});
  one.forget_delayed(most_of_launch, 1.5);
  CHECK(one.samples() == unit_record::batches{{4, 1}, {35, 8}, {35, 8.2}});

  unit_record full{3};
  for (const seconds time : {9.0, 1.0, 1.1, 1.2}) full.add(1, time, true);
  full.forget_delayed(most_of_launch, 1.15);
  full.add(1, 1.3, true);
  full.add(1, 1.4, true);
  CHECK(full.samples() == unit_record::batches{{1, 1.4}, {1, 1.1}, {1, 1.3}});
}

TEST_CASE("nothing is forgotten where nothing is warm", "[delayed_batches]") {
  unit_record cold;
  cold.add(1, 1, false);
  cold.add(1, 100, false);
  cold.forget_delayed(most_of_launch, 1.5);
  CHECK(cold.samples().size() == 2);
  CHECK(unit_record{}.delays(most_of_launch).empty());
}
