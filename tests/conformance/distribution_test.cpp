// Every distribution passes this suite, on rows and on columns; a new one joins it by its line in the list of
// distribution.hpp.
#include "distributions.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <support/catch.hpp>
#include <vector>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using conformance::distribution_form;
using conformance::distributions;
using bits = std::uint64_t;

struct add_one {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<bits, 2> x) const { x(at) += 1; }
};
struct copy_element {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const bits, 2> x, yoke::view<bits, 2> y) const {
    y(at) = x(at);
  }
};

/// An array whose one dimension is cut, beside another one of three elements.
struct shape {
  std::int64_t n = 0;
  int cut = 0;
  yoke::distribution how = dist::block;

  std::int64_t rows() const { return cut == 0 ? n : 3; }
  std::int64_t columns() const { return cut == 0 ? 3 : n; }
  std::size_t size() const { return static_cast<std::size_t>(3 * n); }
  yoke::array<bits, 2> attached_to(yoke::runtime& rt, std::vector<bits>& host) const {
    if (cut == 0) return {rt, {rows(), columns()}, {how, dist::duplicate}, yoke::attach(host)};
    return {rt, {rows(), columns()}, {dist::duplicate, how}, yoke::attach(host)};
  }
  void redistribute(yoke::array<bits, 2>& x, const yoke::distribution& to) const {
    if (cut == 0) return yoke::redistribute(x, {to, dist::duplicate});
    yoke::redistribute(x, {dist::duplicate, to});
  }
};

std::vector<bits> any_bits(std::size_t n) {
  std::mt19937_64 random;
  std::vector<bits> values(n);
  std::ranges::generate(values, random);
  return values;
}

/// No elements, fewer than there are units, as many, and more.
std::vector<std::int64_t> extents(const yoke::runtime& rt) {
  const std::int64_t units = rt.units().size();
  return {0, 1, std::max<std::int64_t>(units - 1, 1), units, 10 * units + 7};
}

/// test(runtime, shape) for each extent and either dimension.
template <class Test>
void on_all_shapes(const distribution_form& form, const Test& test) {
  yoke::runtime rt;
  for (const std::int64_t n : extents(rt)) {
    for (const int cut : {0, 1}) {
      CAPTURE(form.name, n, cut);
      test(rt, shape{n, cut, form.of(rt, n)});
    }
  }
}

/// How many units have each element.
std::vector<int> owners(const yoke::runtime& rt, const yoke::array<bits, 2>& x) {
  std::vector<int> found(static_cast<std::size_t>(x.size()));
  for (int unit = 0; unit < rt.units().size(); ++unit)
    for (const yoke::box<2>& box : x.boxes_of(unit))
      for (std::int64_t i = box[0].begin; i < box[0].end; ++i)
        for (std::int64_t j = box[1].begin; j < box[1].end; ++j)
          ++found.at(static_cast<std::size_t>(i * x.extent(1) + j));
  return found;
}

}  // namespace

TEST_CASE("every distribution gives each element to one unit, or to all of them", "[distribution]") {
  const distribution_form form = GENERATE(from_range(distributions()));
  on_all_shapes(form, [](yoke::runtime& rt, const shape& of) {
    std::vector<bits> host(of.size());
    const yoke::array<bits, 2> x = of.attached_to(rt, host);
    CHECK(owners(rt, x) == std::vector<int>(of.size(), of.how.is_distributed() ? 1 : rt.units().size()));
  });
}

TEST_CASE("attached elements are gathered and come back to the bit under every distribution",
          "[distribution]") {
  const distribution_form form = GENERATE(from_range(distributions()));
  on_all_shapes(form, [](yoke::runtime& rt, const shape& of) {
    const std::vector<bits> wanted = any_bits(of.size());
    std::vector<bits> from = wanted, to(of.size());
    yoke::array<bits, 2> x = of.attached_to(rt, from), y = of.attached_to(rt, to);
    yoke::for_each<copy_element>(rt, {of.rows(), of.columns()}, in(x), out(y));
    CHECK(x.gather() == wanted);
    CHECK(y.gather() == wanted);
    x.detach();
    y.detach();
    CHECK(from == wanted);
    CHECK(to == wanted);
  });
}

TEST_CASE("a loop computes each index once in each memory under every distribution", "[distribution]") {
  const distribution_form form = GENERATE(from_range(distributions()));
  on_all_shapes(form, [](yoke::runtime& rt, const shape& of) {
    std::vector<bits> host(of.size());
    yoke::array<bits, 2> x = of.attached_to(rt, host);
    constexpr bits passes = 12;  // a balanced one may move meanwhile
    for (bits pass = 0; pass < passes; ++pass)
      yoke::for_each<add_one>(rt, {of.rows(), of.columns()}, inout(x));
    x.detach();
    CHECK(host == std::vector<bits>(of.size(), passes));
  });
}

TEST_CASE("what is redistributed to every distribution and back keeps its bits", "[distribution]") {
  const distribution_form form = GENERATE(from_range(distributions()));
  on_all_shapes(form, [](yoke::runtime& rt, const shape& of) {
    std::vector<bits> host = any_bits(of.size()), wanted = host;
    for (bits& each : wanted) each += 2;
    yoke::array<bits, 2> x = shape{of.n, of.cut}.attached_to(rt, host);
    yoke::for_each<add_one>(rt, {of.rows(), of.columns()}, inout(x));
    of.redistribute(x, of.how);
    yoke::for_each<add_one>(rt, {of.rows(), of.columns()}, inout(x));
    CHECK(x.gather() == wanted);
    of.redistribute(x, dist::block);
    CHECK(x.gather() == wanted);
    x.detach();
    CHECK(host == wanted);
  });
}
