// Compiled by a GPU's compiler where there is one.
#include "apps.hpp"

#include "plain.hpp"
#include "points.hpp"

#include <cmath>
#include <utility>

#include <yoke/arrays.hpp>

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using values = std::vector<double>;

struct axpy_kernel {
  YOKE_HD void operator()(yoke::index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          double a) const {
    y(at) += a * x(at);
  }
};
struct multiply_kernel {
  YOKE_HD void operator()(yoke::index<1> row, yoke::view<const double, 2> a, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    double sum = 0;
    for (std::int64_t j = 0; j < x.extent(0); ++j) sum += a(row.i, j) * x(j);
    y(row) = sum;
  }
};
struct jacobi_2d_kernel {
  YOKE_HD void operator()(yoke::index<2> at, yoke::view<const double, 2> old, yoke::view<double, 2> u,
                          yoke::partial<double>& changed) const {
    const double value =
        relaxed(old(at.i - 1, at.j), old(at.i + 1, at.j), old(at.i, at.j - 1), old(at.i, at.j + 1));
    const double change = value - old(at);
    u(at) = value;
    changed += change * change;
  }
};
struct jacobi_3d_kernel {
  YOKE_HD void operator()(yoke::index<3> at, yoke::view<const double, 3> old, yoke::view<double, 3> u,
                          yoke::partial<double>& changed) const {
    const auto [i, j, k] = at;
    const double value = relaxed(old(i - 1, j, k), old(i + 1, j, k), old(i, j - 1, k), old(i, j + 1, k),
                                 old(i, j, k - 1), old(i, j, k + 1));
    const double change = value - old(at);
    u(at) = value;
    changed += change * change;
  }
};
struct dot_kernel {
  YOKE_HD void operator()(yoke::index<1> at, yoke::view<const double, 1> x, yoke::view<const double, 1> y,
                          yoke::partial<double>& sum) const {
    sum += x(at) * y(at);
  }
};

