#include <cmath>
#include <limits>
#include <random>
#include <support/catch.hpp>
#include <support/ends.hpp>

#include <yoke/number_range.hpp>

using namespace yoke::detail;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(),
                 no_number = std::numeric_limits<double>::quiet_NaN(), denormal = 1e-320;

}  // namespace

TEST_CASE("an amount is a normal number between the ends, both of which are accepted", "[number_range]") {
  for (const double value : {1e-200, 1.0, 0.1, 1e200}) CHECK(amounts.has(value));
  for (const double value : {0.0, -0.0, -1.0, 1e-201, 1.1e200, denormal, 1e308, inf, -inf, no_number}) {
    CAPTURE(value);
    CHECK_FALSE(amounts.has(value));
  }
}

TEST_CASE("0 is an amount where there may be none, and nothing else becomes one", "[number_range]") {
  CHECK(amounts_or_none.has(0));
  CHECK(amounts_or_none.has(1));
  for (const double value : {-1.0, denormal, 1e-201, 1e201, inf, no_number})
    CHECK_FALSE(amounts_or_none.has(value));
}

TEST_CASE("a text is read as a number only as a whole and inside of the range", "[number_range]") {
  CHECK(amounts.read("12.5") == 12.5);
  CHECK(amounts.read("1e-200") == 1e-200);
  CHECK(amounts_or_none.read("0") == 0.0);
  for (const char* text : {"", " 1", "1 ", "1x", "0x10", "+1", "1,5", "nan", "inf", "-inf", "infinity",
                           "1e400", "1e-400", "1e-320", "1e201", "0", "-1"}) {
    CAPTURE(text);
    CHECK_FALSE(amounts.read(text));
  }
}

TEST_CASE("what a range accepts is said with its ends, and 0 where that is no end", "[number_range]") {
  CHECK(amounts.accepted() == "a number from 1e-200 to 1e+200");
  CHECK(amounts_or_none.accepted() == "0, or a number from 1e-200 to 1e+200");
  CHECK((number_range{.least = 1, .most = 10}.accepted()) == "a number from 1 to 10");
  CHECK((number_range{.least = 0, .most = 10, .zero = true}.accepted()) == "a number from 0 to 10");
}

TEST_CASE("of numbers drawn near all ends exactly those are accepted that are between them",
          "[number_range]") {
  const auto seed = support::seed();
  CAPTURE(seed);
  std::mt19937 rng{seed};
  for (int n = 0; n < 10'000; ++n) {
    const double value = support::near_the_ends(rng);
    CAPTURE(value);
    REQUIRE(amounts.has(value) == (std::isnormal(value) && value >= 1e-200 && value <= 1e200));
    REQUIRE(amounts_or_none.has(value) == (amounts.has(value) || value == 0));
  }
}
