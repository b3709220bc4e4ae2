/// What docs/guide/arrays.md shows beside HOMP's topologies.
#include "values.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

/// Of neighbours along each dimension, and of a corner.
struct four_of_space {
  YOKE_HD void operator()(yoke::loop_index<3> at, yoke::view<const double, 3> a,
                          yoke::view<double, 3> b) const {
    b(at) = a(at.i - 1, at.j, at.k) + 2 * a(at.i, at.j + 1, at.k) + 4 * a(at.i, at.j, at.k - 1) +
            8 * a(at.i + 1, at.j + 1, at.k + 1);
  }
};
struct turn_sign {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x) const { x(at) = -x(at); }
};
struct up_and_right {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> a,
                          yoke::view<double, 2> b) const {
    b(at) = a(at.i - 2, at.j + 1);
  }
};

/// What only halos of 2 and 4 have.
struct far_corners {
  YOKE_HD void operator()(yoke::loop_index<3> at, yoke::view<const double, 3> a,
                          yoke::view<double, 3> b) const {
    b(at) = a(at.i - 2, at.j + 4, at.k) + 1000 * a(at.i + 2, at.j - 4, at.k);
  }
};

/// The sides of a unit's only box.
template <class Array>
std::vector<yoke::bound> box_of(const Array& x, int unit) {
  const auto boxes = x.boxes_of(unit);
  std::vector<yoke::bound> sides;
  if (boxes.size() == 1)
    for (int d = 0; d < Array::dimensions; ++d) sides.push_back(boxes.front()[d]);
  return sides;
}

}  // namespace

TEST_CASE("HOMP, Tables 1 and 3: topologies that a user or the system chooses, and dimensions along them",
          "[arrays][papers][grid]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  const dist::grid on = dist::grid{1, n}.over(yoke::unit_choice{all});
  std::vector<double> host = from_zero(20 * 30 * 8);
  const std::vector<double> is = host;
  yoke::array<double, 3> a{rt,
                           {20, 30, 8},
                           {dist::block, dist::block, dist::duplicate},
                           dist::grid{dist::any, dist::any},
                           yoke::attach(host)};
  for (const yoke::distribution& third :
       {dist::block.along(1), dist::cyclic.along(1), dist::block(8).along(0)}) {
    yoke::redistribute(a, {dist::duplicate, dist::duplicate, third}, on);
    CHECK(a.gather() == is);
    for (int unit = 0; unit < n; ++unit) CHECK(a.rows_of(unit).size() == (a.boxes_of(unit).empty() ? 0 : 20));
  }
  const yoke::array<double, 2> thin{rt, {20, 1}, {dist::duplicate, dist::block.along(1)}, on};
  for (int unit = 0; unit < n; ++unit) CHECK(thin.rows_of(unit) == yoke::bound{unit == 0 ? 20 : 0});
  yoke::array<double, 1> first{rt, {7}, {dist::duplicate}, dist::grid{1}.over(dist::units{n - 1})};
  CHECK(first.rows_of(n - 1) == yoke::bound{7});
  CHECK(std::ranges::all_of(all, [&](int unit) { return unit == n - 1 || first.boxes_of(unit).empty(); }));
}

TEST_CASE("HOMP, Table 4: halo(2:periodic,1,) on a topology of two dimensions, and sides of it",
          "[arrays][papers][grid]") {
  yoke::runtime rt;
  const dist::grid on{rt.units().size(), 1};
  constexpr std::int64_t n = 72;  // enough for 32 CUs
  std::vector<double> host = from_zero(n * 12);
  const yoke::array<double, 2> a{
      rt, {n, 12}, {dist::block.halo(2).edge(dist::periodic), dist::block.halo(1)}, on, yoke::attach(host)};
  yoke::array<double, 2> b{rt, {n, 12}, dist::as(a)};
  yoke::for_each<up_and_right>(rt, {{0, n}, {0, 11}}, in(a, yoke::reach{2, 0}, yoke::reach{0, 1}), out(b));
  const std::vector<double> found = b.gather();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < 11; ++j)
      CHECK(found[static_cast<std::size_t>(i * 12 + j)] == static_cast<double>((i + n - 2) % n * 12 + j + 1));
}

