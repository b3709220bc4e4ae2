#pragma once
/// Loops that tests/arrays does not have: whose body throws, and one that writes what depends on the index
/// alone.

#include "../../arrays/random_loops.hpp"

namespace attack {

/// What a body throws says this.
inline constexpr const char* thrown_text = "a body that throws";

/// What `assign` below writes.
double assigned(int dimensions, const std::int64_t (&at)[4], double value);

template <int D>
struct more_loops_of {
  using array = yoke::array<double, D>;
  static void assign(yoke::runtime& rt, const arrays_test::any_box& over, array& to, double value);
  /// Throws at one index. `from`, where there is one, is read with its halos.
  static void throwing(yoke::runtime& rt, const arrays_test::any_box& over, const array* from, array& to,
                       const std::int64_t (&where)[4]);
};

/// b(j, i) = a(i, j)
void transpose_of(const yoke::array<double, 2>& a, yoke::array<double, 2>& b);

}  // namespace attack
