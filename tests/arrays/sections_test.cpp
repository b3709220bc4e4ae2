/// Arrays that are attached to sections of larger memory.
#include <algorithm>
#include <cstdint>
#include <random>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

struct scale_3d {
  YOKE_HD void operator()(yoke::loop_index<3> at, yoke::view<int, 3> x, int by) const {
    x(at) = by * x(at) + static_cast<int>(at.i + 10 * at.j + 100 * at.k);
  }
};

std::int64_t between(std::mt19937_64& from, std::int64_t least, std::int64_t most) {
  return std::uniform_int_distribution<std::int64_t>{least, most}(from);
}

/// One dimension of a section.
struct side {
  std::int64_t extent, begin, end, step;
  std::int64_t size() const { return end > begin ? (end - begin + step - 1) / step : 0; }
};
side random_side(std::mt19937_64& from) {
  side made{between(from, 1, 12), 0, 0, between(from, 1, 3)};
  made.begin = between(from, 0, made.extent);
  made.end = between(from, made.begin, made.extent);
  return made;
}

/// Which elements of memory of a x b x c are in a section, in the order of the section.
std::vector<std::size_t> elements_of(const side& a, const side& b, const side& c) {
  std::vector<std::size_t> all;
  for (std::int64_t i = a.begin; i < a.end; i += a.step)
    for (std::int64_t j = b.begin; j < b.end; j += b.step)
      for (std::int64_t k = c.begin; k < c.end; k += c.step)
        all.push_back(static_cast<std::size_t>((i * b.extent + j) * c.extent + k));
  return all;
}

auto attach_to(std::vector<int>& host, const side& a, const side& b, const side& c) {
  return yoke::attach(host, {a.extent, b.extent, c.extent},
                      {{a.begin, a.end}, {b.begin, b.end}, {c.begin, c.end}}, {a.step, b.step, c.step});
}

std::mt19937_64 seeded() {
  static std::uint64_t next = Catch::rngSeed();
  UNSCOPED_INFO("seed " << next);
  return std::mt19937_64{next++};
}

}  // namespace

TEST_CASE("an array of a section has its elements, and detach changes these alone", "[arrays]") {
  yoke::runtime rt;
  for (int round = 0; round < 60; ++round) {
    std::mt19937_64 random = seeded();
    const side a = random_side(random), b = random_side(random), c = random_side(random);
    std::vector<int> host(static_cast<std::size_t>(a.extent * b.extent * c.extent));
    for (int& each : host) each = static_cast<int>(between(random, -99, 99));
    std::vector<int> wanted = host, section;
    const std::vector<std::size_t> all = elements_of(a, b, c);
    for (const std::size_t at : all) section.push_back(host[at]);
    const auto rows = round % 2 == 0 ? dist::block : dist::balanced;
    yoke::array<int, 3> x{rt,
                          {a.size(), b.size(), c.size()},
                          {rows, dist::duplicate, dist::duplicate},
                          attach_to(host, a, b, c)};
    CHECK(x.gather() == section);
    yoke::for_each<scale_3d>(rt, {a.size(), b.size(), c.size()}, inout(x), 3);
    const std::int64_t plane = b.size() * c.size();
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto at = static_cast<std::int64_t>(n);
      wanted[all[n]] = 3 * wanted[all[n]] +
                       static_cast<int>(at / plane + 10 * (at % plane / c.size()) + 100 * (at % c.size()));
    }
    x.detach();
    CHECK(host == wanted);
  }
}

TEST_CASE("sections are refused where, and only where, they share elements", "[arrays]") {
  yoke::runtime rt;
  int shared = 0, apart = 0;
  for (int round = 0; round < 300; ++round) {
    std::mt19937_64 random = seeded();
    side a = random_side(random), b = random_side(random), c = random_side(random);
    side d = random_side(random), e = random_side(random), f = random_side(random);
    for (const auto& [mine, others] : {std::pair{&a, &d}, std::pair{&b, &e}, std::pair{&c, &f}}) {
      mine->extent = others->extent = std::max(mine->extent, others->extent);
      for (side* const each : {mine, others}) {
        each->begin = between(random, 0, each->extent - 1) / 2;
        each->end = between(random, each->begin + 1, each->extent);
      }
    }
    std::vector<int> host(static_cast<std::size_t>(a.extent * b.extent * c.extent));
    std::vector<bool> is_mine(host.size());
    for (const std::size_t at : elements_of(a, b, c)) is_mine[at] = true;
    bool share = false;
    for (const std::size_t at : elements_of(d, e, f)) share = share || is_mine[at];
    const yoke::array<int, 3> x{rt, {a.size(), b.size(), c.size()}, attach_to(host, a, b, c)};
    const std::string said = refusal(
        [&] { const yoke::array<int, 3> y{rt, {d.size(), e.size(), f.size()}, attach_to(host, d, e, f)}; });
    CHECK((said.find("share elements") != std::string::npos) == share);
    ++(share ? shared : apart);
  }
  CHECK(shared > 20);
  CHECK(apart > 20);
}

