// Compiled by a GPU's compiler where there is one.
#include "base.hpp"
#include "operators.hpp"
#include "plain_cg.hpp"

#include <algorithm>
#include <numeric>

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct multiply_rows_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> row, yoke::view<const std::int64_t, 1> offsets,
                          yoke::view<const std::int32_t, 1> columns, yoke::view<const double, 1> values,
                          yoke::view<const double, 1> p, yoke::view<double, 1> q,
                          yoke::partial<double>& product) const {
    double sum = 0;
    const std::int64_t end = offsets(row.i + 1);
    for (std::int64_t at = offsets(row.i); at < end; ++at) sum += values(at) * p(columns(at));
    q(row) = sum;
    product += p(row) * sum;
  }
};
struct multiply_padded_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> row, yoke::view<const std::int32_t, 2> columns,
                          yoke::view<const double, 2> values, yoke::view<const double, 1> p,
                          yoke::view<double, 1> q, yoke::partial<double>& product) const {
    double sum = 0;
    for (std::int64_t at = 0; at < padded_rows::width; ++at) sum += values(row.i, at) * p(columns(row.i, at));
    q(row) = sum;
    product += p(row) * sum;
  }
};
/// A factor of a loop: a value, or the element of an array.
YOKE_HD double value_of(double factor) { return factor; }
YOKE_HD double value_of(const yoke::view<const double, 1>& factor) { return factor(0); }

template <class Factor>
struct step_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> p,
                          yoke::view<const double, 1> q, yoke::view<double, 1> x, yoke::view<double, 1> r,
                          yoke::partial<double>& product, Factor alpha) const {
    const double factor = value_of(alpha);
    x(at) += factor * p(at);
    const double left = r(at) - factor * q(at);
    r(at) = left;
    product += left * left;
  }
};
template <class Factor>
struct turn_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> r, yoke::view<double, 1> p,
                          Factor beta) const {
    p(at) = r(at) + value_of(beta) * p(at);
  }
};
/// alpha = rr / pq, and pq is 0 for the next sum.
struct alpha_kernel {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<const double, 1> rr, yoke::view<double, 1> pq,
                          yoke::view<double, 1> alpha) const {
    alpha(0) = rr(0) / pq(0);
    pq(0) = 0;
  }
};
/// beta = next / rr, and next is rr from here on.
struct beta_kernel {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<double, 1> next, yoke::view<double, 1> rr,
                          yoke::view<double, 1> beta) const {
    beta(0) = next(0) / rr(0);
    rr(0) = next(0);
    next(0) = 0;
  }
};
struct set_kernel {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<double, 1> element, double value) const {
    element(0) = value;
  }
};
struct begin_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> b, yoke::view<double, 1> x,
                          yoke::view<double, 1> r, yoke::view<double, 1> p) const {
    x(at) = 0;
    r(at) = p(at) = b(at);
  }
};

constexpr int iterations = 10;  // of a run, from x = 0 on

/// x where A x = b, by conjugate gradients; whose A says what multiplies.
class cg : public base {
 public:
  cg(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        side_{std::max<std::int64_t>(8, std::llround(std::cbrt(static_cast<double>(of.elements) / 27)))},
        n_{side_ * side_ * side_},
        b_{wave(n_)},
        x_(b_.size()),
        r_(b_.size()),
        p_(b_.size()),
        q_(b_.size()),
        rr_of_b_{std::inner_product(b_.begin(), b_.end(), b_.begin(), 0.0)},
        b_host_{b_},
        b_of_yoke_{rt, {n_}, yoke::attach(b_host_)},
        x_of_yoke_{rt, {n_}},
        r_of_yoke_{rt, {n_}},
        p_of_yoke_{rt, {n_}},
        q_of_yoke_{rt, {n_}} {}

  void run_plain() override {
    std::ranges::fill(x_, 0.0);
    r_ = p_ = b_;
    double rr = rr_of_b_;
    for (int k = 0; k < iterations; ++k) {
      const double alpha = rr / multiply_plain(p_, q_);
      const double before =
          std::exchange(rr, plain::step(threads(), n_, alpha, p_.data(), q_.data(), x_.data(), r_.data()));
      plain::turn(threads(), n_, rr / before, r_.data(), p_.data());
    }
  }
  void run_yoke() override {
    begin();
    double rr = rr_of_b_;
    for (int k = 0; k < iterations; ++k) {
      const double alpha = rr / multiply_yoke(p_of_yoke_, q_of_yoke_);
      const double before = std::exchange(rr, 0);
      yoke::for_each<step_kernel<double>>(rt(), {n_}, in(p_of_yoke_), in(q_of_yoke_), inout(x_of_yoke_),
                                          inout(r_of_yoke_), sum(rr), alpha);
      yoke::for_each<turn_kernel<double>>(rt(), {n_}, in(r_of_yoke_), inout(p_of_yoke_), rr / before);
    }
  }
  /// Sums are added in another order, and all elements follow from them.
  bool agree() const override {
    const values found = x_of_yoke_.gather();
    const double largest = std::abs(*std::ranges::max_element(x_, {}, [](double v) { return std::abs(v); }));
    double off = 0;
    for (std::size_t i = 0; i < found.size(); ++i) off = std::max(off, std::abs(found[i] - x_[i]));
    return off <= 1e-9 * largest;
  }
  std::string explain() const override { return x_of_yoke_.explain(); }

 protected:
  /// q = A p; returns p q.
  virtual double multiply_plain(const values& p, values& q) = 0;
  virtual double multiply_yoke(const yoke::array<double, 1>& p, yoke::array<double, 1>& q) = 0;

  void begin() {
    yoke::for_each<begin_kernel>(rt(), {n_}, in(b_of_yoke_), out(x_of_yoke_), out(r_of_yoke_),
                                 out(p_of_yoke_));
  }
  double rr_of_b() const { return rr_of_b_; }

  std::int64_t rows() const { return n_; }
  std::int64_t side() const { return side_; }
  /// `bytes`: of the matrix, which each iteration reads.
  void describe_cg(const char* called, std::size_t bytes) {
    const double each = static_cast<double>(bytes) / sizeof(double) + 11 * static_cast<double>(n_);
    const std::string side = std::to_string(side_);
    describe(called, side + " x " + side + " x " + side, iterations * each);
  }

 private:
  std::int64_t side_, n_;
  values b_, x_, r_, p_, q_;
  double rr_of_b_;
  values b_host_;
  yoke::array<double, 1> b_of_yoke_;

 protected:
  yoke::array<double, 1> x_of_yoke_, r_of_yoke_, p_of_yoke_, q_of_yoke_;
};

class cg_by_rows : public cg {
 public:
  cg_by_rows(yoke::runtime& rt, const sizes& of)
      : cg{rt, of},
        a_{operator_of_27_points(side())},
        host_{a_},
        offsets_{rt, {rows() + 1}, {dist::duplicate}, yoke::attach(host_.offsets)},
        columns_{rt, {std::ssize(a_.columns)}, {dist::by(a_.offsets)}, yoke::attach(host_.columns)},
        values_{rt, {std::ssize(a_.values)}, dist::as(columns_), yoke::attach(host_.values)} {
    describe_cg("cg-csr", a_.values.size() * (sizeof(double) + sizeof(std::int32_t)) +
                              a_.offsets.size() * sizeof(std::int64_t));
  }

