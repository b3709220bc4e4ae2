#include "forms.hpp"

#include <yoke/arrays.hpp>

namespace by_hand {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct multiply {
  static constexpr yoke::character character{.sharing = yoke::level::high};
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> a,
                          yoke::view<const double, 2> b, yoke::view<double, 2> c) const {
    double sum = 0;
    for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(at.i, k) * b(k, at.j);
    c(at) = sum;
  }
};

class multiplier final : public form {
 public:
  multiplier(yoke::runtime& rt, std::int64_t n)
      : rt_{rt},
        n_{n},
        a_{rt, {n, n}, yoke::attach(values_)},
        b_{rt, {n, n}, {dist::duplicate, dist::duplicate}, yoke::attach(other_)},
        c_{rt, {n, n}} {}
  void run() override { yoke::for_each<multiply>(rt_, {n_, n_}, in(a_), in(b_), out(c_)); }
  void finish() override { wait_for(rt_); }
  std::vector<double> result() override { return c_.gather(); }

 private:
  yoke::runtime& rt_;
  std::int64_t n_;
  std::vector<double> values_ = wave(n_), other_ = values_;
  yoke::array<double, 2> a_, b_, c_;
};

}  // namespace

std::unique_ptr<form> array_multiply(yoke::runtime& rt, std::int64_t n) {
  return std::make_unique<multiplier>(rt, n);
}

}  // namespace by_hand
