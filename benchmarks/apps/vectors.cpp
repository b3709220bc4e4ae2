// Compiled by a GPU's compiler where there is one.
#include "base.hpp"
#include "kernels.hpp"
#include "plain.hpp"

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct dot_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<const double, 1> y, yoke::partial<double>& sum) const {
    sum += x(at) * y(at);
  }
};
struct add_up_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at);
  }
};
struct copy_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> a,
                          yoke::view<double, 1> c) const {
    c(at) = a(at);
  }
};
struct scale_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> b, yoke::view<const double, 1> c,
                          double factor) const {
    b(at) = factor * c(at);
  }
};
struct add_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> a,
                          yoke::view<const double, 1> b, yoke::view<double, 1> c) const {
    c(at) = a(at) + b(at);
  }
};
struct triad_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> a, yoke::view<const double, 1> b,
                          yoke::view<const double, 1> c, double factor) const {
    a(at) = b(at) + factor * c(at);
  }
};
struct no_work {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<const double, 1>) const {}
};

constexpr double factor = 0.4;  // of BabelStream

/// Three vectors in both forms.
class three_vectors : public base {
 public:
  three_vectors(yoke::runtime& rt, const sizes& of, const char* called, double moved)
      : base{rt, of},
        n_{of.elements},
        a_{wave(n_)},
        b_{wave(n_)},
        c_(static_cast<std::size_t>(n_)),
        a_host_{a_},
        b_host_{b_},
        a_of_yoke_{rt, {n_}, yoke::attach(a_host_)},
        b_of_yoke_{rt, {n_}, dist::as(a_of_yoke_), yoke::attach(b_host_)},
        c_of_yoke_{rt, {n_}, dist::as(a_of_yoke_)} {
    describe(called, std::to_string(n_), moved * static_cast<double>(n_));
  }
  bool agree() const override {
    return a_of_yoke_.gather() == a_ && b_of_yoke_.gather() == b_ && c_of_yoke_.gather() == c_;
  }
  std::string explain() const override { return a_of_yoke_.explain(); }

 protected:
  std::int64_t n_;
  values a_, b_, c_, a_host_, b_host_;
  yoke::array<double, 1> a_of_yoke_, b_of_yoke_, c_of_yoke_;
};

class axpy final : public three_vectors {
 public:
  axpy(yoke::runtime& rt, const sizes& of) : three_vectors{rt, of, "axpy", 3} {}
  void run_plain() override { plain::axpy(threads(), n_, factor, a_.data(), b_.data()); }
  void run_yoke() override {
    yoke::for_each<axpy_kernel>(rt(), {n_}, in(a_of_yoke_), inout(b_of_yoke_), factor);
  }
};

class copy final : public three_vectors {
 public:
  copy(yoke::runtime& rt, const sizes& of) : three_vectors{rt, of, "copy", 2} {}
  void run_plain() override { plain::copy(threads(), n_, a_.data(), c_.data()); }
  void run_yoke() override { yoke::for_each<copy_kernel>(rt(), {n_}, in(a_of_yoke_), out(c_of_yoke_)); }
};

class mul final : public three_vectors {
 public:
  mul(yoke::runtime& rt, const sizes& of) : three_vectors{rt, of, "mul", 2} {}
  void run_plain() override { plain::scale(threads(), n_, factor, a_.data(), b_.data()); }
  void run_yoke() override {
    yoke::for_each<scale_kernel>(rt(), {n_}, out(b_of_yoke_), in(a_of_yoke_), factor);
  }
};

class add final : public three_vectors {
 public:
  add(yoke::runtime& rt, const sizes& of) : three_vectors{rt, of, "add", 3} {}
  void run_plain() override { plain::add(threads(), n_, a_.data(), b_.data(), c_.data()); }
  void run_yoke() override {
    yoke::for_each<add_kernel>(rt(), {n_}, in(a_of_yoke_), in(b_of_yoke_), out(c_of_yoke_));
  }
};

