/// What messages call arrays, loops and the memory that is short.
#include "checking.hpp"
#include "emulated_options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using support::message_of;
using support::refusal;
namespace dist = yoke::dist;

struct moved_by {
  YOKE_HD void operator()(yoke::loop_index<1> at, std::int64_t by, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at.i + by);
  }
};
struct moved_row {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> y,
                          yoke::view<const double, 2> x) const {
    y(at) = x.subview(at.i)(at.j + 1);
  }
};
struct copy_of {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> x,
                          yoke::view<double, 2> y) const {
    y(at) = x(at);
  }
};

constexpr std::int64_t n = 64;

}  // namespace

TEST_CASE("messages call an array by its name, else by its shape and the order of making", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> host(n);
  yoke::array<double, 1> first{rt, {n}};
  yoke::array<float, 2> second{rt, {3, 5}, {dist::block, dist::duplicate}};
  yoke::array<double, 1> forces{rt, {n}, yoke::attach(host), "forces"};
  yoke::array<double, 1> same{rt, {n}, dist::as(first), "as first"};
  CHECK(refusal([&] { first.detach(); }) ==
        "detach: the array (64 double, the 1st that was made) is attached to no memory of the host; gather "
        "gives its elements");
  CHECK_THAT(refusal([&] { second.detach(); }),
             StartsWith("detach: the array (3 x 5 float, the 2nd that was made) is"));
  CHECK_THAT(refusal([&] { same.detach(); }), StartsWith("detach: the array 'as first' (64 double) is"));
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {n}, yoke::attach(host)}; }),
             Contains("to which the array 'forces' (64 double) is attached; detach that one first"));
  forces.detach();
  CHECK(
      refusal([&] { static_cast<void>(forces.gather()); }) ==
      "gather: the array 'forces' (64 double) has been detached; its elements are in the memory that it was "
      "attached to");
}

TEST_CASE("a loop that does not fit its arrays names them", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {n}, {dist::block}, "old"}, y{rt, {n}, dist::as(x), "new"};
  CHECK_THAT(
      refusal([&] { yoke::for_each<moved_by>(rt, {n + 1}, 0, in(x), out(y)); }),
      StartsWith("for_each 'moved_by': the array 'new' (64 double), array 2 of the loop, counted from 1, "
                 "has the indices [0, 64)"));
}

TEST_CASE("an array that ends inside record is told so, and not as one that was swapped",
          "[arrays][record]") {
  yoke::runtime rt;
  std::optional<yoke::array<double, 2>> x, y;
  const auto record = [&](bool swaps) {
    x = yoke::array<double, 2>{rt, {8, 8}, "x"};
    y = yoke::array<double, 2>{rt, {8, 8}, dist::as(*x), "y"};
    return refusal([&] {
      static_cast<void>(yoke::record(rt, [&] {
        yoke::for_each<copy_of>(rt, {8, 8}, in(*x), out(*y));
        if (swaps) swap(*x, *y);
        y.reset();
      }));
    });
  };
  const std::string ended = "record: the array 'y' (8 x 8 double) has ended inside the recording";
  CHECK_THAT(record(false), StartsWith(ended));
  CHECK_THAT(record(true), Contains("the array '") && Contains("(8 x 8 double) has"));
  yoke::array<double, 2> z{rt, {8, 8}, "z"};
  yoke::recording steps = yoke::record(rt, [&] { yoke::for_each<copy_of>(rt, {8, 8}, in(*x), out(z)); });
  x.reset();
  CHECK(refusal([&] { steps.replay(); }) ==
        "replay: the array 'x' (8 x 8 double) has ended; keep it as long as the recording");
}

TEST_CASE("an index outside is told with kernel, array, index of the loop, and what mends it", "[arrays]") {
  checking with;
  if (!with.can()) return support::skip("a GPU does not check");
  yoke::runtime& rt = with.rt();
  yoke::array<double, 1> x{rt, {n}, {dist::block}}, y{rt, {n}, dist::as(x)};
  const std::string told = refusal([&] {
    yoke::for_each<moved_by>(rt, {n}, n, in(x), out(y));
    static_cast<void>(y.gather());
  });
  CHECK_THAT(told, Contains("'moved_by'") && Contains("a kernel used the index ("));
  CHECK_THAT(told, Contains(", its array 1, counted from 1, at index (") && Contains(") of the loop; "));
  CHECK_THAT(told, Contains("declare a halo that reaches there") && Contains("or end the loop before"));
  if (rt.units().shape().gpu_units == 0) CHECK_THAT(told, Contains("on a CPU CU"));
  yoke::array<double, 2> u{rt, {n, 3}, {dist::block, dist::duplicate}}, v{rt, {n, 3}, dist::as(u)};
  CHECK_THAT(refusal([&] {
               yoke::for_each<moved_row>(rt, {n, 3}, out(u), in(v));
               static_cast<void>(u.gather());
             }),
             Contains("a kernel used the index (3) of a view of 3 elements, its array 2, counted from 1, at "
                      "index ("));
}

TEST_CASE("what is too large for a device is told with the array, and what to do about arrays",
          "[arrays][faults]") {
  const emulated_options with{"memory=1MiB"};
  yoke::runtime rt;
  if (!heeds_options(rt)) return support::skip("no emulated device");
  const std::string told = message_of<yoke::out_of_memory>(
      [&] { yoke::array<double, 1>{rt, {4 << 20}, {dist::duplicate}, "too large"}; });
  CHECK_THAT(told, Contains("has of the array 'too large' (4194304 double) at ") &&
                       Contains("bytes wanted in space 1 (emulated:0"));
  CHECK_THAT(told, Contains("dist::weighted") && !Contains("tasks"));
}

TEST_CASE("rows that are too large for a device are told with the loop, and what to do about chunks",
          "[arrays][faults]") {
  const emulated_options with{"memory=1MiB"};
  yoke::runtime rt;
  if (!heeds_options(rt)) return support::skip("no emulated device");
  constexpr std::int64_t row = 200'000;
  std::vector<double> host(4 * row, 1.0), other(4 * row);
  yoke::streamed x{rt, host, {4, row}, "x"}, y{rt, other, {4, row}, "y"};
  const std::string told =
      message_of<yoke::out_of_memory>([&] { yoke::for_each<copy_of>(rt, {4, row}, in(x), out(y)); });
  CHECK_THAT(told, StartsWith("three chunks of for_each 'copy_of' at "));
  CHECK_THAT(told, Contains("a chunk has one row of dimension 0 at least") && !Contains("tasks"));
  CHECK_THAT(refusal([&] { yoke::for_each<copy_of>(rt, {5, row}, in(x), out(y)); }),
             StartsWith("for_each 'copy_of': the streamed memory 1 of the loop, counted from 1, has") &&
                 Contains("('x', 4 x 200000 double)"));
}
