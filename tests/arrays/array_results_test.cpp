/// Results of reductions that stay where loops compute: in arrays of one element.
#include "values.hpp"

#include <atomic>
#include <cstdint>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;
using vector = yoke::array<double, 1>;

/// q = A p, A of -1, 2.5, -1; and p q.
struct multiply_band {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> p, yoke::view<double, 1> q,
                          yoke::partial<double>& product) const {
    double value = 2.5 * p(at);
    if (at.i > 0) value -= p(at.i - 1);
    if (at.i + 1 < 3000) value -= p(at.i + 1);
    q(at) = value;
    product += p(at) * value;
  }
};
YOKE_HD void step(yoke::loop_index<1> at, const yoke::view<const double, 1>& p,
                  const yoke::view<const double, 1>& q, const yoke::view<double, 1>& x,
                  const yoke::view<double, 1>& r, yoke::partial<double>& rr, double alpha) {
  x(at) += alpha * p(at);
  r(at) -= alpha * q(at);
  rr += r(at) * r(at);
}
struct step_by_value {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> p,
                          yoke::view<const double, 1> q, yoke::view<double, 1> x, yoke::view<double, 1> r,
                          yoke::partial<double>& rr, double alpha) const {
    step(at, p, q, x, r, rr, alpha);
  }
};
struct step_by_element {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> p,
                          yoke::view<const double, 1> q, yoke::view<double, 1> x, yoke::view<double, 1> r,
                          yoke::partial<double>& rr, yoke::view<const double, 1> alpha) const {
    step(at, p, q, x, r, rr, alpha(0));
  }
};
struct turn_by_value {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> r, yoke::view<double, 1> p,
                          double beta) const {
    p(at) = r(at) + beta * p(at);
  }
};
struct turn_by_element {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> r, yoke::view<double, 1> p,
                          yoke::view<const double, 1> beta) const {
    p(at) = r(at) + beta(0) * p(at);
  }
};
/// to = above / below; below = 0, for the next sum.
struct divide {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<const double, 1> above, yoke::view<double, 1> below,
                          yoke::view<double, 1> to) const {
    to(0) = above(0) / below(0);
    below(0) = 0;
  }
};
/// to = left / right, right = left, left = 0.
struct divide_and_shift {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<double, 1> left, yoke::view<double, 1> right,
                          yoke::view<double, 1> to) const {
    to(0) = left(0) / right(0);
    right(0) = left(0);
    left(0) = 0;
  }
};
struct square_of {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at) * x(at);
  }
};

std::atomic<int> let_go{0};
struct waits_for_host {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
#if !YOKE_DEVICE_PASS
    for (int seen = let_go.load(); seen == 0; seen = let_go.load()) let_go.wait(seen);
#endif
    sum += x(at);
  }
};

/// The vectors of conjugate gradients.
struct vectors {
  std::vector<double> host;
  vector x, r, p, q;
  vectors(yoke::runtime& rt, const yoke::distribution& how)
      : host{counting(3000)},
        x{rt, {3000}, {how.halo(1)}},
        r{rt, {3000}, dist::as(x), yoke::attach(host)},
        p{rt, {3000}, dist::as(x)},
        q{rt, {3000}, dist::as(x)} {
    yoke::copy(r, p);
  }
};

constexpr int iterations = 12;

std::vector<double> by_variables(yoke::runtime& rt, const yoke::distribution& how) {
  vectors v{rt, how};
  double rr = 0;
  yoke::for_each<square_of>(rt, {3000}, in(v.r, yoke::interior), sum(rr));
  for (int k = 0; k < iterations; ++k) {
    double pq = 0, next = 0;
    yoke::for_each<multiply_band>(rt, {3000}, in(v.p), out(v.q), sum(pq));
    yoke::for_each<step_by_value>(rt, {3000}, in(v.p, yoke::interior), in(v.q, yoke::interior), inout(v.x),
                                  inout(v.r), sum(next), rr / pq);
    yoke::for_each<turn_by_value>(rt, {3000}, in(v.r, yoke::interior), inout(v.p), next / rr);
    rr = next;
  }
  return v.x.gather();
}