values wave(std::int64_t n) {
  values made;
  for (std::int64_t i = 0; i < n; ++i) made.push_back(std::sin(0.37 * static_cast<double>(i % 10'007)));
  return made;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(a); }

/// What every application has: a runtime, and a number of threads for its plain form.
class base : public app {
 public:
  base(yoke::runtime& rt, int threads) : rt_{rt}, threads_{threads} {}
  void finish() override {
    for (const yoke::compute_unit& unit : rt_.units().all())
      if (unit.dev != nullptr) unit.dev->synchronize(unit.stream);
  }

 protected:
  yoke::runtime& rt() const { return rt_; }
  int threads() const { return threads_; }
  void describe(const char* called, std::string as, double moved) {
    name = called;
    shape = std::move(as);
    bytes = moved * sizeof(double);
  }

 private:
  yoke::runtime& rt_;
  int threads_;
};

class axpy final : public base {
 public:
  axpy(yoke::runtime& rt, std::int64_t n, int threads)
      : base{rt, threads},
        n_{n},
        x_{wave(n)},
        y_{wave(n)},
        x_host_{x_},
        y_host_{y_},
        x_of_yoke_{rt, {n}, yoke::attach(x_host_)},
        y_of_yoke_{rt, {n}, dist::as(x_of_yoke_), yoke::attach(y_host_)} {
    describe("axpy", std::to_string(n), 3 * static_cast<double>(n));
  }
  void run_plain() override { plain::axpy(threads(), n_, 0.5, x_.data(), y_.data()); }
  void run_yoke() override {
    yoke::for_each<axpy_kernel>(rt(), {n_}, in(x_of_yoke_), inout(y_of_yoke_), 0.5);
  }
  bool agree() const override { return y_of_yoke_.gather() == y_; }

 private:
  std::int64_t n_;
  values x_, y_, x_host_, y_host_;
  yoke::array<double, 1> x_of_yoke_, y_of_yoke_;
};

class multiply final : public base {
 public:
  multiply(yoke::runtime& rt, std::int64_t n, int threads)
      : base{rt, threads},
        n_{n},
        a_{wave(n * n)},
        x_{wave(n)},
        y_(static_cast<std::size_t>(n)),
        a_host_{a_},
        x_host_{x_},
        a_of_yoke_{rt, {n, n}, yoke::attach(a_host_)},
        x_of_yoke_{rt, {n}, {dist::duplicate}, yoke::attach(x_host_)},
        y_of_yoke_{rt, {n}} {
    const auto rows = static_cast<double>(n);
    describe("matrix-vector", std::to_string(n) + " x " + std::to_string(n), rows * rows + 2 * rows);
  }
  void run_plain() override { plain::multiply(threads(), n_, n_, a_.data(), x_.data(), y_.data()); }
  void run_yoke() override {
    yoke::for_each<multiply_kernel>(rt(), {n_}, in(a_of_yoke_), in(x_of_yoke_), out(y_of_yoke_));
  }
  bool agree() const override { return y_of_yoke_.gather() == y_; }

 private:
  std::int64_t n_;
  values a_, x_, y_, a_host_, x_host_;
  yoke::array<double, 2> a_of_yoke_;
  yoke::array<double, 1> x_of_yoke_, y_of_yoke_;
};

class jacobi_2d final : public base {
 public:
  jacobi_2d(yoke::runtime& rt, std::int64_t n, int threads)
      : base{rt, threads},
        n_{n},
        u_{wave(n * n)},
        old_{u_},
        u_host_{u_},
        u_of_yoke_{rt, {n, n}, {dist::balanced.halo(1), dist::duplicate}, yoke::attach(u_host_)},
        old_of_yoke_{rt, {n, n}, dist::as(u_of_yoke_)} {
    yoke::copy(u_of_yoke_, old_of_yoke_);
    const auto rows = static_cast<double>(n);
    describe("jacobi-2d", std::to_string(n) + " x " + std::to_string(n), 2 * rows * rows);
  }
  void run_plain() override {
    std::swap(u_, old_);
    changed_ = plain::jacobi_2d(threads(), n_, n_, old_.data(), u_.data());
  }
  void run_yoke() override {
    swap(u_of_yoke_, old_of_yoke_);
    changed_of_yoke_ = 0;
    yoke::for_each<jacobi_2d_kernel>(rt(), {{1, n_ - 1}, {1, n_ - 1}}, in(old_of_yoke_), out(u_of_yoke_),
                                     sum(changed_of_yoke_));
  }
  bool agree() const override { return u_of_yoke_.gather() == u_ && close(changed_, changed_of_yoke_); }

 private:
  std::int64_t n_;
  double changed_ = 0, changed_of_yoke_ = 0;
  values u_, old_, u_host_;
  yoke::array<double, 2> u_of_yoke_, old_of_yoke_;
};

class jacobi_3d final : public base {
 public:
  jacobi_3d(yoke::runtime& rt, std::int64_t n, int threads)
      : base{rt, threads},
        n_{n},
        u_{wave(n * n * n)},
        old_{u_},
        u_host_{u_},
        u_of_yoke_{
            rt, {n, n, n}, {dist::balanced.halo(1), dist::duplicate, dist::duplicate}, yoke::attach(u_host_)},
        old_of_yoke_{rt, {n, n, n}, dist::as(u_of_yoke_)} {
    yoke::copy(u_of_yoke_, old_of_yoke_);
    const auto rows = static_cast<double>(n);
    describe("jacobi-3d", std::to_string(n) + "^3", 2 * rows * rows * rows);
  }
  void run_plain() override {
    std::swap(u_, old_);
    changed_ = plain::jacobi_3d(threads(), n_, old_.data(), u_.data());
  }
  void run_yoke() override {
    swap(u_of_yoke_, old_of_yoke_);
    changed_of_yoke_ = 0;
    yoke::for_each<jacobi_3d_kernel>(rt(), {{1, n_ - 1}, {1, n_ - 1}, {1, n_ - 1}}, in(old_of_yoke_),
                                     out(u_of_yoke_), sum(changed_of_yoke_));
  }
  bool agree() const override { return u_of_yoke_.gather() == u_ && close(changed_, changed_of_yoke_); }

 private:
  std::int64_t n_;
  double changed_ = 0, changed_of_yoke_ = 0;
  values u_, old_, u_host_;
  yoke::array<double, 3> u_of_yoke_, old_of_yoke_;
};

class dot final : public base {
 public:
  dot(yoke::runtime& rt, std::int64_t n, int threads)
      : base{rt, threads},
        n_{n},
        x_{wave(n)},
        x_host_{x_},
        x_of_yoke_{rt, {n}, yoke::attach(x_host_)},
        y_of_yoke_{rt, {n}, dist::as(x_of_yoke_)} {
    yoke::copy(x_of_yoke_, y_of_yoke_);
    y_ = x_;
    describe("dot", std::to_string(n), 2 * static_cast<double>(n));
  }
  void run_plain() override { sum_ = plain::dot(threads(), n_, x_.data(), y_.data()); }
  void run_yoke() override {
    sum_of_yoke_ = 0;
    yoke::for_each<dot_kernel>(rt(), {n_}, in(x_of_yoke_), in(y_of_yoke_), sum(sum_of_yoke_));
  }
  bool agree() const override { return close(sum_, sum_of_yoke_); }

 private:
  std::int64_t n_;
  double sum_ = 0, sum_of_yoke_ = 0;
  values x_, y_, x_host_;
  yoke::array<double, 1> x_of_yoke_, y_of_yoke_;
};

std::int64_t root(std::int64_t elements, double of) {
  return std::max<std::int64_t>(8, std::llround(std::pow(static_cast<double>(elements), 1 / of)));
}

}  // namespace

std::vector<std::unique_ptr<app>> all_apps(yoke::runtime& rt, std::int64_t elements, int threads) {
  std::vector<std::unique_ptr<app>> all;
  all.push_back(std::make_unique<axpy>(rt, elements, threads));
  all.push_back(std::make_unique<multiply>(rt, root(elements, 2), threads));
  all.push_back(std::make_unique<jacobi_2d>(rt, root(elements, 2), threads));
  all.push_back(std::make_unique<jacobi_3d>(rt, root(elements, 3), threads));
  all.push_back(std::make_unique<dot>(rt, elements, threads));
  return all;
}

}  // namespace apps