TEST_CASE("halves of a matrix are arrays of their own, and change places", "[arrays]") {
  yoke::runtime rt;
  std::vector<int> host{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  yoke::array<int, 2> left{rt, {3, 2}, yoke::attach(host, {3, 4}, {{0, 3}, {0, 2}})};
  yoke::array<int, 2> right{rt, {3, 2}, dist::as(left), yoke::attach(host, {3, 4}, {{0, 3}, {2, 4}})};
  swap(left, right);
  left.detach();
  right.detach();
  CHECK(host == std::vector<int>{3, 4, 1, 2, 7, 8, 5, 6, 11, 12, 9, 10});
}

TEST_CASE("sections that leave their memory or do not fit are refused", "[arrays]") {
  yoke::runtime rt;
  std::vector<int> host(12);
  CHECK_THAT(refusal([&] { static_cast<void>(yoke::attach(host, {3, 5}, {{0, 3}, {0, 4}})); }),
             Contains("memory of 12 elements for an array of 15"));
  CHECK_THAT(refusal([&] { static_cast<void>(yoke::attach(host, {3, 4}, {{0, 3}, {1, 5}})); }),
             Contains("[1, 5) in dimension 1 of memory that has [0, 4)"));
  CHECK_THAT(refusal([&] { static_cast<void>(yoke::attach(host, {3, 4}, {{0, 3}, {0, 4}}, {1, 0})); }),
             Contains("a step of 0 in dimension 1"));
  CHECK_THAT(refusal([&] { yoke::array<int, 2>{rt, {3, 3}, yoke::attach(host, {3, 4}, {{0, 3}, {0, 2}})}; }),
             Contains("a section with 2 elements in dimension 1 for an array with 3"));
  CHECK_THAT(refusal([&] { yoke::array<int, 1>{rt, {3}, yoke::attach(host, {3, 4}, {{0, 3}, {0, 1}})}; }),
             Contains("a section of 2 dimensions for an array of 1"));
}

TEST_CASE("a program that writes to attached memory is told by detach, where checks are on",
          "[arrays][sections]") {
  const support::variable check{"YOKE_CHECK", "1"};
  yoke::runtime rt;
  std::vector<int> host(60, 1), dense(20, 2);
  yoke::array<int, 1> x{rt, {20}, yoke::attach(host, {60}, {{0, 60}}, {3})}, y{rt, {20}, yoke::attach(dense)};
  host[1] = host[59] = 7;  // between elements
  CHECK(x.gather() == std::vector<int>(20, 1));
  host[3] = -1;
  CHECK_THAT(refusal([&] { x.detach(); }), Contains("written to the 80 bytes at") && Contains("gather"));
  CHECK(host[3] == -1);
  CHECK(x.gather() == std::vector<int>(20, 1));
  host[3] = 1;
  x.detach();
  CHECK(host[1] == 7);
  // Without CPU CUs Yoke has a copy of all memory.
  dense[19] = 3;
  if (rt.units().shape().cpu_units == 0)
    CHECK_THAT(refusal([&] { y.detach(); }), Contains("the 80 bytes at"));
}

TEST_CASE("where checks are off detach overwrites what a program has written", "[arrays][sections]") {
  const support::variable check{"YOKE_CHECK", "0"};
  yoke::runtime rt;
  std::vector<int> host(60, 1);
  yoke::array<int, 1> x{rt, {20}, yoke::attach(host, {60}, {{0, 60}}, {3})};
  static_cast<void>(x.gather());
  host[3] = -1;
  x.detach();
  CHECK(host[3] == 1);
}
