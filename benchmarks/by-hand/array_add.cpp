#include "forms.hpp"

#include <yoke/arrays.hpp>

namespace by_hand {

namespace {

using namespace yoke::loops;

struct add {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> a,
                          yoke::view<const double, 2> b, yoke::view<double, 2> c) const {
    c(at) = a(at) + b(at);
  }
};

class adder final : public form {
 public:
  adder(yoke::runtime& rt, std::int64_t n)
      : rt_{rt}, n_{n}, a_{rt, {n, n}, yoke::attach(values_)}, b_{rt, {n, n}}, c_{rt, {n, n}} {
    yoke::copy(a_, b_);
  }
  void run() override { yoke::for_each<add>(rt_, {n_, n_}, in(a_), in(b_), out(c_)); }
  void finish() override { wait_for(rt_); }
  std::vector<double> result() override { return c_.gather(); }

 private:
  yoke::runtime& rt_;
  std::int64_t n_;
  std::vector<double> values_ = wave(n_);
  yoke::array<double, 2> a_, b_, c_;
};

}  // namespace

std::unique_ptr<form> array_add(yoke::runtime& rt, std::int64_t n) { return std::make_unique<adder>(rt, n); }

}  // namespace by_hand
