/// Arrays on memory that is only read, which may be such that nobody can write there.
#include <cstdint>
#include <numeric>
#include <span>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <sys/mman.h>
#include <type_traits>
#include <vector>

#include <yoke/arrays.hpp>

using Catch::Matchers::Contains;
using support::refusal;

namespace {

namespace dist = yoke::dist;
using namespace yoke::loops;

constexpr std::int64_t n = 4096;

struct add_neighbours {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at.i - 1) + x(at.i + 1);
  }
};
struct copy_elements {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at);
  }
};

/// 0, 1, 2, … in pages that end a program which writes there.
class read_only_pages {
 public:
  read_only_pages() {
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    first_ = static_cast<double*>(pages);
    std::iota(first_, first_ + n, 0.0);
    REQUIRE(mprotect(pages, bytes, PROT_READ) == 0);
  }
  ~read_only_pages() { munmap(first_, bytes); }
  read_only_pages(const read_only_pages&) = delete;
  read_only_pages& operator=(const read_only_pages&) = delete;
  std::span<const double> values() const { return {first_, n}; }

 private:
  static constexpr std::size_t bytes = n * sizeof(double);
  double* first_ = nullptr;
};

/// One of its own: std::swap would move handles.
template <class Array>
concept has_swap = requires(Array& a, Array& b) { swap(a, b); };

std::vector<double> all_of(std::span<const double> values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("an array of const elements reads memory that nobody may write", "[arrays][const]") {
  const read_only_pages pages;
  yoke::runtime rt;
  yoke::array<const double, 1> x{rt, {n}, {dist::block.halo(1)}, yoke::attach(pages.values())};
  yoke::array<double, 1> y{rt, {n}, dist::as(x)};
  for (int step = 0; step < 2; ++step) yoke::for_each<add_neighbours>(rt, {{1, n - 1}}, in(x), out(y));
  const std::vector<double> sums = y.gather();
  CHECK(sums[1] == 2);
  CHECK(sums[n - 2] == 2.0 * (n - 2));
  CHECK(x.gather() == all_of(pages.values()));
  yoke::exchange(x);
  x.detach();
  CHECK_THAT(refusal([&] { static_cast<void>(x.gather()); }), Contains("has been detached"));
}

TEST_CASE("the cuts of an array of const elements move, and its memory is not written", "[arrays][const]") {
  const read_only_pages pages;
  yoke::runtime rt;
  yoke::array<const double, 1> x{rt, {n}, {dist::block}, yoke::attach(pages.values())};
  yoke::array<double, 1> y{rt, {n}, {dist::block}};
  std::vector<double> weights(static_cast<std::size_t>(rt.units().size()), 1.0);
  for (const yoke::distribution& rows :
       {dist::cyclic(64), dist::weighted(weights), dist::duplicate, dist::block}) {
    yoke::redistribute(x, rows);
    yoke::redistribute(y, rows);
    yoke::for_each<copy_elements>(rt, {n}, in(x), out(y));
    CHECK(y.gather() == all_of(pages.values()));
    CHECK(x.gather() == all_of(pages.values()));
  }
}

TEST_CASE("const memory may be attached to several arrays that read it, and to none that writes",
          "[arrays][const]") {
  yoke::runtime rt;
  std::vector<double> host{1, 2, 3, 4};
  yoke::array<const double, 1> x{rt, {4}, yoke::attach(std::as_const(host))};
  {
    const yoke::array<const double, 2> y{rt, {2, 2}, yoke::attach(host)};
    CHECK(y.gather() == host);
    CHECK_THAT(refusal([&] { yoke::array<double, 1>(rt, {4}, yoke::attach(host)); }),
               Contains("share elements"));
  }
  CHECK(x.gather() == host);
  x.detach();
  const yoke::array<double, 1> z{rt, {4}, yoke::attach(host)};
  CHECK_THAT(refusal([&] { yoke::array<const double, 1>(rt, {4}, yoke::attach(host)); }),
             Contains("share elements"));
}

TEST_CASE("sections of const memory, copies, scans and transposes of it read", "[arrays][const]") {
  const read_only_pages pages;
  yoke::runtime rt;
  const yoke::array<const double, 1> even{rt, {n / 2}, yoke::attach(pages.values(), {n}, {{0, n}}, {2})};
  yoke::array<double, 1> sums{rt, {n / 2}}, same{rt, {n / 2}};
  CHECK(yoke::inclusive_scan(rt, even, sums) == (n / 2) * (n / 2 - 1.0));
  yoke::copy(even, same);
  CHECK(same.gather()[3] == 6);
  const yoke::array<const double, 2> a{rt, {64, 64}, yoke::attach(pages.values())};
  yoke::array<double, 2> b{rt, {64, 64}};
  yoke::transpose(a, b);
  CHECK(b.gather()[1] == 64);
}

TEST_CASE("an array of const elements is made on memory alone, and is not swapped", "[arrays][const]") {
  using reading = yoke::array<const double, 1>;
  using extents = const yoke::detail::extent_of_dimension(&)[1];
  STATIC_REQUIRE(!std::is_constructible_v<reading, yoke::runtime&, extents>);
  STATIC_REQUIRE(std::is_same_v<reading::value_type, double>);
  STATIC_REQUIRE(!has_swap<reading>);
  STATIC_REQUIRE(has_swap<yoke::array<double, 1>>);
  yoke::runtime rt;
  const std::vector<double> none;
  const reading x{rt, {0}, yoke::attach(none)};
  CHECK(x.gather().empty());
}
