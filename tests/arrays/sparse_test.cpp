/// Sparse matrices: arrays that are read everywhere, and elements that follow rows.
#include "random_cuts.hpp"
#include "values.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using arrays_test::dice;
using Catch::Matchers::Contains;
using support::refusal;

struct multiply_row {
  YOKE_HD void operator()(yoke::loop_index<1> row, yoke::view<const std::int64_t, 1> offsets,
                          yoke::view<const double, 1> values, yoke::view<const int, 1> columns,
                          yoke::view<const double, 1> x, yoke::view<double, 1> y) const {
    double sum = 0;
    for (std::int64_t at = offsets(row.i); at < offsets(row.i + 1); ++at) sum += values(at) * x(columns(at));
    y(row) = sum;
  }
};
struct add_to {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, double value) const {
    x(at) = 0.5 * x(at) + value;
  }
};
struct reversed {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(x.end(0) - 1 - at.i);
  }
};
struct row_sum {
  YOKE_HD void operator()(yoke::loop_index<1> row, yoke::view<const double, 1> values,
                          yoke::view<const std::int64_t, 1> offsets, yoke::partial<double>& sum) const {
    for (std::int64_t at = offsets(row.i); at < offsets(row.i + 1); ++at) sum += values(at);
  }
};
struct one_each {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, yoke::view<double, 1> y) const {
    x(at) = y(at) = 1;
  }
};

/// Rows of 0 to 5 elements.
struct sparse_matrix {
  std::vector<std::int64_t> offsets{0};
  std::vector<double> values;
  std::vector<int> columns;

  sparse_matrix(dice& d, std::int64_t rows, std::int64_t width) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t left = d.upto(5) * d.upto(1); left > 0; --left) {
        values.push_back(d.value());
        columns.push_back(static_cast<int>(d.upto(width - 1)));
      }
      offsets.push_back(std::ssize(values));
    }
  }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y;
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      double sum = 0;
      for (auto at = static_cast<std::size_t>(offsets[row]); at < static_cast<std::size_t>(offsets[row + 1]);
           ++at)
        sum += values[at] * x[static_cast<std::size_t>(columns[at])];
      y.push_back(sum);
    }
    return y;
  }
};

/// A matrix on a runtime, whose rows are shared in some way.
struct matrix_of_yoke {
  yoke::array<const std::int64_t, 1> offsets;
  yoke::array<double, 1> values;
  yoke::array<int, 1> columns;

  matrix_of_yoke(yoke::runtime& rt, sparse_matrix& from, const yoke::distribution& rows)
      : offsets{rt, {std::ssize(from.offsets)}, {dist::duplicate}, yoke::attach(std::as_const(from.offsets))},
        values{rt, {std::ssize(from.values)}, {dist::by(from.offsets, rows)}, yoke::attach(from.values)},
        columns{rt, {std::ssize(from.columns)}, dist::as(values), yoke::attach(from.columns)} {}

  void times(yoke::runtime& rt, const yoke::array<double, 1>& x, yoke::array<double, 1>& y) const {
    yoke::for_each<multiply_row>(rt, {y.extent(0)}, in(offsets), in(values), in(columns),
                                 in(x, yoke::everywhere), out(y));
  }
};

/// A random program of what may be done with a matrix and two vectors, beside the same on the host.
class sparse_case {
 public:
  sparse_case(yoke::runtime& rt, std::uint64_t seed)
      : rt_{rt}, dice_{seed}, n_{dice_.between(1, 60)}, from_{dice_, n_, n_}, host_{from_} {
    const bool moves = dice_.one_in(2);
    rows_ = moves ? dist::balanced : rows_by_hand();
    x_host_ = counting(n_);
    for (double& each : x_host_) each = dice_.value();
    x_attached_ = x_host_;
    y_host_.assign(x_host_.size(), 0);
    x_ = {rt_, {n_}, {rows_}, yoke::attach(x_attached_)};
    y_ = {rt_, {n_}, {dist::along(x_, 0)}};
  }

  std::string run() {
    const matrix_of_yoke a{rt_, host_, dice_.one_in(2) ? rows_ : dist::along(x_, 0)};
    yoke::recording product = yoke::record(rt_, [&] {
      a.times(rt_, x_, y_);
      yoke::for_each<add_to>(rt_, {n_ / 2}, inout(x_), 0.25);
      a.times(rt_, x_, y_);
    });
    for (std::int64_t steps = dice_.between(1, 9); steps > 0; --steps) {
      step(a, product);
      if (y_.gather() != y_host_ || x_.gather() != x_host_) return "vectors";
    }
    std::vector<double> values = a.values.gather();
    return values == from_.values ? "" : "values";
  }

