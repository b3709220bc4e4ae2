/// Variables that two reductions of a loop would write.
#include <array>
#include <cstdint>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

using Catch::Matchers::Contains;
using support::refusal;

namespace {

using namespace yoke::loops;

struct count_twice {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::partial<long>& a, yoke::partial<long>& b) const {
    a += 1;
    b += 10;
  }
};
struct pair_of_longs {
  long first = 0, second = 0;
};
struct add_pairs {
  YOKE_HD static pair_of_longs none() { return {}; }
  YOKE_HD static pair_of_longs combine(const pair_of_longs& a, const pair_of_longs& b) {
    return {a.first + b.first, a.second + b.second};
  }
};
struct count_pairs {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::partial<pair_of_longs, add_pairs>& a,
                          yoke::partial<long>& b) const {
    a.take({1, 1});
    b += 1;
  }
};
struct count {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::partial<long>& n) const { n += 1; }
};
struct double_it {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<long, 1> x, yoke::partial<long>& all) const {
    x(at) *= 2;
    all += x(at);
  }
};

}  // namespace

TEST_CASE("one variable in two reductions of a loop is refused, with both", "[arrays][reduction]") {
  yoke::runtime rt;
  long n = 7;
  CHECK_THAT(
      refusal([&] { yoke::for_each<count_twice>(rt, {5}, sum(n), sum(n)); }),
      Contains(
          "for_each 'count_twice': the reductions 1 and 2 of the loop, counted from 1, share a variable"));
  CHECK(n == 7);
  CHECK_THAT(
      refusal([&] {
        static_cast<void>(yoke::record(rt, [&] { yoke::for_each<count_twice>(rt, {5}, sum(n), sum(n)); }));
      }),
      Contains("share a variable"));
}

TEST_CASE("reductions whose variables overlap are refused, and neighbours are not", "[arrays][reduction]") {
  yoke::runtime rt;
  std::array<pair_of_longs, 2> values{};
  CHECK_THAT(refusal([&] {
               yoke::for_each<count_pairs>(rt, {5}, reduce<add_pairs>(values[0]), sum(values[0].second));
             }),
             Contains("share a variable"));
  yoke::for_each<count_pairs>(rt, {5}, reduce<add_pairs>(values[0]), sum(values[1].first));
  CHECK(values[0].second == 5);
  CHECK(values[1].first == 5);
}

TEST_CASE("two loops may add to one variable, in a recording too", "[arrays][reduction]") {
  yoke::runtime rt;
  long n = 0;
  yoke::recording both = yoke::record(rt, [&] {
    yoke::for_each<count>(rt, {5}, sum(n));
    yoke::for_each<count>(rt, {3}, sum(n));
  });
  both.replay();
  CHECK(n == 8);
}

TEST_CASE("a variable that an array is attached to is no variable of a reduction", "[arrays][reduction]") {
  yoke::runtime rt;
  std::vector<long> host{1, 2, 3, 4, 5, 6};
  yoke::array<long, 1> x{rt, {3}, yoke::attach(host, {6}, {{0, 6}}, {2})};
  CHECK_THAT(
      refusal([&] { yoke::for_each<double_it>(rt, {3}, inout(x), sum(host[2])); }),
      Contains(
          "for_each 'double_it': the variable of reduction 1 of the loop, counted from 1, is memory that "
          "an array is attached to"));
  host[1] = 0;
  yoke::for_each<double_it>(rt, {3}, inout(x), sum(host[1]));  // between the elements of the section
  x.detach();
  CHECK(host == std::vector<long>{2, 18, 6, 4, 10, 6});
}
