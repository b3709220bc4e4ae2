/// Loops that run while halos travel between GPUs. Kernels: compiled by a GPU's compiler where there is one.
#include "overlapping_from.hpp"
#include "random_cuts.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <support/catch.hpp>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using arrays_test::dice;
using arrays_test::overlapping_from;

constexpr std::int64_t columns = 64;  // long rows

YOKE_HD double mixed_rows(double above, double here, double below) {
  return 0.5 * here + 0.2 * above - 0.3 * below + 0.01;
}

struct of_rows_beside {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old,
                          yoke::view<const double, 2> add, yoke::view<double, 2> u, std::int64_t low,
                          std::int64_t high) const {
    u(at) = mixed_rows(old(at.i - low, at.j), add(at), old(at.i + high, at.j));
  }
};
struct set_by_place {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> u) const {
    u(at) = 1.0 / static_cast<double>(1 + (at.i * 2500 + at.j) * 7919 % 1009);
  }
};
struct of_rows_and_sum {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old,
                          yoke::view<const double, 2> add, yoke::view<double, 2> u,
                          yoke::partial<double>& all, std::int64_t low, std::int64_t high) const {
    u(at) = mixed_rows(old(at.i - low, at.j), add(at), old(at.i + high, at.j));
    all += u(at);
  }
};
struct own_total {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> of,
                          yoke::partial<double>& all) const {
    all += of(at);
  }
};
struct changed_in_place {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> u) const {
    u(at) = 0.75 * u(at) - 0.01;
  }
};
struct of_all_around {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old, yoke::view<double, 2> u,
                          std::int64_t low, std::int64_t side) const {
    u(at) = mixed_rows(old(at.i - low, at.j - side), old(at), old(at.i + low, at.j + side));
  }
};

/// The rows are `low` and `high` away, around the ends where that is periodic.
struct rows {
  std::int64_t n, low, high;
  bool goes_round;

  yoke::bound inner() const { return goes_round ? yoke::bound{n} : yoke::bound{low, n - high}; }
  std::size_t place(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>((i + n) % n * columns + j);
  }
};

using values = std::vector<double>;

void relax(const rows& of, const yoke::bound& over, const values& old, const values& add, values& u) {
  for (std::int64_t i = over.begin; i < over.end; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      u[of.place(i, j)] =
          mixed_rows(old[of.place(i - of.low, j)], add[of.place(i, j)], old[of.place(i + of.high, j)]);
}

yoke::distribution cut(const rows& of) {
  const yoke::distribution made = dist::block.halo(static_cast<int>(of.low), static_cast<int>(of.high));
  return of.goes_round ? made.edge(yoke::edge_policy::periodic) : made;
}

bool gpus_alone(const yoke::runtime& rt) {
  const auto is_gpu = [](const yoke::compute_unit& unit) { return unit.kind == yoke::unit_kind::gpu; };
  return rt.units().all().size() > 1 && std::ranges::all_of(rt.units().all(), is_gpu);
}

bool checks() {
  const char* const set = std::getenv("YOKE_CHECK");
  return set == nullptr || std::string_view{set} != "0";
}

/// One step from x to y that also sums; whether the sum is, to the bit, that of a loop that brings nothing.
bool sums_alike(yoke::runtime& rt, const rows& of, const yoke::bound& over, const yoke::array<double, 2>& x,
                yoke::array<double, 2>& y) {
  double beside = 0, alone = 0;
  yoke::for_each<of_rows_and_sum>(rt, {over, {0, columns}}, in(x), in(x, yoke::interior), out(y),
                                  yoke::loops::sum(beside), of.low, of.high);
  yoke::for_each<own_total>(rt, {over, {0, columns}}, in(y, yoke::interior), yoke::loops::sum(alone));
  return beside == alone;
}

/// A sequence of loops, exchanges and swaps; whether both arrays are what the model has.
bool is_right(yoke::runtime& rt, dice& d) {
  const auto n_units = static_cast<std::int64_t>(rt.units().all().size());
  rows of{.n = d.between(4 + 4 * n_units, 20 * n_units),
          .low = d.upto(3),
          .high = d.upto(3),
          .goes_round = d.one_in(2)};
  values a(static_cast<std::size_t>(of.n * columns)), b = a;
  for (double& each : a) each = d.value();
  values model_a = a, model_b = b;
  yoke::array<double, 2> x{rt, {of.n, columns}, {cut(of), dist::duplicate}, yoke::attach(a)};
  yoke::array<double, 2> y{rt, {of.n, columns}, {cut(of), dist::duplicate}, yoke::attach(b)};
  for (std::int64_t step = d.between(2, 20); step > 0; --step) {
    yoke::bound over = of.inner();
    if (d.one_in(3)) over.begin = d.between(over.begin, over.end);
    switch (d.upto(6)) {
      case 0:
        yoke::for_each<changed_in_place>(rt, {of.n, columns}, inout(x));
        for (double& each : model_a) each = 0.75 * each - 0.01;
        break;
      case 1:
        yoke::exchange(y);
        break;
      case 2:
        swap(x, y);
        std::swap(model_a, model_b);
        break;
      case 3:
        if (!sums_alike(rt, of, over, x, y)) return false;
        relax(of, over, model_a, model_a, model_b);
        break;
      default:
        yoke::for_each<of_rows_beside>(rt, {over, {0, columns}}, in(x), in(x, yoke::interior), out(y), of.low,
                                       of.high);
        relax(of, over, model_a, model_a, model_b);
    }
  }
  return x.gather() == model_a && y.gather() == model_b;
}

}  // namespace

