#include "forms.hpp"

#include <yoke/arrays.hpp>

namespace by_hand {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct sweep {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old,
                          yoke::view<double, 2> u) const {
    u(at) =
        0.25 * ((old(at.i - 1, at.j) + old(at.i + 1, at.j)) + (old(at.i, at.j - 1) + old(at.i, at.j + 1)));
  }
};

class sweeper final : public form {
 public:
  sweeper(yoke::runtime& rt, std::int64_t n)
      : rt_{rt},
        n_{n},
        u_{rt, {n, n}, {dist::block.halo(1), dist::duplicate}, yoke::attach(values_)},
        old_{rt, {n, n}, dist::as(u_)} {
    yoke::copy(u_, old_);
  }
  void run() override {
    swap(u_, old_);
    yoke::for_each<sweep>(rt_, {{1, n_ - 1}, {1, n_ - 1}}, in(old_), out(u_));
  }
  void finish() override { wait_for(rt_); }
  std::vector<double> result() override { return u_.gather(); }

 private:
  yoke::runtime& rt_;
  std::int64_t n_;
  std::vector<double> values_ = wave(n_);
  yoke::array<double, 2> u_, old_;
};

}  // namespace

std::unique_ptr<form> array_jacobi(yoke::runtime& rt, std::int64_t n) {
  return std::make_unique<sweeper>(rt, n);
}

}  // namespace by_hand
