/// Sizes that are multiplied and added, at the ends of their types.
#include <array>
#include <cstdint>
#include <limits>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/detail/checked_size.hpp>

namespace {

using namespace yoke::detail;
using Catch::Matchers::Contains;
using support::refusal;

constexpr std::size_t half = std::size_t{1} << 62;

}  // namespace

TEST_CASE("a product is the number, or none above 2^63 - 1", "[size]") {
  STATIC_REQUIRE(product_of({7, 11, 13}) == 1001);
  STATIC_REQUIRE(product_of({half, 1}) == half);
  STATIC_REQUIRE(!product_of({half, 2}));
  STATIC_REQUIRE(!product_of({std::size_t{1} << 32, std::size_t{1} << 32}));
  STATIC_REQUIRE(product_of({0, half, half}) == 0);
  CHECK(sum_of(half, half - 1) == most_addressable);
  CHECK(!sum_of(half, half));
  CHECK(!sum_of(std::numeric_limits<std::size_t>::max(), 1));
}

TEST_CASE("a distance holds to both ends of int64, as far as a loop may be long", "[size]") {
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                         high = std::numeric_limits<std::int64_t>::max();
  STATIC_REQUIRE(distance_of(high - 5, high) == 5);
  STATIC_REQUIRE(distance_of(low, low + 5) == 5);
  STATIC_REQUIRE(distance_of(high, low) == 0);
  STATIC_REQUIRE(distance_of(-most_indices, 0) == most_indices);
  STATIC_REQUIRE(!distance_of(-most_indices, 1));
  STATIC_REQUIRE(!distance_of(low, high));
}

TEST_CASE("bytes that no address counts are told with what was asked for", "[size]") {
  CHECK(bytes_of_elements("it", 3, 8) == 24);
  CHECK(bytes_of_elements("it", 0, 8) == 0);
  CHECK_THAT(refusal([] { bytes_of_elements("the thing", (std::size_t{1} << 61) + 1, 8); }),
             Contains("the thing of 2305843009213693953 elements with 8 bytes each: these are "
                      "18446744073709551624 bytes, and memory has 9223372036854775807 at most; "
                      "1152921504606846975 elements of that size or fewer"));
  const std::array<std::size_t, 3> extents{half, 0, half};
  CHECK_THAT(
      refusal([&] { bytes_of_elements("the thing", extents, half); }),
      Contains("4611686018427387904 x 0 x 4611686018427387904 elements") && Contains("about 9.8e+55 bytes"));
}

TEST_CASE("an unsigned number is an index where int64 holds it", "[size]") {
  CHECK(to_index(std::size_t{5}) == 5);
  CHECK(to_index(-5) == -5);
  CHECK(to_index(std::uint64_t{std::numeric_limits<std::int64_t>::max()}) ==
        std::numeric_limits<std::int64_t>::max());
  CHECK_THAT(refusal([] { to_index(std::numeric_limits<std::uint64_t>::max()); }),
             Contains("18446744073709551615 was given as an index or extent; 9223372036854775807 at most"));
}
