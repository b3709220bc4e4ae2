// One piece of the host's memory in two hands, of one runtime or of two.
#include "values.hpp"

#include <span>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/yoke.hpp>

namespace {

using Catch::Matchers::Contains;
using support::refusal;
using yoke::array;
using yoke::attach;
using yoke::placed;

constexpr std::int64_t n_shared = 100;
namespace dist = yoke::dist;
using yoke::roles::inout;

struct add_one {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> y) const { y(at) += 1; }
};

}  // namespace

TEST_CASE("memory to which an array of another runtime is attached is refused by name", "[attach]") {
  yoke::runtime one, other;
  std::vector<double> host = counting(n_shared);
  array<double, 1> x{one, {n_shared}, {dist::block}, attach(host)};
  CHECK_THAT(refusal([&] { array<double, 1>{other, {n_shared}, {dist::block}, attach(host)}; }),
             Contains("800 bytes") && Contains("of another runtime") && Contains("detach that one first"));
  const auto inner = std::span{host}.subspan(50, 10);
  CHECK_THAT(refusal([&] { array<double, 1>{other, {10}, {dist::block}, attach(inner)}; }),
             Contains("80 bytes") && Contains("of another runtime"));
  CHECK_THAT(refusal([&] { array<double, 1>{one, {10}, {dist::block}, attach(inner)}; }),
             Contains("to which the array ("));
  x.detach();
  CHECK_NOTHROW(array<double, 1>{other, {n_shared}, {dist::block}, attach(host)});
}

TEST_CASE("sections of two runtimes without common elements go together", "[attach]") {
  yoke::runtime one, other;
  std::vector<double> host = counting(n_shared);
  array<double, 2> even{
      one, {10, 5}, {dist::block, dist::duplicate}, attach(host, {10, 10}, {{0, 10}, {0, 10}}, {1, 2})};
  CHECK_NOTHROW(array<double, 2>{
      other, {10, 5}, {dist::block, dist::duplicate}, attach(host, {10, 10}, {{0, 10}, {1, 10}}, {1, 2})});
  CHECK_THAT(refusal([&] {
               array<double, 2>{other,
                                {10, 5},
                                {dist::block, dist::duplicate},
                                attach(host, {10, 10}, {{0, 10}, {0, 10}}, {1, 2})};
             }),
             Contains("of another runtime"));
}

TEST_CASE("memory is a region or an array's, of whichever runtimes", "[attach]") {
  yoke::runtime one, other;
  yoke::runtime& second = GENERATE(false, true) ? one : other;
  std::vector<double> host = counting(n_shared);
  {
    const placed<double> x{one, std::span{host}};
    CHECK_THAT(refusal([&] { array<double, 1>{second, {n_shared}, {dist::block}, attach(host)}; }),
               Contains("share bytes with region") && Contains("(800 bytes of double)"));
  }
  array<double, 1> x{one, {n_shared}, {dist::block}, attach(host)};
  CHECK_THAT(refusal([&] { placed<double>{second, std::span{host}}; }),
             Contains("which is attached to the 800 bytes"));
  CHECK_THAT(refusal([&] { second.memory().register_mem(host.data() + 99, 8); }),
             Contains("which is attached"));
  CHECK_THAT(refusal([&] { second.memory().register_mem(host.data(), 0); }), Contains("cannot be empty"));
  x.detach();
  CHECK_NOTHROW(placed<double>{second, std::span{host}});
}

TEST_CASE("a region fits between the elements of an array's section", "[attach]") {
  yoke::runtime rt;
  std::vector<double> host = counting(n_shared);
  array<double, 2> left{
      rt, {10, 5}, {dist::block, dist::duplicate}, attach(host, {10, 10}, {{0, 10}, {0, 5}})};
  CHECK_NOTHROW(placed<double>{rt, std::span{host}.subspan(5, 5)});
  CHECK_THAT(refusal([&] { placed<double>{rt, std::span{host}.subspan(5, 6)}; }), Contains("attached"));
}

TEST_CASE("a loop that streams memory of an array of another runtime is refused", "[attach]") {
  yoke::runtime one, other;
  std::vector<double> host = counting(n_shared);
  const array<double, 1> x{one, {n_shared}, {dist::block}, attach(host)};
  yoke::streamed y{other, host, {n_shared}};
  CHECK_THAT(refusal([&] { yoke::for_each<add_one>(other, {n_shared}, inout(y)); }),
             Contains("is memory to which an array is attached; detach that one first"));
}