TEST_CASE("loops that run while halos travel give what one thread gives", "[arrays][overlap][random]") {
  yoke::runtime rt;
  const overlapping_from one{1};
  const std::int64_t before = yoke::detail::overlapped_loops();
  for (int i = 0; i < 150; ++i) {
    dice d{std::uint64_t{Catch::rngSeed()} * 1'000'003 + static_cast<std::uint64_t>(i)};
    INFO("--rng-seed " << Catch::rngSeed() << ", case " << i);
    REQUIRE(is_right(rt, d));
  }
  if (gpus_alone(rt) && !checks()) CHECK(yoke::detail::overlapped_loops() > before + 150);
  if (!gpus_alone(rt)) CHECK(yoke::detail::overlapped_loops() == before);
}

TEST_CASE("halos whose other sides are brought again with them do not travel beside the loop",
          "[arrays][overlap]") {
  yoke::runtime rt;
  const overlapping_from one{1};
  constexpr std::int64_t n = 48;
  const auto round = dist::duplicate.halo(1).edge(yoke::edge_policy::periodic);
  values a(n * columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i * 7919 % 1009);
  values model = a;
  yoke::array<double, 2> x{rt, {n, columns}, {dist::block.halo(1), round}, yoke::attach(a)},
      y{rt, {n, columns}, dist::as(x)};
  const yoke::bound inner[] = {{1, n - 1}, {0, columns}};
  const yoke::reach none{0, 0}, both{1, 1};
  const std::int64_t zero = 0, next = 1;
  yoke::for_each<of_all_around>(rt, inner, in(x, none, both), out(y), zero, next);
  const std::int64_t before = yoke::detail::overlapped_loops();
  yoke::for_each<of_all_around>(rt, inner, in(x, both, none), out(y), next, zero);
  CHECK(yoke::detail::overlapped_loops() == before);
  yoke::for_each<of_all_around>(rt, inner, in(x), out(y), next, next);
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return model[static_cast<std::size_t>(i * columns + (j + columns) % columns)];
  };
  values wanted(n * columns);
  for (std::int64_t i = 1; i + 1 < n; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      wanted[static_cast<std::size_t>(i * columns + j)] =
          mixed_rows(at(i - 1, j - 1), at(i, j), at(i + 1, j + 1));
  CHECK(y.gather() == wanted);
}

TEST_CASE("a sum over rows of many leaves has the same bits while halos travel", "[arrays][overlap]") {
  yoke::runtime rt;
  constexpr std::int64_t n = 700, width = 2500;  // three leaves a row, several trees a part
  values a(n * width);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1.0 / static_cast<double>(1 + i * 7919 % 1009);
  yoke::array<double, 2> x{rt, {n, width}, {dist::block.halo(1), dist::duplicate}, yoke::attach(a)},
      y{rt, {n, width}, dist::as(x)};
  const yoke::bound inner[] = {{1, n - 1}, {1, width - 1}};
  const auto sum_of_step = [&](std::int64_t least) {
    const overlapping_from from{least};
    yoke::for_each<changed_in_place>(rt, {n, width}, inout(x));  // so that halos have to be brought
    double all = 0;
    yoke::for_each<of_rows_and_sum>(rt, inner, in(x), in(x, yoke::interior), out(y), yoke::loops::sum(all),
                                    std::int64_t{1}, std::int64_t{1});
    return all;
  };
  const std::int64_t before = yoke::detail::overlapped_loops();
  const double beside = sum_of_step(1);
  if (gpus_alone(rt) && !checks()) CHECK(yoke::detail::overlapped_loops() == before + 1);
  double alone = 0;
  yoke::for_each<own_total>(rt, inner, in(y, yoke::interior), yoke::loops::sum(alone));
  CHECK(beside == alone);
  CHECK(beside != sum_of_step(std::int64_t{1} << 40));  // another step
}

TEST_CASE("sums over a grid of units wait for halos", "[arrays][overlap]") {
  yoke::runtime rt;
  const overlapping_from one{1};
  constexpr std::int64_t n = 60, width = 2500;  // columns are cut, by four units rows too
  yoke::array<double, 2> x{rt, {n, width}, {dist::block.halo(1), dist::block}},
      y{rt, {n, width}, dist::as(x)};
  yoke::for_each<set_by_place>(rt, {n, width}, out(x));
  const std::int64_t before = yoke::detail::overlapped_loops();
  double beside = 0, alone = 0;
  const yoke::bound inner[] = {{1, n - 1}, {0, width}};
  yoke::for_each<of_rows_and_sum>(rt, inner, in(x), in(x, yoke::interior), out(y), yoke::loops::sum(beside),
                                  std::int64_t{1}, std::int64_t{1});
  CHECK(yoke::detail::overlapped_loops() == before);
  yoke::for_each<own_total>(rt, inner, in(y, yoke::interior), yoke::loops::sum(alone));
  CHECK(beside == alone);
}

TEST_CASE("small loops wait for halos", "[arrays][overlap]") {
  yoke::runtime rt;
  const std::int64_t before = yoke::detail::overlapped_loops();
  yoke::array<double, 2> x{rt, {40, columns}, {dist::block.halo(1), dist::duplicate}},
      y{rt, {40, columns}, dist::as(x)};
  const yoke::bound inner[] = {{1, 39}, {0, columns}};
  yoke::for_each<of_rows_beside>(rt, inner, in(x), in(x), out(y), std::int64_t{1}, std::int64_t{1});
  CHECK(yoke::detail::overlapped_loops() == before);
}
