// Compiled by a GPU's compiler where there is one.
#include "base.hpp"
#include "blas.hpp"
#include "plain.hpp"

#include <algorithm>

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

using input = yoke::view<const double, 2>;
using output = yoke::view<double, 2>;

/// c = a b on chip: 64 x 64 elements of c by 256 threads, 4 x 4 each in registers; 16 columns of a and rows
/// of b at a time. Each element is a sum in the order of k, as in the plain loop.
struct multiply_on_chip : yoke::tiled<64, 64> {
  static constexpr int side = 64, depth = 16, own = 4, across = side / own;
  static constexpr int block = across * across;
  static constexpr std::size_t shared_bytes = 2 * side * depth * sizeof(double);

  struct sums {
    double of[own][own] = {};
  };

  YOKE_HD void operator()(const yoke::tile<2>& t, input a, input b, output c) const {
    double* const of_a = t.shared<double>();
    double* const of_b = of_a + side * depth;
    yoke::per_thread<sums, block> mine;
    const std::int64_t all = a.extent(1);
    for (std::int64_t k0 = 0; k0 < all; k0 += depth) {
      const int deep = static_cast<int>(all - k0 < depth ? all - k0 : depth);
      t.for_each(side * depth, [&](int at) {
        const std::int64_t i = t.begin(0) + at / depth, k = at % depth;
        of_a[at % depth * side + at / depth] = i < t.end(0) && k < deep ? a(i, k0 + k) : 0;
        const std::int64_t j = t.begin(1) + at % side, of_k = at / side;
        of_b[at] = j < t.end(1) && of_k < deep ? b(k0 + of_k, j) : 0;
      });
      t.for_each_thread([&](int thread) {
        sums& own_sums = mine[thread];
        for (int k = 0; k < deep; ++k)
          add_products(own_sums, of_a + k * side + thread / across, of_b + k * side + thread % across);
      });
    }
    t.for_each_thread([&](int thread) {
      for (int i = 0; i < own; ++i)
        for (int j = 0; j < own; ++j) {
          const std::int64_t row = t.begin(0) + thread / across + i * across;
          const std::int64_t column = t.begin(1) + thread % across + j * across;
          if (row < t.end(0) && column < t.end(1)) c(row, column) = mine[thread].of[i][j];
        }
    });
  }

 private:
  /// A thread's rows and columns lie `across` apart, so that neighbours read neighbours.
  static YOKE_HD void add_products(sums& to, const double* a, const double* b) {
    YOKE_UNROLL(4)
    for (int i = 0; i < own; ++i) {
      YOKE_UNROLL(4)
      for (int j = 0; j < own; ++j) to.of[i][j] += a[i * across] * b[j * across];
    }
  }
};

/// The same for a CPU: 4 x 8 elements in registers; of b 256 rows of the tile's columns at a time, 8 columns
/// beside each other.
struct multiply_in_registers : yoke::tiled<64, 64> {
  static constexpr int block = 1;
  static constexpr int side = 64, rows = 4, columns = 8, depth = 256;
  static constexpr std::size_t shared_bytes = sizeof(double) * depth * side;

  struct piece {
    std::int64_t i, j, k;  ///< where it begins
    int high, wide, deep;
  };

  void operator()(const yoke::tile<2>& t, input a, input b, output c) const {
    double* const packed = t.shared<double>();
    for (std::int64_t k = 0; k < a.extent(1); k += depth) {
      const int deep = least(a.extent(1) - k, depth);
      pack(t, k, deep, b, packed);
      for (std::int64_t j = t.begin(1); j < t.end(1); j += columns)
        for (std::int64_t i = t.begin(0); i < t.end(0); i += rows)
          add_products({i, j, k, least(t.end(0) - i, rows), least(t.end(1) - j, columns), deep}, a,
                       packed + (j - t.begin(1)) * depth, c);
    }
  }

 private:
  static int least(std::int64_t left, int most) {
    return static_cast<int>(std::min<std::int64_t>(left, most));
  }
  /// Row by row of b, so that each page of it is met once.
  static void pack(const yoke::tile<2>& t, std::int64_t k0, int deep, input b, double* packed) {
    for (int k = 0; k < deep; ++k)
      for (std::int64_t j = 0; j < t.end(1) - t.begin(1); ++j)
        packed[j / columns * columns * depth + k * columns + j % columns] = b(k0 + k, t.begin(1) + j);
  }
  /// Columns behind the last one are computed with what lies there, and left out.
  static void add_products(const piece& at, input a, const double* b, output c) {
    double sums[rows][columns] = {};
    const double* of_a[rows];
    for (int i = 0; i < rows; ++i) {
      of_a[i] = &a(at.i + std::min(i, at.high - 1), at.k);
      for (int j = 0; at.k > 0 && i < at.high && j < at.wide; ++j) sums[i][j] = c(at.i + i, at.j + j);
    }
    for (int k = 0; k < at.deep; ++k)
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) sums[i][j] += of_a[i][k] * b[k * columns + j];
    for (int i = 0; i < at.high; ++i)
      for (int j = 0; j < at.wide; ++j) c(at.i + i, at.j + j) = sums[i][j];
  }
};

struct multiply_by_blas : yoke::whole_part {
  void operator()(const yoke::part<2>& p, input a, input b, output c) const {
    blas::multiply(p.cpus(), p.extent(0), c.extent(1), a.extent(1), a.first().address(), a.stride(0),
                   b.first().address(), b.stride(0), c.first().address(), c.stride(0));
  }
};

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
      yoke::for_each<multiply_by<multiply_in_registers>>(rt(), {rows, columns}, in(a), in(b), out(c));
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
