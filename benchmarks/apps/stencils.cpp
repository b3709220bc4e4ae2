// Compiled by a GPU's compiler where there is one.
#include "base.hpp"
#include "kernels.hpp"
#include "plain.hpp"

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct jacobi_2d_kernel {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old, yoke::view<double, 2> u,
                          yoke::partial<double>& changed) const {
    const double value =
        relaxed(old(at.i - 1, at.j), old(at.i + 1, at.j), old(at.i, at.j - 1), old(at.i, at.j + 1));
    const double change = value - old(at);
    u(at) = value;
    changed += change * change;
  }
};
struct jacobi_3d_kernel {
  YOKE_HD void operator()(yoke::loop_index<3> at, yoke::view<const double, 3> old, yoke::view<double, 3> u,
                          yoke::partial<double>& changed) const {
    const auto [i, j, k] = at;
    const double value = relaxed(old(i - 1, j, k), old(i + 1, j, k), old(i, j - 1, k), old(i, j + 1, k),
                                 old(i, j, k - 1), old(i, j, k + 1));
    const double change = value - old(at);
    u(at) = value;
    changed += change * change;
  }
};
struct relax_3d_kernel {
  YOKE_HD void operator()(yoke::loop_index<3> at, yoke::view<const double, 3> old,
                          yoke::view<double, 3> u) const {
    const auto [i, j, k] = at;
    u(at) = relaxed(old(i - 1, j, k), old(i + 1, j, k), old(i, j - 1, k), old(i, j + 1, k), old(i, j, k - 1),
                    old(i, j, k + 1));
  }
};
struct heat_3d_kernel {
  YOKE_HD void operator()(yoke::loop_index<3> at, yoke::view<const double, 3> old, yoke::view<double, 3> u,
                          double rate) const {
    const auto [i, j, k] = at;
    u(at) = warmer(old(at), old(i - 1, j, k), old(i + 1, j, k), old(i, j - 1, k), old(i, j + 1, k),
                   old(i, j, k - 1), old(i, j, k + 1), rate);
  }
};

