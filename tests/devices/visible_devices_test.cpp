/// What drivers read from the environment, against lists made at random.
#include <fstream>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <support/scratch_folder.hpp>
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

TEST_CASE("a driver that wakes is shown the first of its devices, and later all again", "[visible-devices]") {
  using positions = std::vector<std::size_t>;
  const auto shown = [](int n) {
    const yoke::first_devices only{two_lists, n};
    return yoke::visible_positions(two_lists, 4);
  };
  const variable no_driver{"TEST_OF_DRIVER"}, no_hip{"TEST_OF_HIP"};
  CHECK(shown(1) == positions{0});
  CHECK(shown(3) == positions{0, 1, 2});
  CHECK(shown(0) == positions{});
  CHECK_FALSE(yoke::detail::get_environment("TEST_OF_HIP"));
  {
    const variable by_driver{"TEST_OF_DRIVER", "3,1"}, by_hip{"TEST_OF_HIP", "1,0"};
    CHECK(shown(1) == positions{1});
    CHECK(shown(2) == positions{1, 3});
    CHECK(shown(9) == positions{1, 3});
    CHECK(yoke::detail::get_environment("TEST_OF_HIP") == "1,0");
  }
  const variable by_name{"TEST_OF_HIP", "GPU-5b3c,GPU-77aa"};
  const yoke::first_devices only{two_lists, 1};
  CHECK(yoke::detail::get_environment("TEST_OF_HIP") == "GPU-5b3c");
}

TEST_CASE("files of devices have the stem and a number", "[visible-devices]") {
  const support::scratch_folder folder;
  const std::string stem = (folder.path() / "nvidia").string();
  CHECK(yoke::detail::count_numbered_files(stem) == 0);
  for (const char* name : {"nvidia0", "nvidia12", "nvidiactl", "nvidia-uvm", "nvidia", "amd0"})
    std::ofstream{folder.path() / name};
  CHECK(yoke::detail::count_numbered_files(stem) == 2);
  CHECK(yoke::detail::count_numbered_files(stem + "/none/nvidia") == 0);
}

TEST_CASE("without lists all are visible, and names stand for themselves", "[visible-devices]") {
  CHECK(yoke::visible_positions(two_lists, 3) == std::vector<std::size_t>{0, 1, 2});
  CHECK(yoke::name_of_visible(two_lists, 2) == "2");
  const variable by_driver{"TEST_OF_DRIVER", "3,GPU-5b3c"}, by_hip{"TEST_OF_HIP", "1,0"};
  CHECK(yoke::visible_positions(two_lists, 4).empty());
  CHECK(yoke::name_of_visible(two_lists, 0) == "GPU-5b3c");
  CHECK(yoke::name_of_visible(two_lists, 1) == "3");
}
