#include "counted_needs.hpp"

#include "bt/bt_line_solve.hpp"
#include "counting_number.hpp"
#include "lu/lu_physics.hpp"
#include "sp/sp_line_solve.hpp"

namespace kernels {

namespace {

using npb::five;
using npb::point;
using number = counting;

constexpr int line_length = 66;
constexpr int line_points = line_length - 2;

/// A state like those of the benchmarks; what is counted does not depend on it.
const five<number> some_state{{number(1.2), number(0.3), number(0.2), number(0.1), number(2.5)}};

const npb::constants& some_constants() {
  static const npb::constants c = npb::make_constants(npb::make_problem(npb::benchmark_kind::sp, 'S'));
  return c;
}

/// The same point everywhere around.
struct uniform_field {
  point<number> p = npb::make_point(some_state);
  template <int D>
  five<number> at(int) const {
    return p.u;
  }
  template <int D>
  point<number> beside(int) const {
    return p;
  }
};

operations operator_count() {
  const uniform_field w;
  const npb::line_stencil<number> s{number(0.1), number(0.2), number(0.3), number(0.2), number(0.1)};
  const npb::line_stencil<number> stencils[3] = {s, s, s};
  return count([&] {
    const point<number> p = npb::make_point(some_state);
    npb::spatial_operator(some_constants(), stencils, p, w);
  });
}

/// A line whose storage costs nothing.
struct sp_line {
  using number = counting;
  point<number> p = npb::make_point(some_state);
  npb::sp::wave<number> wave_at(int) const { return {p.rho_i, p.v[0], p.u[0]}; }
  five<number> right_hand_side(int) const { return some_state; }
  void keep(int, const npb::sp::eliminated<number>&, const five<number>&) const {}
  npb::sp::eliminated<number> kept_rows(int) const { return {}; }
  five<number> kept_values(int) const { return some_state; }
  void finish(int, const five<number>&) const {}
};

struct bt_line {
  using number = counting;
  point<number> p = npb::make_point(some_state);
  point<number> state(int) const { return p; }
  five<number> right_hand_side(int) const { return some_state; }
  void keep_column(int, int, const five<number>&) const {}
  void keep_values(int, const five<number>&) const {}
  five<number> kept_column(int, int) const { return some_state; }
  five<number> kept_values(int) const { return some_state; }
  void finish(int, const five<number>&) const {}
};

/// Collects what a point needs.
class phase {
 public:
  phase(std::string name, double doubles) : needs_{std::move(name), 0, 0, doubles} {}
  phase& add(const operations& n, double times = 1) {
    needs_.flops += times * static_cast<double>(n.flops);
    needs_.divisions += times * static_cast<double>(n.divisions);
    return *this;
  }
  template <class Work>
  phase& at_point(const Work& work) {
    return add(count(work));
  }
  template <class Work>
  phase& along_line(const Work& work) {
    return add(count(work), 1.0 / line_points);
  }
  phase_needs done() const { return needs_; }

 private:
  phase_needs needs_;
};

void update(const five<number>& change) {
  for (int m = 0; m < 5; ++m) static_cast<void>(some_state[m] + change[m]);
}

std::vector<phase_needs> sp_needs() {
  using namespace npb::sp;
  const npb::constants& c = some_constants();
  const point<number> p = npb::make_point(some_state);
  const sp_line line;
  return {phase{"planes", 15}
              .add(operator_count())
              .at_point([&] { txinvr(p, sound_speed(p), npb::right_hand_side(c, some_state, some_state)); })
              .along_line([&] { solve_line<0>(c, line_length, line); })
              .at_point([&] { ninvr(some_state); })
              .along_line([&] { solve_line<1>(c, line_length, line); })
              .at_point([&] { pinvr(some_state); })
              .done(),
          phase{"lines", 15}
              .at_point([&] { sound_speed(npb::make_point(some_state)); })
              .along_line([&] { solve_line<2>(c, line_length, line); })
              .at_point([&] { update(tzetar(p, p.u[0], some_state)); })
              .done()};
}

std::vector<phase_needs> bt_needs() {
  using namespace npb::bt;
  const npb::constants& c = some_constants();
  const bt_line line;
  return {phase{"planes", 15}
              .add(operator_count())
              .at_point([&] { npb::right_hand_side(c, some_state, some_state); })
              .along_line([&] { solve_line<0>(c, line_length, line); })
              .along_line([&] { solve_line<1>(c, line_length, line); })
              .done(),
          phase{"lines", 15}
              .at_point([&] { npb::make_point(some_state); })
              .along_line([&] { solve_line<2>(c, line_length, line); })
              .at_point([&] { update(some_state); })
              .done()};
}

template <npb::lu::sweep S>
void contributions(const npb::lu::sweep_constants& k, const npb::lu::block_point<number>& p) {
  using namespace npb::lu;
  const disturbance<number> s = make_disturbance(p, some_state);
  sum_of(block_times<S, 0>(k, p, s, some_state), block_times<S, 1>(k, p, s, some_state),
         block_times<S, 2>(k, p, s, some_state));
}

std::vector<phase_needs> lu_needs() {
  using namespace npb::lu;
  const sweep_constants k{some_constants()};
  return {
      phase{"lower", 15}
          .at_point([&] {
            const block_point<number> p = make_block_point(k, some_state);
            lower_value(k, some_state, p, some_state, number(k.dt), some_state);
            contributions<sweep::lower>(k, p);
          })
          .done(),
      phase{"upper", 15}
          .at_point([&] {
            const block_point<number> p = make_block_point(k, some_state);
            updated(some_state, upper_value(k, some_state, p, some_state, some_state));
            contributions<sweep::upper>(k, p);
          })
          .done(),
      phase{"residual", 15}.add(operator_count()).at_point([&] { residual(some_state, some_state); }).done()};
}

}  // namespace

std::vector<phase_needs> counted_needs_of(npb::benchmark_kind kind) {
  switch (kind) {
    case npb::benchmark_kind::bt:
      return bt_needs();
    case npb::benchmark_kind::sp:
      return sp_needs();
    case npb::benchmark_kind::lu:
      return lu_needs();
  }
  return {};
}

}  // namespace kernels
