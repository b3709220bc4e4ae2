// Compiled by a GPU's compiler where there is one.
#include "base.hpp"
#include "blas.hpp"
#include "plain.hpp"
#include "product_kernels.hpp"

#include <algorithm>

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

template <class OnCpus>
using multiply_by = yoke::variants<cpu<OnCpus>, gpu<multiply_on_chip>>;

/// c = a b of n x n in the plain form, and what it takes.
class square_product : public base {
 public:
  square_product(yoke::runtime& rt, const sizes& of, const char* called)
      : base{rt, of},
        by_blas_{of.blas},
        n_{std::max<std::int64_t>(8, of.side(2) / 4)},
        a_{wave(n_ * n_)},
        b_{wave(n_ * n_)},
        c_(a_.size()),
        a_host_{a_},
        b_host_{b_} {
    describe(called, std::to_string(n_) + " x " + std::to_string(n_), 3 * static_cast<double>(n_ * n_));
  }
  void run_plain() override {
    if (by_blas_) return blas::multiply(threads(), n_, n_, n_, a_.data(), n_, b_.data(), n_, c_.data(), n_);
    plain::multiply_matrices(threads(), n_, a_.data(), b_.data(), c_.data());
  }

  bool agree() const override {
    const values found = product_of_yoke();
    return by_blas_ ? std::ranges::equal(found, c_, are_close) : found == c_;
  }
  /// On two diagonals, so that each row and each column is met.
  std::optional<bool> is_right_in_places() const override {
    const values found = product_of_yoke();
    const auto is_right = [&](std::int64_t i, std::int64_t j) {
      const double x = found[static_cast<std::size_t>(i * n_ + j)], expected = element(i, j);
      return by_blas_ ? are_close(x, expected) : x == expected;
    };
    for (std::int64_t i = 0; i < n_; ++i)
      if (!is_right(i, i) || !is_right(i, n_ - 1 - i)) return false;
    return true;
  }

 protected:
  virtual values product_of_yoke() const = 0;
  void multiply(const yoke::array<double, 2>& a, const yoke::array<double, 2>& b, yoke::array<double, 2>& c,
                std::int64_t rows, std::int64_t columns) {
    if (by_blas_) {
      yoke::for_each<multiply_by<multiply_by_blas>>(rt(), {rows, columns}, in(a), in(b), out(c));
    } else {
      yoke::for_each<multiply_by<multiply_by_rows>>(rt(), {rows, columns}, in(a), in(b), out(c));
    }
  }

  bool by_blas_;
  std::int64_t n_;
  values a_, b_, c_, a_host_, b_host_;

 private:
  static bool are_close(double x, double y) { return std::abs(x - y) <= 1e-9; }
  double element(std::int64_t i, std::int64_t j) const {
    double sum = 0;
    for (std::int64_t k = 0; k < n_; ++k)
      sum += a_[static_cast<std::size_t>(i * n_ + k)] * b_[static_cast<std::size_t>(k * n_ + j)];
    return sum;
  }
};

/// How the units share c.
enum class cut { rows, columns, both };

constexpr const char* name_of(cut how) {
  return how == cut::rows ? "matrix-matrix" : how == cut::columns ? "product-columns" : "product-both";
}

/// In each memory: of a the rows and of b the columns that its parts of c need.
template <cut How>
class product final : public square_product {
 public:
  product(yoke::runtime& rt, const sizes& of)
      : square_product{rt, of, name_of(How)},
        a_of_yoke_{of_rows(yoke::attach(a_host_))},
        b_of_yoke_{of_columns(yoke::attach(b_host_))},
        c_of_yoke_{result()} {}
  void run_yoke() override { multiply(a_of_yoke_, b_of_yoke_, c_of_yoke_, n_, n_); }
  std::string explain() const override { return c_of_yoke_.explain(); }

 private:
  using matrix = yoke::array<double, 2>;

  values product_of_yoke() const override { return c_of_yoke_.gather(); }
  static dist::grid grid() { return dist::grid{dist::any, dist::any}; }
  template <class Memory>
  matrix of_rows(const Memory& memory) const {
    if constexpr (How == cut::rows) return {rt(), {n_, n_}, {dist::balanced, dist::duplicate}, memory};
    if constexpr (How == cut::columns) return {rt(), {n_, n_}, {dist::duplicate, dist::duplicate}, memory};
    return {rt(), {n_, n_}, {dist::block.along(0), dist::duplicate}, grid(), memory};
  }
  template <class Memory>
  matrix of_columns(const Memory& memory) const {
    if constexpr (How == cut::rows) return {rt(), {n_, n_}, {dist::duplicate, dist::duplicate}, memory};
    if constexpr (How == cut::columns) return {rt(), {n_, n_}, {dist::duplicate, dist::balanced}, memory};
    return {rt(), {n_, n_}, {dist::duplicate, dist::block.along(1)}, grid(), memory};
  }
  matrix result() const {
    if constexpr (How == cut::rows) return {rt(), {n_, n_}, dist::as(a_of_yoke_)};
    if constexpr (How == cut::columns) return {rt(), {n_, n_}, dist::as(b_of_yoke_)};
    return {rt(), {n_, n_}, {dist::block, dist::block}, grid()};
  }

  matrix a_of_yoke_, b_of_yoke_, c_of_yoke_;
};

/// Larger than a device's memory: 4 x 4 pieces of c one after the other, each from rows of a and columns of
/// b, which are sections of the host's memory. A device has 9/16 of a matrix at a time at most, in place
/// of 3.
class product_by_pieces final : public square_product {
 public:
  product_by_pieces(yoke::runtime& rt, const sizes& of)
      : square_product{rt, of, "product-pieces"}, c_host_(c_.size()) {}
  void run_yoke() override {
    for (int i = 0; i < pieces; ++i) {
      const yoke::bound rows = piece(i);
      const yoke::array<double, 2> a{
          rt(), {rows.size(), n_}, yoke::attach(a_host_, {n_, n_}, {rows, {0, n_}})};
      for (int j = 0; j < pieces; ++j) multiply_piece(a, rows, piece(j));
    }
  }

 private:
  static constexpr int pieces = 4;

  values product_of_yoke() const override { return c_host_; }

  yoke::bound piece(int i) const { return {n_ * i / pieces, n_ * (i + 1) / pieces}; }
  void multiply_piece(const yoke::array<double, 2>& a, const yoke::bound& rows, const yoke::bound& columns) {
    const yoke::array<double, 2> b{rt(),
                                   {n_, columns.size()},
                                   {dist::duplicate, dist::duplicate},
                                   yoke::attach(b_host_, {n_, n_}, {{0, n_}, columns})};
    yoke::array<double, 2> c{rt(),
                             {rows.size(), columns.size()},
                             {dist::balanced, dist::duplicate},
                             yoke::attach(c_host_, {n_, n_}, {rows, columns})};
    multiply(a, b, c, rows.size(), columns.size());
    c.detach();
  }

  values c_host_;
};

}  // namespace

std::vector<known_app> products() {
  return {known<product<cut::rows>>(name_of(cut::rows)), known<product<cut::columns>>(name_of(cut::columns)),
          known<product<cut::both>>(name_of(cut::both)), known<product_by_pieces>("product-pieces")};
}

}  // namespace apps
