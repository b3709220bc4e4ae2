/// What drivers read from the environment, against lists made at random.
#include <random>
#include <string>
#include <support/catch.hpp>
#include <support/variable.hpp>

#include <yoke/visible_devices.hpp>

using support::variable;
using yoke::driver_numbering;

namespace {

const driver_numbering two_lists{.kind = yoke::accelerator_kind::hip,
                                 .lists = {"TEST_OF_DRIVER", "TEST_OF_HIP"}};

std::string random_list(std::mt19937& random, std::size_t n) {
  std::string list;
  for (auto left = 1 + random() % n; left > 0; --left)
    list += (list.empty() ? "" : ",") + std::to_string(random() % n);
  return list;
}

}  // namespace

TEST_CASE("items of a list are what stands between commas", "[visible-devices]") {
  using items = std::vector<std::string_view>;
  CHECK(yoke::detail::items_of_list("") == items{});
  CHECK(yoke::detail::items_of_list("2") == items{"2"});
  CHECK(yoke::detail::items_of_list("2,GPU-5b3c,") == items{"2", "GPU-5b3c", ""});
  CHECK(yoke::detail::position_of("17") == 17);
  for (const char* name : {"", "-1", "GPU-5b3c", "1 ", "0x1", "1234567"})
    CHECK_FALSE(yoke::detail::position_of(name));
}

TEST_CASE("a device that is visible has the name of its position", "[visible-devices][property]") {
  const std::uint32_t seed = support::seed();
  INFO("--rng-seed " << seed);
  std::mt19937 random{seed};
  for (int round = 0; round < 500; ++round) {
    const std::size_t n = 1 + random() % 8;
    const std::string first = random_list(random, n), second = random_list(random, n);
    const variable by_driver{"TEST_OF_DRIVER", first.c_str()}, by_hip{"TEST_OF_HIP", second.c_str()};
    CAPTURE(n, first, second);
    const std::vector<std::size_t> seen = yoke::visible_positions(two_lists, n);
    for (std::size_t i = 0; i < seen.size(); ++i)
      REQUIRE(yoke::name_of_visible(two_lists, static_cast<int>(i)) == std::to_string(seen[i]));
  }
}

TEST_CASE("without lists all are visible, and names stand for themselves", "[visible-devices]") {
  CHECK(yoke::visible_positions(two_lists, 3) == std::vector<std::size_t>{0, 1, 2});
  CHECK(yoke::name_of_visible(two_lists, 2) == "2");
  const variable by_driver{"TEST_OF_DRIVER", "3,GPU-5b3c"}, by_hip{"TEST_OF_HIP", "1,0"};
  CHECK(yoke::visible_positions(two_lists, 4).empty());
  CHECK(yoke::name_of_visible(two_lists, 0) == "GPU-5b3c");
  CHECK(yoke::name_of_visible(two_lists, 1) == "3");
}