class triad final : public three_vectors {
 public:
  triad(yoke::runtime& rt, const sizes& of) : three_vectors{rt, of, "triad", 3} {}
  void run_plain() override { plain::triad(threads(), n_, factor, a_.data(), b_.data(), c_.data()); }
  void run_yoke() override {
    yoke::for_each<triad_kernel>(rt(), {n_}, out(c_of_yoke_), in(a_of_yoke_), in(b_of_yoke_), factor);
  }
};

/// Nothing to do on resident data, nothing to exchange: what a loop costs.
class empty final : public three_vectors {
 public:
  empty(yoke::runtime& rt, const sizes& of) : three_vectors{rt, of, "empty", 0} {}
  void run_plain() override { plain::nothing(threads(), n_, a_.data()); }
  void run_yoke() override { yoke::for_each<no_work>(rt(), {n_}, in(a_of_yoke_)); }
};

class dot final : public three_vectors {
 public:
  dot(yoke::runtime& rt, const sizes& of) : three_vectors{rt, of, "dot", 2} {}
  void run_plain() override { sum_ = plain::dot(threads(), n_, a_.data(), b_.data()); }
  void run_yoke() override {
    sum_of_yoke_ = 0;
    yoke::for_each<dot_kernel>(rt(), {n_}, in(a_of_yoke_), in(b_of_yoke_), sum(sum_of_yoke_));
  }
  bool agree() const override { return close(sum_, sum_of_yoke_); }

 private:
  double sum_ = 0, sum_of_yoke_ = 0;
};

class add_up final : public base {
 public:
  add_up(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{of.elements},
        x_{wave(n_)},
        x_host_{x_},
        x_of_yoke_{rt, {n_}, yoke::attach(x_host_)} {
    describe("sum", std::to_string(n_), static_cast<double>(n_));
  }
  void run_plain() override { sum_ = plain::sum(threads(), n_, x_.data()); }
  void run_yoke() override {
    sum_of_yoke_ = 0;
    yoke::for_each<add_up_kernel>(rt(), {n_}, in(x_of_yoke_), sum(sum_of_yoke_));
  }
  bool agree() const override { return close(sum_, sum_of_yoke_); }
  std::string explain() const override { return x_of_yoke_.explain(); }

 private:
  std::int64_t n_;
  double sum_ = 0, sum_of_yoke_ = 0;
  values x_, x_host_;
  yoke::array<double, 1> x_of_yoke_;
};

/// Whole numbers, of which sums are exact in any order.
values whole_numbers(std::int64_t n) {
  values made = wave(n);
  for (double& each : made) each = std::round(1000 * each);
  return made;
}

class running_sum final : public base {
 public:
  running_sum(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{of.elements},
        x_{whole_numbers(n_)},
        y_(static_cast<std::size_t>(n_)),
        x_host_{x_},
        x_of_yoke_{rt, {n_}, yoke::attach(x_host_)},
        y_of_yoke_{rt, {n_}, dist::as(x_of_yoke_)} {
    describe("running-sum", std::to_string(n_), 2 * static_cast<double>(n_));
  }
  void run_plain() override { plain::running_sum(threads(), n_, x_.data(), y_.data()); }
  void run_yoke() override { all_ = yoke::inclusive_scan(rt(), x_of_yoke_, y_of_yoke_); }
  bool agree() const override { return all_ == y_.back() && y_of_yoke_.gather() == y_; }
  std::string explain() const override { return y_of_yoke_.explain(); }

 private:
  std::int64_t n_;
  double all_ = 0;
  values x_, y_, x_host_;
  yoke::array<double, 1> x_of_yoke_, y_of_yoke_;
};

}  // namespace

std::vector<known_app> vectors() {
  return {known<axpy>("axpy"),   known<copy>("copy"), known<mul>("mul"),    known<add>("add"),
          known<triad>("triad"), known<dot>("dot"),   known<add_up>("sum"), known<running_sum>("running-sum"),
          known<empty>("empty")};
}

}  // namespace apps
