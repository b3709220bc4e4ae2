#pragma once
/// Lines of a block of threads on chip, and how a thread solves one. SPEC.md §9.3.

#include "sp_physics.hpp"

#include <cstdint>

#include <yoke/async_copy.hpp>

namespace npb::sp {

/// Doubles that a point has on chip: r (5), then for each matrix speed and diffusion, which D* and E*
/// replace.
inline constexpr int n_slots = 11;

/// Five neighbouring values of a point on chip.
NPB_HD five<double> five_at(const double* values) {
  return {{values[0], values[1], values[2], values[3], values[4]}};
}

/// Waits for all copies to the chip that this thread has started.
NPB_HD void wait_for_copies() {
  yoke::close_group();
  yoke::wait_for_groups<0>();
}

/// The terms of a point to where the three matrices have theirs; `here` is slot 0.
NPB_HD void put_line_terms(double* here, const row_terms<double>& terms) {
  for (int matrix = 0; matrix < 3; ++matrix) {
    here[5 + 2 * matrix] = terms.speed[matrix];
    here[6 + 2 * matrix] = terms.diffusion;
  }
}

/// Divides 0 <= x < 2^16 by a number < 2^15 that is known late, without a division: the points of a tile are
/// few.
struct small_divider {
  int divisor;
  std::uint32_t reciprocal;  ///< above 2^31 / divisor

  YOKE_HD explicit small_divider(int by)
      : divisor{by}, reciprocal{0x7fffffffu / static_cast<std::uint32_t>(by) + 1} {}
  YOKE_HD int quotient(int x) const {
    return static_cast<int>(static_cast<std::uint64_t>(reciprocal) * static_cast<std::uint32_t>(x) >> 31);
  }
};

/// One line on chip, and the systems of one of its matrices. Reads one row ahead: the next row's values must
/// not wait for the stores of this one. So there is a row before the first and one behind the last, which are
/// read but not used.
template <class Systems>
class chip_line {
 public:
  using number = double;
  using systems = Systems;
  using rhs = unknowns_of<double, Systems>;
  using rows = eliminated<double, 1>;

  /// `line`: slot 0 at l = 1; `step` doubles further is l = 2.
  YOKE_HD chip_line(double* line, int first_unknown, int matrix, int step, int n)
      : r_{line + first_unknown},
        matrix_{line + 5 + 2 * matrix},
        step_{step},
        last_{n - 2},
        next_terms_{read_terms(1)},
        next_r_{read_r(1)} {}

  YOKE_HD row_terms<double, 1> terms_at(int l) {
    const row_terms<double, 1> here = next_terms_;
    next_terms_ = read_terms(l + 1);
    return here;
  }
  YOKE_HD rhs right_hand_side(int l) {
    const rhs here = next_r_;
    next_r_ = read_r(l + 1);
    return here;
  }
  YOKE_HD void keep(int l, const rows& row, const rhs& x) {
    matrix_[at(l)] = row.d[0];
    matrix_[at(l) + 1] = row.e[0];
    finish(l, x);
  }
  YOKE_HD void turn() {
    next_terms_ = read_terms(last_ - 1);
    next_r_ = read_r(last_ - 1);
  }
  YOKE_HD rows kept_rows(int l) {
    const row_terms<double, 1> here = next_terms_;
    next_terms_ = read_terms(l - 1);
    return {{here.speed[0]}, {here.diffusion}};
  }
  YOKE_HD rhs kept_values(int l) {
    const rhs here = next_r_;
    next_r_ = read_r(l - 1);
    return here;
  }
  YOKE_HD void finish(int l, const rhs& x) {
    for (int m = 0; m < Systems::unknowns; ++m) r_[at(l) + m] = x[m];
  }

 private:
  YOKE_HD int at(int l) const { return (l - 1) * step_; }
  YOKE_HD row_terms<double, 1> read_terms(int l) const { return {{matrix_[at(l)]}, matrix_[at(l) + 1]}; }
  YOKE_HD rhs read_r(int l) const {
    rhs values{};
    for (int m = 0; m < Systems::unknowns; ++m) values[m] = r_[at(l) + m];
    return values;
  }

  double* r_;
  double* matrix_;
  int step_;
  int last_;
  row_terms<double, 1> next_terms_;
  rhs next_r_;
};

}  // namespace npb::sp