 private:
  yoke::distribution rows_by_hand() {
    std::vector<double> weights;
    for (int unit = 0; unit < rt_.units().size(); ++unit)
      weights.push_back(static_cast<double>(dice_.upto(3)));
    weights[static_cast<std::size_t>(dice_.upto(rt_.units().size() - 1))] = 1;
    return dice_.one_in(2) ? dist::weighted(weights) : dist::block;
  }

  void add(std::int64_t begin, std::int64_t end, double value) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      x_host_[i] = 0.5 * x_host_[i] + value;
  }

  void step(const matrix_of_yoke& a, yoke::recording& product) {
    const std::int64_t begin = dice_.upto(n_), end = dice_.between(begin, n_);
    switch (dice_.upto(5)) {
      case 0: {
        const double value = dice_.value();
        yoke::for_each<add_to>(rt_, {{begin, end}}, inout(x_), value);
        return add(begin, end, value);
      }
      case 1:
        yoke::copy(y_, x_);
        x_host_ = y_host_;
        return;
      case 2: {
        const yoke::array<char, 1> wide{
            rt_, {n_}, {dist::balanced.halo(static_cast<int>(dice_.upto(n_)), 0)}};
        return;
      }
      case 3:
        product.replay();
        add(0, n_ / 2, 0.25);
        y_host_ = from_.times(x_host_);
        return;
      case 4: {
        swap(x_, y_);  // the recording keeps the contents that it had
        swap(x_, y_);
        return;
      }
      default:
        a.times(rt_, x_, y_);
        y_host_ = from_.times(x_host_);
    }
  }

  yoke::runtime& rt_;
  dice dice_;
  std::int64_t n_;
  const sparse_matrix from_;
  sparse_matrix host_;
  yoke::distribution rows_ = dist::block;
  std::vector<double> x_host_, y_host_, x_attached_;
  yoke::array<double, 1> x_, y_;
};

void run_sparse_cases(std::uint64_t n) {
  yoke::runtime rt;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::string wrong = sparse_case{rt, std::uint64_t{Catch::rngSeed()} * 1'000'003 + i}.run();
    INFO("--rng-seed " << Catch::rngSeed() << ", case " << i);
    REQUIRE(wrong == "");
  }
}

}  // namespace

TEST_CASE("random sparse products are those of the host, to the bit", "[arrays][sparse]") {
  run_sparse_cases(60);
}
TEST_CASE("many random sparse products are those of the host, to the bit", "[.][full]") {
  run_sparse_cases(5000);
}

TEST_CASE("each unit reads all of an array, however it and the loop are cut", "[arrays][sparse]") {
  yoke::runtime rt;
  const std::int64_t n = 2000;
  std::vector<double> weights(rt.units().size(), 1);
  weights.back() = 5;
  for (const yoke::distribution& how :
       {dist::block, dist::weighted(weights), dist::balanced, dist::cyclic(7), dist::duplicate}) {
    std::vector<double> host = counting(n), wanted(host.rbegin(), host.rend());
    yoke::array<double, 1> x{rt, {n}, {how}, yoke::attach(host)}, y{rt, {n}, {dist::block}};
    yoke::for_each<reversed>(rt, {n}, in(x, yoke::everywhere), out(y));
    CHECK(y.gather() == wanted);
    yoke::for_each<add_to>(rt, {{10, 20}}, inout(x), 3.0);
    for (std::int64_t i = 10; i < 20; ++i)
      wanted[static_cast<std::size_t>(n - 1 - i)] = 0.5 * wanted[static_cast<std::size_t>(n - 1 - i)] + 3;
    yoke::for_each<reversed>(rt, {n}, in(x, yoke::everywhere), out(y));
    CHECK(y.gather() == wanted);
    yoke::redistribute(x, dist::block);
    yoke::for_each<reversed>(rt, {n}, in(x, yoke::everywhere), out(y));
    CHECK(y.gather() == wanted);
    x.detach();
    CHECK(std::vector<double>(host.rbegin(), host.rend()) == wanted);
  }
}

