// Compiled by a GPU's compiler where there is one.
#include "base.hpp"
#include "plain.hpp"

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct multiply_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> row, yoke::view<const double, 2> a,
                          yoke::view<const double, 1> x, yoke::view<double, 1> y) const {
    double sum = 0;
    for (std::int64_t j = 0; j < x.extent(0); ++j) sum += a(row.i, j) * x(j);
    y(row) = sum;
  }
};
struct add_matrices_kernel {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> a,
                          yoke::view<const double, 2> b, yoke::view<double, 2> c) const {
    c(at) = a(at) + b(at);
  }
};

class multiply final : public base {
 public:
  multiply(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{of.side(2)},
        a_{wave(n_ * n_)},
        x_{wave(n_)},
        y_(static_cast<std::size_t>(n_)),
        a_host_{a_},
        x_host_{x_},
        a_of_yoke_{rt, {n_, n_}, yoke::attach(a_host_)},
        x_of_yoke_{rt, {n_}, {dist::duplicate}, yoke::attach(x_host_)},
        y_of_yoke_{rt, {n_}} {
    const auto rows = static_cast<double>(n_);
    describe("matrix-vector", std::to_string(n_) + " x " + std::to_string(n_), rows * rows + 2 * rows);
  }
  void run_plain() override { plain::multiply(threads(), n_, n_, a_.data(), x_.data(), y_.data()); }
  void run_yoke() override {
    yoke::for_each<multiply_kernel>(rt(), {n_}, in(a_of_yoke_), in(x_of_yoke_), out(y_of_yoke_));
  }
  bool agree() const override { return y_of_yoke_.gather() == y_; }
  std::string explain() const override { return a_of_yoke_.explain(); }

 private:
  std::int64_t n_;
  values a_, x_, y_, a_host_, x_host_;
  yoke::array<double, 2> a_of_yoke_;
  yoke::array<double, 1> x_of_yoke_, y_of_yoke_;
};

class add_matrices final : public base {
 public:
  add_matrices(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{of.side(2)},
        a_{wave(n_ * n_)},
        b_{wave(n_ * n_)},
        c_(static_cast<std::size_t>(n_ * n_)),
        a_host_{a_},
        b_host_{b_},
        a_of_yoke_{rt, {n_, n_}, yoke::attach(a_host_)},
        b_of_yoke_{rt, {n_, n_}, dist::as(a_of_yoke_), yoke::attach(b_host_)},
        c_of_yoke_{rt, {n_, n_}, dist::as(a_of_yoke_)} {
    describe("matrix-add", std::to_string(n_) + " x " + std::to_string(n_), 3 * static_cast<double>(n_ * n_));
  }
  void run_plain() override { plain::add(threads(), n_ * n_, a_.data(), b_.data(), c_.data()); }
  void run_yoke() override {
    yoke::for_each<add_matrices_kernel>(rt(), {n_, n_}, in(a_of_yoke_), in(b_of_yoke_), out(c_of_yoke_));
  }
  bool agree() const override { return c_of_yoke_.gather() == c_; }
  std::string explain() const override { return c_of_yoke_.explain(); }

 private:
  std::int64_t n_;
  values a_, b_, c_, a_host_, b_host_;
  yoke::array<double, 2> a_of_yoke_, b_of_yoke_, c_of_yoke_;
};

/// Of unequal sides, so that neither form may take rows for columns.
class transpose final : public base {
 public:
  transpose(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{of.side(2) + 1},
        m_{of.elements / n_},
        a_{wave(n_ * m_)},
        b_(a_.size()),
        a_host_{a_},
        a_of_yoke_{rt, {n_, m_}, yoke::attach(a_host_)},
        b_of_yoke_{rt, {m_, n_}} {
    describe("transpose", std::to_string(n_) + " x " + std::to_string(m_), 2 * static_cast<double>(n_ * m_));
  }
  void run_plain() override { plain::transpose(threads(), n_, m_, a_.data(), b_.data()); }
  void run_yoke() override { yoke::transpose(a_of_yoke_, b_of_yoke_); }
  bool agree() const override { return b_of_yoke_.gather() == b_; }
  std::string explain() const override { return b_of_yoke_.explain(); }

 private:
  std::int64_t n_, m_;
  values a_, b_, a_host_;
  yoke::array<double, 2> a_of_yoke_, b_of_yoke_;
};

}  // namespace

std::vector<known_app> matrices() {
  return {known<multiply>("matrix-vector"), known<add_matrices>("matrix-add"), known<transpose>("transpose")};
}

}  // namespace apps
