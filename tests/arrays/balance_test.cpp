/// Cuts that follow measured loops.
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/settings.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;

/// Work that grows with the row, the same wherever it runs.
struct smooth {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old, yoke::view<double, 2> u,
                          yoke::partial<double>& sum, std::int64_t n) const {
    double value = old(at.i - 1, at.j) + old(at.i + 1, at.j) + old(at.i, at.j);
    for (std::int64_t k = 0; k < at.i * 16 / n; ++k) value = 0.3 * value + 0.7 * old(at);
    u(at) = 0.3 * value;
    sum += value;
  }
};
struct add_one {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x) const { x(at) += 1; }
};

constexpr std::int64_t n = 200, m = 30;

struct result {
  std::vector<double> u, host;
  double sum = 0;
  friend bool operator==(const result&, const result&) = default;
};

/// `steps` steps of arrays that are attached, internal and swapped; `between` is called before each.
template <class Between>
result solve(yoke::runtime& rt, const yoke::distribution& rows, int steps, const Between& between) {
  result found;
  found.host.resize(static_cast<std::size_t>(n * m));
  for (std::size_t i = 0; i < found.host.size(); ++i) found.host[i] = static_cast<double>(i % 101) - 50;
  yoke::array<double, 2> u{
      rt, {n, m}, {rows.halo(1).edge(dist::periodic, dist::none), dist::duplicate}, yoke::attach(found.host)};
  yoke::array<double, 2> old{rt, {n, m}, dist::as(u)};
  yoke::copy(u, old);
  for (int k = 0; k < steps; ++k) {
    between(k, u);
    swap(u, old);
    yoke::for_each<smooth>(rt, {{0, n - 1}, {0, m}}, in(old), out(u), sum(found.sum), n);
  }
  found.u = old.gather();
  u.detach();
  return found;
}

std::vector<std::int64_t> shares_of(const yoke::array<double, 2>& x, const yoke::runtime& rt) {
  std::vector<std::int64_t> shares;
  for (int unit = 0; unit < rt.units().size(); ++unit) shares.push_back(x.rows_of(unit).size());
  return shares;
}

}  // namespace

TEST_CASE("results have the same bits wherever balanced arrays are cut while they run", "[arrays][balance]") {
  yoke::runtime rt;
  const result wanted = solve(rt, dist::block, 30, [](int, const auto&) {});
  // By what is measured, on request, and by other arrays that need longer parts.
  CHECK(solve(rt, dist::balanced, 30, [](int, const auto&) {}) == wanted);
  CHECK(solve(rt, dist::balanced, 30, [](int, const auto& u) { yoke::balance(u); }) == wanted);
  CHECK(solve(rt, dist::balanced, 30, [&](int k, const auto&) {
          const int wide = k % 7 * 30;
          const yoke::array<float, 1> other{rt, {n}, {dist::balanced.halo(0, wide)}};
          CHECK(other.gather() == std::vector<float>(n));
        }) == wanted);
}

TEST_CASE("balanced arrays are cut anew when one comes whose halo needs longer parts", "[arrays][balance]") {
  yoke::runtime rt;
  const int units = rt.units().size();
  std::vector<double> host(100);
  std::iota(host.begin(), host.end(), 0.0);
  yoke::array<double, 1> x{rt, {100}, yoke::attach(host)}, y{rt, {100}, {dist::balanced.halo(2)}};
  yoke::copy(x, y);
  yoke::for_each<add_one>(rt, {100}, inout(y));
  {
    const yoke::array<double, 1> wide{rt, {100}, {dist::balanced.halo(60)}};
    std::int64_t all = 0;
    for (int unit = 0; unit < units; ++unit) {
      const std::int64_t rows = wide.rows_of(unit).size();
      CHECK((rows == 0 || rows == 100));
      CHECK(x.rows_of(unit) == wide.rows_of(unit));
      CHECK(y.rows_of(unit) == wide.rows_of(unit));
      all += rows;
    }
    CHECK(all == 100);
  }
  yoke::for_each<add_one>(rt, {100}, inout(x));
  CHECK(x.gather() == y.gather());
  x.detach();
  for (std::size_t i = 0; i < 100; ++i) CHECK(host[i] == static_cast<double>(i) + 1);
}