 protected:
  template <class Sum>
  void multiply(const yoke::array<double, 1>& p, yoke::array<double, 1>& q, const Sum& product) {
    yoke::for_each<multiply_rows_kernel>(rt(), {rows()}, in(offsets_), in(columns_), in(values_),
                                         in(p, yoke::everywhere), out(q), product);
  }

 private:
  double multiply_plain(const values& p, values& q) override {
    return plain::multiply_rows(threads(), rows(), a_.offsets.data(), a_.columns.data(), a_.values.data(),
                                p.data(), q.data());
  }
  double multiply_yoke(const yoke::array<double, 1>& p, yoke::array<double, 1>& q) override {
    double product = 0;
    multiply(p, q, sum(product));
    return product;
  }

  compressed_rows a_, host_;
  yoke::array<std::int64_t, 1> offsets_;
  yoke::array<std::int32_t, 1> columns_;
  yoke::array<double, 1> values_;
};

/// The same with sums in arrays, so that an iteration is recorded.
class cg_replayed final : public cg_by_rows {
 public:
  cg_replayed(yoke::runtime& rt, const sizes& of)
      : cg_by_rows{rt, of}, iteration_{yoke::record(rt, [&] { iterate(); })} {
    name = "cg-csr-replayed";
  }
  void run_yoke() override {
    begin();
    yoke::for_each<set_kernel>(rt(), {1}, out(rr_), rr_of_b());
    for (int k = 0; k < iterations; ++k) iteration_.replay();
  }

 private:
  using factor = yoke::view<const double, 1>;

  void iterate() {
    multiply(p_of_yoke_, q_of_yoke_, sum(pq_));
    yoke::for_each<alpha_kernel>(rt(), {1}, in(rr_), inout(pq_), out(alpha_));
    yoke::for_each<step_kernel<factor>>(rt(), {rows()}, in(p_of_yoke_), in(q_of_yoke_), inout(x_of_yoke_),
                                        inout(r_of_yoke_), sum(next_), in(alpha_));
    yoke::for_each<beta_kernel>(rt(), {1}, inout(next_), inout(rr_), out(beta_));
    yoke::for_each<turn_kernel<factor>>(rt(), {rows()}, in(r_of_yoke_), inout(p_of_yoke_), in(beta_));
  }
  yoke::array<double, 1> element() { return {rt(), {1}, {dist::duplicate}}; }

  yoke::array<double, 1> rr_{element()}, next_{element()}, pq_{element()}, alpha_{element()},
      beta_{element()};
  yoke::recording iteration_;
};

class cg_padded final : public cg {
 public:
  cg_padded(yoke::runtime& rt, const sizes& of)
      : cg{rt, of},
        a_{padded(operator_of_27_points(side()))},
        host_{a_},
        columns_{rt, {rows(), padded_rows::width}, yoke::attach(host_.columns)},
        values_{rt, {rows(), padded_rows::width}, yoke::attach(host_.values)} {
    describe_cg("cg-ell", a_.values.size() * (sizeof(double) + sizeof(std::int32_t)));
  }

 private:
  double multiply_plain(const values& p, values& q) override {
    return plain::multiply_padded(threads(), rows(), padded_rows::width, a_.columns.data(), a_.values.data(),
                                  p.data(), q.data());
  }
  double multiply_yoke(const yoke::array<double, 1>& p, yoke::array<double, 1>& q) override {
    double product = 0;
    yoke::for_each<multiply_padded_kernel>(rt(), {rows()}, in(columns_), in(values_), in(p, yoke::everywhere),
                                           out(q), sum(product));
    return product;
  }

  padded_rows a_, host_;
  yoke::array<std::int32_t, 2> columns_;
  yoke::array<double, 2> values_;
};

}  // namespace

std::vector<known_app> sparse() {
  return {known<cg_by_rows>("cg-csr"), known<cg_replayed>("cg-csr-replayed"), known<cg_padded>("cg-ell")};
}

}  // namespace apps
