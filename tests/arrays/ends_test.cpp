/// Loops over indices near the ends of int64, and what is refused there by name.
#include "ends.hpp"

#include <array>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/detail/tiling.hpp>

using namespace arrays_test;
using Catch::Matchers::Contains;
using support::refusal;

namespace {

using namespace yoke::loops;
using yoke::bound;
using yoke::box;

struct note_indices {
  YOKE_HD void operator()(yoke::loop_index<1> at,
                          yoke::partial<yoke::located<std::int64_t, 1>, yoke::smallest_at>& low,
                          yoke::partial<yoke::located<std::int64_t, 1>, yoke::largest_at>& high) const {
    low.take({at.i, at});
    high.take({at.i, at});
  }
};

struct nothing {
  YOKE_HD void operator()(yoke::loop_index<1>) const {}
};

struct add_one {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<long, 1> x) const { x(at) += 1; }
};

}  // namespace

TEST_CASE("a loop over the last five indices has five", "[arrays][ends]") {
  yoke::runtime rt;
  const box<1> last{{{largest_index - 5, largest_index}}};
  CHECK(run(rt, last).n == 5);
  CHECK(run(rt, last) == expected(last));
  const box<1> first{{{smallest_index, smallest_index + 5}}};
  CHECK(run(rt, first).n == 5);
  CHECK(run(rt, first) == expected(first));
}