TEST_CASE("an array says how it is cut and why", "[arrays][balance]") {
  yoke::runtime rt;
  const yoke::array<double, 1> x{rt, {60}}, block{rt, {60}, {dist::block}}, all{rt, {60}, {dist::duplicate}};
  CHECK_THAT(x.explain(),
             Contains("dimension 0, [0, 60), is cut into [0, ") && Contains("balanced: 0 loops"));
  CHECK_THAT(block.explain(), Contains("and stays so"));
  CHECK(all.explain() == "dimension 0, [0, 60): all of it in each memory");
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { yoke::balance(block); }),
             Contains("balance: the array (") && Contains(") is not balanced"));
}

TEST_CASE("loops of balanced arrays are measured, and say what they take", "[arrays][balance]") {
  yoke::runtime rt;
  if (rt.units().size() == 1) return support::skip("one unit has nothing to share");
  std::string text;
  solve(rt, dist::balanced, 40, [&](int, const auto& u) { text = u.explain(); });
  CHECK_THAT(text, Contains("39 loops") && Contains("a loop takes"));
}

TEST_CASE("loops without the edge are measured where a CU has a row of the edge alone", "[arrays][balance]") {
  yoke::runtime rt;
  const int cpus = rt.units().shape().cpu_units, units = rt.units().size();
  if (cpus < 2 || units == cpus) return support::skip("not several CPU CUs beside a device");
  yoke::array<double, 1> x{rt, {units}};
  if (x.rows_of(0).size() != 1) return support::skip("a GPU that gets the rows of CPU CUs");
  for (int k = 0; k < 20; ++k) yoke::for_each<add_one>(rt, {{1, units}}, inout(x));
  CHECK_THAT(x.explain(), Contains("20 loops") && Contains("a loop takes"));
}

TEST_CASE("a device with a row of the edge alone counts as its weight says", "[arrays][balance]") {
  yoke::runtime rt;
  const yoke::configuration& shape = rt.units().shape();
  if (shape.cpu_units == 0 || rt.units().size() != shape.cpu_units + 1)
    return support::skip("not one device beside CPU CUs");
  const std::int64_t rows = shape.cpu_units * shape.cpus_per_unit + 1;
  yoke::array<double, 1> x{rt, {rows}, {dist::balanced.halo(1)}};
  if (x.rows_of(shape.cpu_units).size() != 1) return support::skip("a GPU that gets the rows of CPU CUs");
  for (int k = 0; k < 20; ++k) yoke::for_each<add_one>(rt, {{0, rows - 1}}, inout(x));
  CHECK_THAT(x.explain(), Contains("20 loops") && Contains("a loop takes"));
}

TEST_CASE("rows leave a device that is far slower than the rest", "[arrays][balance]") {
  yoke::detail::set_environment("YOKE_EMULATED", "slowdown=200");
  yoke::runtime rt;
  yoke::detail::unset_environment("YOKE_EMULATED");
  const bool is_emulated = !rt.devices().empty() && rt.devices().front()->info().emulated;
  if (!is_emulated || rt.units().shape().cpu_units == 0)
    return support::skip("no emulated device beside a CPU CU");
  std::vector<std::int64_t> first, last;
  solve(rt, dist::balanced, 60, [&](int k, const auto& u) {
    if (k == 0) first = shares_of(u, rt);
    last = shares_of(u, rt);
  });
  const int cpus = rt.units().shape().cpu_units * rt.units().shape().cpus_per_unit;
  const int gpus = rt.units().size() - rt.units().shape().cpu_units;
  CHECK(first.back() >= n / (cpus + gpus));  // a device that is not measured counts as a CPU, or as more
  CHECK(last.back() < first.back() / 2);
}

TEST_CASE("arrays stay where they are when there is no memory to move them", "[arrays][balance]") {
  yoke::detail::set_environment("YOKE_EMULATED", "memory=1MiB");
  yoke::runtime rt;
  yoke::detail::unset_environment("YOKE_EMULATED");
  if (rt.devices().empty() || rt.units().size() != 2 || rt.units().shape().cpu_units == 0 ||
      !rt.devices().front()->info().emulated)
    return support::skip("not one CPU CU and one emulated device");
  // 1.2 MB, halves of which fit; a halo as long as all of it would bring them to one unit.
  yoke::array<double, 1> x{rt, {150'000}};
  yoke::for_each<add_one>(rt, {150'000}, inout(x));
  const auto before = x.rows_of(1);
  REQUIRE(before.size() == Approx(75'000).margin(10));
  try {
    const yoke::array<double, 1> wide{rt, {150'000}, {dist::balanced.halo(100'000)}};
    CHECK(x.rows_of(0).size() == 150'000);
  } catch (const yoke::out_of_memory&) {
    CHECK(x.rows_of(1) == before);
  }
  CHECK(x.gather() == std::vector<double>(150'000, 1.0));
}