class jacobi_2d final : public base {
 public:
  jacobi_2d(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{of.side(2)},
        every_{of.residual_every},
        u_{wave(n_ * n_)},
        old_{u_},
        u_host_{u_},
        u_of_yoke_{rt, {n_, n_}, {dist::balanced.halo(1), dist::duplicate}, yoke::attach(u_host_)},
        old_of_yoke_{rt, {n_, n_}, dist::as(u_of_yoke_)} {
    yoke::copy(u_of_yoke_, old_of_yoke_);
    const auto rows = static_cast<double>(n_);
    describe("jacobi-2d", std::to_string(n_) + " x " + std::to_string(n_), 2 * rows * rows);
  }
  void run_plain() override {
    std::swap(u_, old_);
    if (++plain_runs_ % every_ == 0) {
      changed_ = plain::jacobi_2d(threads(), n_, n_, old_.data(), u_.data());
    } else {
      plain::relax_2d(threads(), n_, n_, old_.data(), u_.data());
    }
  }
  void run_yoke() override {
    const yoke::bound inner[] = {{1, n_ - 1}, {1, n_ - 1}};
    swap(u_of_yoke_, old_of_yoke_);
    if (++yoke_runs_ % every_ != 0)
      return yoke::for_each<relax_2d_kernel>(rt(), inner, in(old_of_yoke_), out(u_of_yoke_));
    changed_of_yoke_ = 0;
    yoke::for_each<jacobi_2d_kernel>(rt(), inner, in(old_of_yoke_), out(u_of_yoke_), sum(changed_of_yoke_));
  }
  bool agree() const override { return u_of_yoke_.gather() == u_ && close(changed_, changed_of_yoke_); }
  std::string explain() const override { return u_of_yoke_.explain(); }

 private:
  std::int64_t n_, every_, plain_runs_ = 0, yoke_runs_ = 0;
  double changed_ = 0, changed_of_yoke_ = 0;
  values u_, old_, u_host_;
  yoke::array<double, 2> u_of_yoke_, old_of_yoke_;
};

class jacobi_3d final : public base {
 public:
  jacobi_3d(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{of.side(3)},
        every_{of.residual_every},
        u_{wave(n_ * n_ * n_)},
        old_{u_},
        u_host_{u_},
        u_of_yoke_{rt,
                   {n_, n_, n_},
                   {dist::balanced.halo(1), dist::duplicate, dist::duplicate},
                   yoke::attach(u_host_)},
        old_of_yoke_{rt, {n_, n_, n_}, dist::as(u_of_yoke_)} {
    yoke::copy(u_of_yoke_, old_of_yoke_);
    const auto rows = static_cast<double>(n_);
    describe("jacobi-3d", std::to_string(n_) + "^3", 2 * rows * rows * rows);
  }
  void run_plain() override {
    std::swap(u_, old_);
    if (++plain_runs_ % every_ == 0) {
      changed_ = plain::jacobi_3d(threads(), n_, old_.data(), u_.data());
    } else {
      plain::relax_3d(threads(), n_, old_.data(), u_.data());
    }
  }
  void run_yoke() override {
    const yoke::bound inner[] = {{1, n_ - 1}, {1, n_ - 1}, {1, n_ - 1}};
    swap(u_of_yoke_, old_of_yoke_);
    if (++yoke_runs_ % every_ != 0)
      return yoke::for_each<relax_3d_kernel>(rt(), inner, in(old_of_yoke_), out(u_of_yoke_));
    changed_of_yoke_ = 0;
    yoke::for_each<jacobi_3d_kernel>(rt(), inner, in(old_of_yoke_), out(u_of_yoke_), sum(changed_of_yoke_));
  }
  bool agree() const override { return u_of_yoke_.gather() == u_ && close(changed_, changed_of_yoke_); }
  std::string explain() const override { return u_of_yoke_.explain(); }

 private:
  std::int64_t n_, every_, plain_runs_ = 0, yoke_runs_ = 0;
  double changed_ = 0, changed_of_yoke_ = 0;
  values u_, old_, u_host_;
  yoke::array<double, 3> u_of_yoke_, old_of_yoke_;
};

/// Explicit steps in a box whose sides keep their temperature.
class heat_3d final : public base {
 public:
  heat_3d(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{of.side(3)},
        u_{wave(n_ * n_ * n_)},
        old_{u_},
        u_host_{u_},
        u_of_yoke_{rt,
                   {n_, n_, n_},
                   {dist::balanced.halo(1), dist::duplicate, dist::duplicate},
                   yoke::attach(u_host_)},
        old_of_yoke_{rt, {n_, n_, n_}, dist::as(u_of_yoke_)} {
    yoke::copy(u_of_yoke_, old_of_yoke_);
    const auto rows = static_cast<double>(n_);
    describe("heat-3d", std::to_string(n_) + "^3", 2 * rows * rows * rows);
  }
  void run_plain() override {
    std::swap(u_, old_);
    plain::heat_3d(threads(), n_, rate, old_.data(), u_.data());
  }
  void run_yoke() override {
    swap(u_of_yoke_, old_of_yoke_);
    yoke::for_each<heat_3d_kernel>(rt(), {{1, n_ - 1}, {1, n_ - 1}, {1, n_ - 1}}, in(old_of_yoke_),
                                   out(u_of_yoke_), rate);
  }
  bool agree() const override { return u_of_yoke_.gather() == u_; }
  std::string explain() const override { return u_of_yoke_.explain(); }

 private:
  static constexpr double rate = 0.1;  // stable below 1/6
  std::int64_t n_;
  values u_, old_, u_host_;
  yoke::array<double, 3> u_of_yoke_, old_of_yoke_;
};

}  // namespace

std::vector<known_app> stencils() {
  return {known<jacobi_2d>("jacobi-2d"), known<jacobi_3d>("jacobi-3d"), known<heat_3d>("heat-3d")};
}

}  // namespace apps