TEST_CASE("a loop at either end has its indices, whatever they have in common with leaves",
          "[arrays][ends]") {
  yoke::runtime rt;
  for (const std::int64_t n : {1, 31, 32, 1022, 1023, 1024, 1025, 2047, 2048, 300'000}) {
    CAPTURE(n);
    for (const std::int64_t before : {0, 1, 1023, 1024}) {
      CAPTURE(before);
      const box<1> last{{{largest_index - before - n, largest_index - before}}};
      CHECK(run(rt, last) == expected(last));
      const box<1> first{{{smallest_index + before, smallest_index + before + n}}};
      CHECK(run(rt, first) == expected(first));
    }
  }
}

TEST_CASE("rows that end at either end have their indices", "[arrays][ends]") {
  yoke::runtime rt;
  for (const box<2>& over :
       {box<2>{{{largest_index - 3, largest_index}, {largest_index - 1500, largest_index}}},
        box<2>{{{smallest_index, smallest_index + 3}, {largest_index - 5, largest_index}}},
        box<2>{{{-2, 2}, {smallest_index, smallest_index + 1030}}}})
    CHECK(run(rt, over) == expected(over));
}

TEST_CASE("the extremes at the ends are the indices of the loop", "[arrays][ends]") {
  yoke::runtime rt;
  auto low = yoke::smallest_at::none<yoke::located<std::int64_t, 1>>();
  auto high = yoke::largest_at::none<yoke::located<std::int64_t, 1>>();
  yoke::for_each<note_indices>(rt, {{largest_index - 2000, largest_index}}, min_at(low), max_at(high));
  CHECK(low.at.i == largest_index - 2000);
  CHECK(high.at.i == largest_index - 1);
  CHECK(high.value == largest_index - 1);
}

TEST_CASE("a loop that is distributed by hand holds to the end of int64", "[arrays][ends]") {
  yoke::runtime rt;
  for (const std::int64_t n : {5, 1025, 3000}) {
    const box<1> over{{{largest_index - n, largest_index}}};
    CAPTURE(n);
    CHECK(run(rt, over, distributed(yoke::dist::block)) == expected(over));
    if (n < 2000)
      for (const std::int64_t length :
           {std::int64_t{1}, std::int64_t{4}, std::int64_t{1} << 61, largest_index}) {
        CAPTURE(length);
        CHECK(run(rt, over, distributed(yoke::dist::cyclic(length))) == expected(over));
      }
  }
  const box<2> both{{{largest_index - 3, largest_index}, {largest_index - 40, largest_index}}};
  CHECK(run(rt, both, distributed(yoke::dist::duplicate, yoke::dist::cyclic(4))) == expected(both));
}

TEST_CASE("weights share indices up to 2^62, and the refusal of more says so", "[arrays][ends]") {
  yoke::runtime rt;
  std::vector<double> weights(static_cast<std::size_t>(rt.units().size()), 1.0);
  const std::int64_t most = std::int64_t{1} << 62;
  const box<1> over{{{most - 7, most}}};
  CHECK(run(rt, over, distributed(yoke::dist::weighted(weights))) == expected(over));
  const box<1> beyond{{{largest_index - 7, largest_index}}};
  CHECK_THAT(refusal([&] { run(rt, beyond, distributed(yoke::dist::weighted(weights))); }),
             Contains("dist::weighted shares 9223372036854775807 indices; 4611686018427387904 at most"));
}

TEST_CASE("more indices than a loop may have are refused by name", "[arrays][ends]") {
  yoke::runtime rt;
  CHECK_THAT(
      refusal([&] { yoke::for_each<nothing>(rt, {{smallest_index, largest_index}}); }),
      Contains("for_each 'nothing': [-9223372036854775808, 9223372036854775807) in dimension 0 has more "
               "indices than a loop may have, 4611686018427387904"));
  CHECK_THAT(refusal([&] { run(rt, box<2>{{std::int64_t{1} << 32, std::int64_t{1} << 32}}); }),
             Contains("for_each 'sum_of_indices': 4294967296 x 4294967296 indices, which are "
                      "18446744073709551616; a loop has 4611686018427387904 at most"));
  CHECK_THAT(refusal([&] { run(rt, box<2>{{{-largest_index, largest_index}, {0, 0}}}); }),
             Contains("in dimension 0 has more indices"));
  CHECK(run(rt, box<2>{{{largest_index, smallest_index}, {0, 5}}}).n == 0);
}

TEST_CASE("leaves of more indices than the host has memory for are out of memory", "[arrays][ends]") {
  yoke::runtime rt;
  const std::string told =
      support::message_of<yoke::out_of_memory>([&] { run(rt, box<1>{{std::int64_t{1} << 61}}); });
  CHECK_THAT(told, Contains("keeps 16 bytes on the host for each of its 2251799813685248 leaves") &&
                       Contains("36028797018963968 bytes in all"));
}

TEST_CASE("unsigned numbers that no index has are refused where they are given", "[arrays][ends]") {
  yoke::runtime rt;
  const std::uint64_t beyond = std::uint64_t{1} << 63;
  const std::string told = "the number 9223372036854775808 was given as an index or extent";
  CHECK_THAT(refusal([&] { yoke::for_each<nothing>(rt, {beyond}); }), Contains(told));
  CHECK_THAT(refusal([&] { yoke::for_each<nothing>(rt, {{beyond, beyond + 5}}); }), Contains(told));
  CHECK_THAT(refusal([&] { yoke::array<double, 1>(rt, {beyond}); }), Contains(told));
}

TEST_CASE("the tiles of a part at the end of int64 have its indices", "[arrays][ends]") {
  const yoke::detail::tiling<1> last{{largest_index - 6}, {largest_index}, {4}};
  REQUIRE(last.tiles(0) == 2);
  CHECK(last.of({0, 0, 1, nullptr, 0}).end(0) == largest_index - 2);
  CHECK(last.of({1, 0, 1, nullptr, 0}).begin(0) == largest_index - 2);
  CHECK(last.of({1, 0, 1, nullptr, 0}).end(0) == largest_index);
}

TEST_CASE("a view whose index 0 would be beyond all addresses is refused", "[arrays][ends]") {
  double values[5] = {1, 2, 3, 4, 5};
  const yoke::device_ptr<double> first{values};
  const yoke::view<double, 1> far{first, {std::int64_t{1} << 56}, {5}, {1}};
  CHECK(&far(far.begin(0) + 4) == values + 4);
  CHECK(far.first().address() == values);
  CHECK_THAT(refusal([&] { yoke::view<double, 1>(first, {largest_index - 5}, {5}, {1}); }),
             Contains("a view of elements of 8 bytes that begins with the index (9223372036854775802)"));
  CHECK_THAT(refusal([&] { yoke::view<double, 2>(first, {0, smallest_index}, {1, 5}, {5, 1}); }),
             Contains("(0, -9223372036854775808)"));
}

TEST_CASE("a subview behind the last index of all is refused, and nothing else happens", "[arrays][ends]") {
  double values[6] = {1, 2, 3, 4, 5, 6};
  const yoke::view<double, 2> u{yoke::device_ptr<double>{values}, {2, 3}};
  const yoke::checked_indices checked;
  CHECK_THAT(refusal([&] { static_cast<void>(u.subview(largest_index)); }), Contains("9223372036854775807"));
  CHECK_THAT(refusal([&] { static_cast<void>(u.subview(smallest_index)); }),
             Contains("-9223372036854775808"));
}
