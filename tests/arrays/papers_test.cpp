/// What docs/guide/arrays.md shows beside HOMP's Tables 1 to 4 and Communicators' primitives.
#include "values.hpp"

#include <cstdint>
#include <numeric>
#include <support/catch.hpp>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/emulated.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct axpy {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          double a) const {
    y(at) += a * x(at);
  }
};
struct ends {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          std::int64_t low, std::int64_t high) const {
    y(at) = 1000 * x(at.i - low) + x(at.i + high);
  }
};
struct step_left {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> a,
                          yoke::view<double, 2> b) const {
    b(at) = at.i > 0 ? a(at.i - 1, at.j) : 0;
  }
};
/// Adds an element's number, counted from 1.
YOKE_HD inline void put_number(const yoke::loop_index<3>& at, const yoke::view<std::int64_t, 3>& x) {
  x(at) += (at.i * 5 + at.j) * 37 + at.k + 1;
}
struct in_blocks {
  static constexpr yoke::block_shape block{16, 4, 2};
  YOKE_HD void operator()(yoke::loop_index<3> at, yoke::view<std::int64_t, 3> x) const { put_number(at, x); }
};
struct in_tiles : yoke::tiled<2, 3, 8> {
  static constexpr int block = 32, min_blocks = 4;
  YOKE_HD void operator()(const yoke::tile<3>& t, yoke::view<std::int64_t, 3> x) const {
    t.for_each(static_cast<int>(t.extent(0) * t.extent(1) * t.extent(2)), [&](int n) {
      const std::int64_t in_plane = n / t.extent(2);
      put_number({t.begin(0) + in_plane / t.extent(1), t.begin(1) + in_plane % t.extent(1),
                  t.begin(2) + n % t.extent(2)},
                 x);
    });
  }
};
struct number_rows {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> a) const {
    a(at) = static_cast<double>(at.i);
  }
};
/// Communicators, Figure 3: KERNEL_CHAR(k_mm, 2, medium, medium, high).
struct in_words {
  static constexpr yoke::character character{.sharing = yoke::level::high};
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> a) const { a(at) += 1; }
};
struct in_words_and_numbers : in_words {
  static constexpr yoke::block_shape block{32, 4, 1};
  static constexpr std::int64_t several_from = 5;
};
struct add_all {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> f,
                          yoke::partial<double>& error) const {
    error += f(at);
  }
};
struct matrix_add {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> a,
                          yoke::view<const double, 2> b, yoke::view<double, 2> c) const {
    c(at) = a(at) + b(at);
  }
};

}  // namespace

TEST_CASE("HOMP, Figure 1: AXPY with BLOCK and with a replica of x", "[arrays][papers]") {
  yoke::runtime rt;
  for (const yoke::distribution& of_x : {dist::block, dist::duplicate}) {
    std::vector<double> x_host = from_zero(41), y_host = from_zero(41);
    const yoke::array<double, 1> x{rt, {41}, {of_x}, yoke::attach(x_host)};
    yoke::array<double, 1> y{rt, {41}, {dist::block}, yoke::attach(y_host)};
    yoke::for_each<axpy>(rt, {41}, in(x), inout(y), 2.0);
    y.detach();
    for (std::int64_t i = 0; i < 41; ++i)
      CHECK(y_host[static_cast<std::size_t>(i)] == 3.0 * static_cast<double>(i));
  }
}

TEST_CASE("HOMP, Table 4: halo(2:periodic,)", "[arrays][papers]") {
  yoke::runtime rt;
  constexpr std::int64_t n = 97;  // enough for 32 CUs
  std::vector<double> host = from_zero(n);
  const yoke::array<double, 1> a{rt, {n}, {dist::block.halo(2).edge(dist::periodic)}, yoke::attach(host)};
  yoke::array<double, 1> b{rt, {n}, {dist::block}};
  yoke::for_each<ends>(rt, {n}, in(a), out(b), 2, 2);
  const std::vector<double> found = b.gather();
  for (std::int64_t i = 0; i < n; ++i)
    CHECK(found[static_cast<std::size_t>(i)] == static_cast<double>(1000 * ((i + n - 2) % n) + (i + 2) % n));
}

TEST_CASE("HOMP, Table 4: halo(2:reflecting 3:periodic,)", "[arrays][papers]") {
  yoke::runtime rt;
  constexpr std::int64_t n = 97;  // enough for 32 CUs
  std::vector<double> host = from_zero(n);
  const auto rows = dist::block.halo(2, 3).edge(dist::reflecting, dist::periodic);
  const yoke::array<double, 1> a{rt, {n}, {rows}, yoke::attach(host)};
  yoke::array<double, 1> b{rt, {n}, {dist::block}};
  yoke::for_each<ends>(rt, {n}, in(a), out(b), 2, 3);
  const std::vector<double> found = b.gather();
  CHECK(found[0] == 2003);       // A[-2] is A[2]
  CHECK(found[1] == 1004);       // A[-1] is A[1]
  CHECK(found[n - 1] == 94002);  // A[n + 2] is A[2]
}

TEST_CASE("HOMP, Table 4: one side of a halo, and halo_exchange(A, B)", "[arrays][papers]") {
  yoke::runtime rt;
  std::vector<double> host = from_zero(24 * 5);
  const yoke::array<double, 2> a{rt, {24, 5}, {dist::block.halo(1), dist::duplicate}, yoke::attach(host)};
  yoke::array<double, 2> b{rt, {24, 5}, dist::as(a)};
  yoke::for_each<step_left>(rt, {24, 5}, in(a, yoke::reach{1, 0}), out(b));
  yoke::exchange(a, b);
  const std::vector<double> found = b.gather();
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == (i < 5 ? 0.0 : static_cast<double>(i - 5)));
}

