// Random steps over zones, on one rank.
#include "random_program.hpp"

#include <support/catch.hpp>

namespace {

void run_some(std::uint64_t first, int n) {
  yoke::runtime rt;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(n); ++seed) {
    INFO("seed " << seed);
    REQUIRE(zone_tests::run_random(rt, nullptr, seed) == "");
  }
}

}  // namespace

TEST_CASE("random steps over zones have the bits of plain memory", "[zones][random]") { run_some(7000, 60); }

TEST_CASE("zones that run side by side come after who has read them before", "[zones][random]") {
  for (int i = 0; i < 20; ++i) run_some(100'231, 1);  // faces are sent out of all zones, then some change
}

TEST_CASE("many random steps over zones", "[.many]") { run_some(100'000, 10'000); }
