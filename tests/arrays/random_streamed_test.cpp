/// Random streaming loops, compared with a model to the bit.
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;

/// Of rows that far above and below, where there are any of `n`.
template <int D>
struct between_rows {
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<const double, D> x, yoke::view<double, D> y,
                          yoke::view<double, D> z, yoke::reach rows, std::int64_t n) const {
    yoke::loop_index<D> above = at, below = at;
    above.i = at.i - rows.low < 0 ? 0 : at.i - rows.low;
    below.i = at.i + rows.high >= n ? at.i : at.i + rows.high;
    y(at) = 0.625 * x(above) - 0.3 * x(below);
    z(at) = 0.1 * z(at) + x(at);
  }
};

std::vector<double> numbers(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i % 1013) / 7;
  return values;
}

using extents = std::array<std::int64_t, 3>;

std::int64_t upto(std::mt19937_64& random, std::int64_t n) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n + 1));
}

std::size_t place(const extents& n, std::int64_t i, std::int64_t j, std::int64_t k) {
  return static_cast<std::size_t>((i * n[1] + j) * n[2] + k);
}

/// What `between_rows` gives, by one thread.
struct serial {
  std::vector<double> x, y, z;

  void run(const extents& n, const std::array<yoke::bound, 3>& over, yoke::reach rows) {
    for (std::int64_t i = over[0].begin; i < over[0].end; ++i)
      for (std::int64_t j = over[1].begin; j < over[1].end; ++j)
        for (std::int64_t k = over[2].begin; k < over[2].end; ++k) {
          const std::size_t at = place(n, i, j, k);
          const std::int64_t above = i - rows.low < 0 ? 0 : i - rows.low;
          const std::int64_t below = i + rows.high >= n[0] ? i : i + rows.high;
          y[at] = 0.625 * x[place(n, above, j, k)] - 0.3 * x[place(n, below, j, k)];
          z[at] = 0.1 * z[at] + x[at];
        }
  }
};

template <class Kernel, int D>
void run_as(yoke::runtime& rt, const yoke::box<D>& over, const yoke::streamed<double, D>& x,
            yoke::streamed<double, D>& y, yoke::streamed<double, D>& z, yoke::reach rows) {
  yoke::for_each<Kernel>(rt, over, in(x, rows), out(y), inout(z), rows, x.extent(0));
}

/// A random shape, box and reach; what differs from the model, empty where nothing does.
template <int D>
std::string run_streamed_case(yoke::runtime& rt, std::mt19937_64& random) {
  extents n{1, 1, 1};
  std::array<yoke::bound, 3> over{yoke::bound{1}, yoke::bound{1}, yoke::bound{1}};
  for (std::size_t d = 0; d < D; ++d) {
    n[d] = upto(random, d == 0 ? 200 : 12);
    over[d] = upto(random, 2) == 0 ? yoke::bound{upto(random, n[d]), upto(random, n[d])} : yoke::bound{n[d]};
  }
  const yoke::reach rows{upto(random, 3), upto(random, 3)};
  serial is;
  is.x = numbers(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  is.y = is.z = is.x;
  serial found = is;
  is.run(n, over, rows);
  const auto stream = [&](std::vector<double>& of) {
    if constexpr (D == 1) return yoke::streamed<double, 1>{rt, of, {n[0]}};
    if constexpr (D == 2) return yoke::streamed<double, 2>{rt, of, {n[0], n[1]}};
    if constexpr (D == 3) return yoke::streamed<double, 3>{rt, of, {n[0], n[1], n[2]}};
  };
  auto x = stream(found.x), y = stream(found.y), z = stream(found.z);
  yoke::bound sides[D];
  for (std::size_t d = 0; d < D; ++d) sides[d] = over[d];
  const yoke::box<D> all{sides};
  // Else CPU CUs may have taken all chunks before a GPU CU asks for one.
  const int cpus = rt.units().shape().cpu_units;
  const std::int64_t who = upto(random, 2);
  if (who == 0 && cpus < rt.units().size()) {
    run_as<yoke::variants<gpu<between_rows<D>>>>(rt, all, x, y, z, rows);
  } else if (who == 1 && cpus > 0) {
    run_as<yoke::variants<cpu<between_rows<D>>>>(rt, all, x, y, z, rows);
  } else {
    run_as<between_rows<D>>(rt, all, x, y, z, rows);
  }
  if (found.x == is.x && found.y == is.y && found.z == is.z) return "";
  std::string what = "reach " + std::to_string(rows.low) + " " + std::to_string(rows.high);
  for (std::size_t d = 0; d < D; ++d)
    what += ", [" + std::to_string(over[d].begin) + ", " + std::to_string(over[d].end) + ") of " +
            std::to_string(n[d]);
  return what;
}

void run_streamed_cases(int n) {
  yoke::runtime rt;
  std::mt19937_64 random{Catch::rngSeed()};
  for (int i = 0; i < n; ++i) {
    INFO("--rng-seed " << Catch::rngSeed() << ", case " << i);
    const std::int64_t dimensions = upto(random, 2);
    REQUIRE((dimensions == 0   ? run_streamed_case<1>(rt, random)
             : dimensions == 1 ? run_streamed_case<2>(rt, random)
                               : run_streamed_case<3>(rt, random)) == "");
  }
}

}  // namespace

TEST_CASE("random streaming loops give what a serial model gives, to the bit", "[arrays][random]") {
  run_streamed_cases(1000);
}

TEST_CASE("many random streaming loops give what a serial model gives, to the bit", "[.][full]") {
  run_streamed_cases(20'000);
}