TEST_CASE("a loop that reads all everywhere and writes nothing is shared, and one that writes it is refused",
          "[arrays][sparse]") {
  yoke::runtime rt;
  std::vector<std::int64_t> offsets{0, 2, 2, 5};
  std::vector<double> host = counting(5);
  yoke::array<double, 1> x{rt, {5}, {dist::block}, yoke::attach(host)};
  const yoke::array<std::int64_t, 1> starts{rt, {4}, {dist::duplicate}, yoke::attach(offsets)};
  double all = 0;
  yoke::for_each<row_sum>(rt, {3}, in(x, yoke::everywhere), in(starts, yoke::everywhere), sum(all));
  CHECK(all == 15);
  CHECK_THAT(refusal([&] { yoke::for_each<reversed>(rt, {5}, in(x, yoke::everywhere), out(x)); }),
             Contains("is array 1 again, and one of them is written"));
}

TEST_CASE("elements that follow rows move with them", "[arrays][sparse][balance]") {
  yoke::runtime rt;
  const auto n = static_cast<std::int64_t>(8 * rt.units().size());
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(n) + 1);
  for (std::size_t row = 1; row < offsets.size(); ++row)
    offsets[row] = offsets[row - 1] + std::int64_t(row % 4);
  std::vector<double> host = counting(offsets.back());
  const yoke::array<float, 1> rows{rt, {n}};
  const yoke::array<double, 1> values{rt, {offsets.back()}, {dist::by(offsets)}, yoke::attach(host)};
  const yoke::array<double, 2> pairs{rt, {offsets.back(), 2}, {dist::along(values, 0), dist::duplicate}};
  const auto check = [&] {
    for (int unit = 0; unit < rt.units().size(); ++unit) {
      const yoke::bound own = rows.rows_of(unit);
      if (own.size() == 0) continue;
      const yoke::bound wanted{offsets[static_cast<std::size_t>(own.begin)],
                               offsets[static_cast<std::size_t>(own.end)]};
      if (wanted.size() > 0) CHECK(values.rows_of(unit) == wanted);
      if (wanted.size() > 0) CHECK(pairs.rows_of(unit) == wanted);
    }
    CHECK(values.gather() == counting(offsets.back()));
  };
  check();
  const yoke::array<char, 1> wide{rt, {n}, {dist::balanced.halo(n / 2)}};
  check();
}

TEST_CASE("offsets that are none are refused, and so is what does not go with rows",
          "[arrays][sparse][errors]") {
  yoke::runtime rt;
  using vector = yoke::array<double, 1>;
  using numbers = std::vector<int>;
  const auto refused = [&](std::int64_t n, const yoke::distribution& how) {
    return refusal([&] { vector{rt, {n}, {how}}; });
  };
  CHECK_THAT(refused(3, dist::by(numbers{})), Contains("dist::by: no offsets; n rows have n + 1"));
  CHECK_THAT(refused(3, dist::by(numbers{1, 3})), Contains("dist::by: the offsets begin with 1; 0"));
  CHECK_THAT(refused(3, dist::by(numbers{0, 2, 1, 3})),
             Contains("dist::by: the offsets decrease from 2 to 1 behind row 1"));
  CHECK_THAT(refused(3, dist::by(numbers{0, 2})),
             Contains("the offsets of 1 rows end with 2, and there are 3"));
  CHECK_THAT(refused(3, dist::by(numbers{0, 3}, dist::by(numbers{0, 1}))),
             Contains("the rows follow other rows"));
  CHECK_THAT(refused(3, dist::by(numbers{0, 1, 3}).halo(1)), Contains("beside dist::by"));
  CHECK_THAT(refused(3, dist::by(numbers{0, 3})(2)), Contains("have a length"));
  CHECK_THAT(
      refusal([&] { vector{rt, {3}, {dist::by(numbers{0, 3})}, dist::grid{dist::any}}; }),
      Contains("dimension 0 is dist::balanced, which is for one distributed dimension without a grid"));
  if (rt.units().size() > 1)
    CHECK_THAT(refused(3, dist::by(numbers{0, 1, 3}, dist::cyclic)), Contains("the rows go round"));
  vector values{rt, {3}, {dist::by(numbers{0, 1, 3}, dist::block)}}, y{rt, {2}, {dist::block}};
  if (rt.units().size() > 1)
    CHECK_THAT(refusal([&] { yoke::for_each<one_each>(rt, {2}, out(y), out(values)); }),
               Contains("is written, and its elements follow rows"));
  yoke::for_each<add_to>(rt, {3}, inout(values), 2.0);
  CHECK(values.gather() == std::vector<double>(3, 2));
}