TEST_CASE("HOMP, Table 4: halo_update left(A[*]) by hand brings that side, and a loop that reads it no other",
          "[arrays][papers]") {
  yoke::runtime rt;
  std::vector<yoke::emulated_device*> devices;
  for (yoke::device* dev : rt.devices())
    if (auto* emulated = dynamic_cast<yoke::emulated_device*>(dev)) devices.push_back(emulated);
  if (devices.empty()) return support::skip("no emulated device");
  const auto copied = [&] {
    std::size_t all = 0;
    for (yoke::emulated_device* dev : devices) {
      dev->synchronize();
      all += dev->statistics().bytes_to_device + dev->statistics().bytes_to_host +
             dev->statistics().bytes_inside;
    }
    return all;
  };
  std::size_t last = copied();
  const auto since = [&] {
    const std::size_t before = std::exchange(last, copied());
    return last - before;
  };
  yoke::array<double, 2> a{rt, {24, 5}, {dist::block.halo(1), dist::duplicate}};
  yoke::array<double, 2> b{rt, {24, 5}, dist::as(a)};
  yoke::for_each<number_rows>(rt, {24, 5}, out(a));
  since();
  yoke::exchange(a);
  const std::size_t both = since();
  yoke::for_each<number_rows>(rt, {24, 5}, out(a));
  since();
  yoke::exchange(a, yoke::side::low(0));
  const std::size_t low = since();
  CHECK(2 * low <= both);
  yoke::for_each<step_left>(rt, {24, 5}, in(a, yoke::reach{1, 0}), out(b));
  CHECK(since() == 0);
  yoke::exchange(a, yoke::side::low(0), yoke::side::high(0), yoke::side::low(1));
  CHECK(since() == both);
  const std::vector<double> found = b.gather();
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == (i < 5 ? 0.0 : static_cast<double>(i / 5 - 1)));
}

TEST_CASE("HOMP, Figure 2: reduction(+: error) over BLOCK rows", "[arrays][papers]") {
  yoke::runtime rt;
  std::vector<double> host = from_zero(30 * 7);
  const yoke::array<double, 2> f{rt, {30, 7}, {dist::block, dist::duplicate}, yoke::attach(host)};
  double error = 1;
  yoke::for_each<add_all>(rt, {30, 7}, in(f), sum(error));
  CHECK(error == 1 + 209 * 210 / 2);
}

TEST_CASE("Communicators, section 3: attached and internal variables of a matrix addition",
          "[arrays][papers]") {
  yoke::runtime rt;
  std::vector<double> a_host = from_zero(40), c_host(40);
  const yoke::array<double, 2> a{rt, {8, 5}, {dist::block, dist::duplicate}, yoke::attach(a_host)};
  yoke::array<double, 2> inner{rt, {8, 5}, dist::as(a)};
  yoke::array<double, 2> c{rt, {8, 5}, dist::as(a), yoke::attach(c_host)};
  yoke::for_each<matrix_add>(rt, {8, 5}, in(a), in(a), out(inner));
  yoke::for_each<matrix_add>(rt, {8, 5}, in(inner), in(a), out(c));
  c.detach();
  for (std::size_t i = 0; i < 40; ++i) CHECK(c_host[i] == 3.0 * static_cast<double>(i));
}

TEST_CASE("Communicators, section 3.3: kernels that say the shape of their launch", "[arrays][papers]") {
  static_assert(yoke::detail::body_kernel<in_blocks, 3>::block.x == 16);
  static_assert(yoke::detail::body_kernel<in_blocks, 3>::block.y == 4);
  static_assert(yoke::detail::body_kernel<in_blocks, 3>::block.z == 2);
  static_assert(yoke::detail::body_kernel<axpy, 1>::block.x == yoke::block_shape{}.x);
  static_assert(yoke::detail::body_kernel<in_words, 2>::block.y == 16);
  static_assert(yoke::detail::body_kernel<in_words, 2>::several_from > std::int64_t{1} << 40);
  static_assert(yoke::detail::body_kernel<in_words_and_numbers, 2>::block.y == 4);
  static_assert(yoke::detail::body_kernel<in_words_and_numbers, 2>::several_from == 5);
  static_assert(yoke::detail::body_kernel<matrix_add, 2>::several_from == yoke::kernel_call{}.several_from);
  static_assert(yoke::detail::tile_kernel<in_tiles, 3>::block == 32);
  static_assert(yoke::detail::tile_kernel<in_tiles, 3>::min_blocks == 4);
  yoke::runtime rt;
  yoke::array<std::int64_t, 3> by_blocks{rt, {11, 5, 37}}, by_tiles{rt, {11, 5, 37}};
  yoke::for_each<in_blocks>(rt, {11, 5, 37}, inout(by_blocks));
  yoke::for_each<in_tiles>(rt, {11, 5, 37}, inout(by_tiles));
  yoke::array<double, 2> by_words{rt, {37, 11}};
  yoke::for_each<in_words>(rt, {37, 11}, inout(by_words));
  yoke::for_each<in_words_and_numbers>(rt, {37, 11}, inout(by_words));
  CHECK(by_words.gather() == std::vector<double>(37 * 11, 2.0));
  std::vector<std::int64_t> wanted(11 * 5 * 37);
  std::iota(wanted.begin(), wanted.end(), 1);
  CHECK(by_blocks.gather() == wanted);
  CHECK(by_tiles.gather() == wanted);
}