struct elements {
  vector rr, next, pq, alpha, beta;
  explicit elements(yoke::runtime& rt)
      : rr{rt, {1}, {dist::duplicate}, "rr"},
        next{rt, {1}, {dist::duplicate}, "next"},
        pq{rt, {1}, {dist::duplicate}, "pq"},
        alpha{rt, {1}, {dist::duplicate}, "alpha"},
        beta{rt, {1}, {dist::duplicate}, "beta"} {}
};

void iterate(yoke::runtime& rt, vectors& v, elements& e) {
  yoke::for_each<multiply_band>(rt, {3000}, in(v.p), out(v.q), sum(e.pq));
  yoke::for_each<divide>(rt, {1}, in(e.rr), inout(e.pq), out(e.alpha));
  yoke::for_each<step_by_element>(rt, {3000}, in(v.p, yoke::interior), in(v.q, yoke::interior), inout(v.x),
                                  inout(v.r), sum(e.next), in(e.alpha));
  yoke::for_each<divide_and_shift>(rt, {1}, inout(e.next), inout(e.rr), out(e.beta));
  yoke::for_each<turn_by_element>(rt, {3000}, in(v.r, yoke::interior), inout(v.p), in(e.beta));
}

}  // namespace

TEST_CASE("an iteration of conjugate gradients is recorded, with its sums in arrays",
          "[arrays][reduction][record]") {
  yoke::runtime rt;
  for (const yoke::distribution& how : {dist::balanced, dist::block}) {
    const std::vector<double> wanted = by_variables(rt, how);
    vectors v{rt, how}, w{rt, how};
    elements e{rt}, f{rt};
    yoke::for_each<square_of>(rt, {3000}, in(v.r, yoke::interior), sum(e.rr));
    yoke::for_each<square_of>(rt, {3000}, in(w.r, yoke::interior), sum(f.rr));
    yoke::recording one = yoke::record(rt, [&] { iterate(rt, w, f); });
    for (int k = 0; k < iterations; ++k) {
      iterate(rt, v, e);
      one.replay();
    }
    CHECK(v.x.gather() == wanted);
    CHECK(w.x.gather() == wanted);
  }
}

TEST_CASE("on one GPU alone a loop whose sums are in arrays does not wait for it", "[arrays][reduction]") {
  const support::variable check{"YOKE_CHECK", "0"};
  yoke::runtime rt;
  const bool is_alone =
      rt.units().size() == 1 && !rt.devices().empty() && rt.devices().front()->info().emulated;
  vector x{rt, {5000}, {dist::block}}, result{rt, {1}, {dist::duplicate}};
  if (!is_alone) return support::skip("not one emulated device");
  let_go = 0;
  yoke::for_each<waits_for_host>(rt, {5000}, in(x), sum(result));
  let_go = 1;
  let_go.notify_all();
  CHECK(result.gather() == std::vector<double>{0});
}

TEST_CASE("an array takes the result of a reduction if it has one element, in each memory",
          "[arrays][reduction][errors]") {
  yoke::runtime rt;
  std::vector<double> host = counting(4);
  vector x{rt, {4}, yoke::attach(host)};
  vector two{rt, {2}, {dist::duplicate}}, there{rt, {1}, {dist::block}}, one{rt, {1}, {dist::duplicate}};
  double variable = 1;
  CHECK_THAT(refusal([&] { yoke::for_each<square_of>(rt, {4}, in(x), sum(two)); }),
             Contains("takes the result of a reduction, and has 2 elements; one"));
  if (rt.units().size() > 1)
    CHECK_THAT(refusal([&] { yoke::for_each<square_of>(rt, {4}, in(x), sum(there)); }),
               Contains("does not have it; make it with dist::duplicate"));
  CHECK_THAT(refusal([&] { yoke::for_each<square_of>(rt, {1}, in(one), sum(one)); }),
             Contains("is array 1 again"));
  yoke::for_each<square_of>(rt, {4}, in(x), sum(one));
  yoke::for_each<square_of>(rt, {4}, in(x), sum(one));
  yoke::for_each<square_of>(rt, {{2, 2}}, in(x), sum(one));
  CHECK(one.gather() == std::vector<double>{60});
  yoke::for_each<square_of>(rt, {1}, in(one), sum(variable));
  CHECK(variable == 3601);
}
