/// Placed objects of no values, and of more than there are addresses for.
#include "kernels.hpp"
#include "parts.hpp"

#include <limits>
#include <optional>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/launch.hpp>
#include <yoke/placed.hpp>

namespace {

namespace placement = yoke::placement;
using Catch::Matchers::Contains;
using spaces::first;
using spaces::parts;
using support::refusal;
using yoke::placed;

/// Unit 0 is a CPU's, 1 and 2 are those of two devices.
struct sizes_fixture {
  spaces::two_devices devices;
  std::optional<parts> runtime{std::in_place, 1, *devices.a, *devices.b};
};

struct count_items {
  YOKE_HD void operator()(yoke::item, yoke::device_ptr<const double>, yoke::device_ptr<long> n) const {
    *n += 1;
  }
};
struct nothing_3d {
  YOKE_HD void operator()(yoke::item_3d, int) const {}
};
struct nothing_of_a_block {
  static constexpr int block = 1;
  YOKE_HD void operator()(const yoke::block&, int) const {}
};

}  // namespace

TEST_CASE("a placed object of more bytes than addresses count is refused with them", "[placement][sizes]") {
  sizes_fixture on;
  for (const std::size_t n :
       {(std::size_t{1} << 61) + 1, (std::size_t{1} << 60), std::numeric_limits<std::size_t>::max()})
    CHECK_THAT(refusal([&] { placed<double>(*on.runtime, n); }),
               Contains("yoke::placed of " + std::to_string(n) + " elements with 8 bytes each"));
  CHECK_THAT(refusal([&] { placed<double>(*on.runtime, (std::size_t{1} << 61) + 1); }),
             Contains("18446744073709551624 bytes"));
  CHECK_THROWS_AS(placed<double>(*on.runtime, (std::size_t{1} << 60) - 1), yoke::out_of_memory);
}

TEST_CASE("a placed object of no values is placed, and has none", "[placement][sizes]") {
  sizes_fixture on;
  std::vector<double> none;
  placed<double> made{*on.runtime, 0}, on_host{*on.runtime, std::span<double>{none}};
  placed<char> of_bytes{*on.runtime, 0};
  CHECK(of_bytes.size() == 0);
  CHECK(of_bytes.host().empty());
  for (placed<double>* x : {&made, &on_host}) {
    CHECK(x->where() == yoke::host_space);
    CHECK(x->size() == 0);
    CHECK(x->host().empty());
    CHECK(std::as_const(*x).host().empty());
    parts::as(1, [&] {
      yoke::bring_here(*x);
      CHECK(x->here().address() != nullptr);
    });
    CHECK(x->where() == first);
    placement::migrate(x->key(), yoke::host_space);
    CHECK(x->where() == yoke::host_space);
  }
  placed<double> moved = std::move(made);
  CHECK(moved.size() == 0);
}

TEST_CASE("a kernel takes a placed object of no values on CPU and device", "[placement][sizes]") {
  sizes_fixture on;
  const placed<double> none{*on.runtime, 0};
  placed<long> n{*on.runtime, 1};
  n.host()[0] = 0;
  for (const int unit : {0, 1, 2})
    parts::as(unit, [&] { yoke::launch_here<count_items>({.x = 5}, "count_items", none, n); });
  on.runtime->finish_all();
  CHECK(n.host()[0] == 15);
}

TEST_CASE("a launch of more items than are counted is refused by name, on CPU and device",
          "[placement][sizes]") {
  sizes_fixture on;
  const std::int64_t n = std::int64_t{1} << 40;
  for (const int unit : {0, 1})
    parts::as(unit, [&] {
      const std::string told = support::message_of<yoke::error>(
          [&] { yoke::launch_3d_here<nothing_3d>({.x = 2, .y = n, .z = n}, "nothing_3d", 1); });
      CHECK_THAT(told, Contains("kernel 'nothing_3d' over 2 x 1099511627776 x 1099511627776 items") &&
                           Contains("a launch has 4611686018427387904 items at most"));
    });
}

TEST_CASE("memory of a block that no CPU has is refused with its bytes", "[placement][sizes]") {
  sizes_fixture on;
  parts::as(0, [&] {
    for (const std::size_t bytes : {std::numeric_limits<std::size_t>::max(), std::size_t{1} << 40})
      CHECK_THAT(
          refusal([&] { yoke::launch_blocks_here<nothing_of_a_block>({.x = 1}, bytes, "nothing", 1); }),
          Contains("a kernel asks for " + std::to_string(bytes) + " bytes of shared memory a block"));
  });
}