TEST_CASE("HOMP, Table 3: two halves of an array on different devices", "[arrays][papers][grid]") {
  yoke::runtime rt;
  if (rt.units().size() < 2) return support::skip("one unit");
  constexpr std::int64_t n = 41;
  std::vector<double> host = from_zero(n);
  yoke::array<double, 1> low{rt,
                             {n / 2},
                             {dist::duplicate},
                             dist::grid{2}.over(dist::units{0, 1}),
                             yoke::attach(host, {n}, {{0, n / 2}})};
  yoke::array<double, 1> high{rt,
                              {n - n / 2},
                              {dist::duplicate},
                              dist::grid{1}.over(dist::units{1}),
                              yoke::attach(host, {n}, {{n / 2, n}})};
  CHECK(low.rows_of(0) == yoke::bound{n / 2});
  CHECK(low.rows_of(1) == yoke::bound{n / 2});
  CHECK(high.boxes_of(0).empty());
  CHECK(high.rows_of(1) == yoke::bound{n - n / 2});
  yoke::for_each<turn_sign>(rt, {n / 2}, inout(low));
  yoke::for_each<turn_sign>(rt, {{1, n - n / 2}}, inout(high));
  low.detach();
  high.detach();
  std::vector<double> wanted = from_zero(n);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] *= i == n / 2 ? 1 : -1;
  CHECK(host == wanted);
}

TEST_CASE("HOMP, Tables 1 and 4: topology([2][2]) with halo(2:periodic,1,)", "[arrays][papers][grid]") {
  yoke::runtime rt;
  if (rt.units().size() < 4) return support::skip("fewer than four units");
  std::vector<double> host = from_zero(24 * 12);
  const yoke::array<double, 2> a{rt,
                                 {24, 12},
                                 {dist::block.halo(2).edge(dist::periodic), dist::block.halo(1)},
                                 dist::grid{2, 2}.over(dist::units{0, 1, 2, 3}),
                                 yoke::attach(host)};
  CHECK(box_of(a, 0) == std::vector<yoke::bound>{{0, 12}, {0, 6}});
  CHECK(box_of(a, 3) == std::vector<yoke::bound>{{12, 24}, {6, 12}});
  yoke::array<double, 2> b{rt, {24, 12}, dist::as(a)};
  yoke::for_each<up_and_right>(rt, {{0, 24}, {0, 11}}, in(a), out(b));
  const std::vector<double> found = b.gather();
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t j = 0; j < 11; ++j)
      CHECK(found[i * 12 + j] == static_cast<double>((i + 22) % 24 * 12 + j + 1));
}

TEST_CASE("HOMP, Table 4: topology([2][4]) halo(2:periodic,4,)", "[arrays][papers][grid]") {
  yoke::runtime rt;
  if (rt.units().size() < 8) return support::skip("fewer than eight units");
  constexpr std::int64_t n = 9, m = 18, l = 3;
  std::vector<double> host = from_zero(n * m * l);
  const yoke::array<double, 3> a{
      rt,
      {n, m, l},
      {dist::block.halo(2).edge(dist::periodic), dist::block.halo(4), dist::duplicate},
      dist::grid{2, 4}.over(dist::units{0, 1, 2, 3, 4, 5, 6, 7}),
      yoke::attach(host)};
  CHECK(box_of(a, 6) == std::vector<yoke::bound>{{5, 9}, {10, 14}, {0, 3}});
  yoke::array<double, 3> b{rt, {n, m, l}, dist::as(a)};
  yoke::for_each<far_corners>(rt, {{0, n}, {4, m - 4}, {0, l}}, in(a), out(b));
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<double>(((i + n) % n * m + j) * l + k);
  };
  const std::vector<double> found = b.gather();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 4; j < m - 4; ++j)
      for (std::int64_t k = 0; k < l; ++k)
        CHECK(found[static_cast<std::size_t>((i * m + j) * l + k)] ==
              at(i - 2, j + 4, k) + 1000 * at(i + 2, j - 4, k));
}

TEST_CASE("HOMP, Table 1: a topology of three dimensions, with halos along each", "[arrays][papers][grid]") {
  yoke::runtime rt;
  if (rt.units().size() < 8) return support::skip("fewer than eight units");
  constexpr std::int64_t n = 6, m = 8, l = 10;
  std::vector<double> host = from_zero(n * m * l);
  const yoke::distribution side = dist::block.halo(1).edge(dist::periodic);
  const yoke::array<double, 3> a{rt,
                                 {n, m, l},
                                 {side, side, side},
                                 dist::grid{2, 2, 2}.over(dist::units{0, 1, 2, 3, 4, 5, 6, 7}),
                                 yoke::attach(host)};
  CHECK(box_of(a, 5) == std::vector<yoke::bound>{{3, 6}, {0, 4}, {5, 10}});
  yoke::array<double, 3> b{rt, {n, m, l}, dist::as(a)};
  yoke::for_each<four_of_space>(rt, {n, m, l}, in(a), out(b));
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<double>(((i + n) % n * m + (j + m) % m) * l + (k + l) % l);
  };
  const std::vector<double> found = b.gather();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t k = 0; k < l; ++k)
        CHECK(found[static_cast<std::size_t>((i * m + j) * l + k)] ==
              at(i - 1, j, k) + 2 * at(i, j + 1, k) + 4 * at(i, j, k - 1) + 8 * at(i + 1, j + 1, k + 1));
}
