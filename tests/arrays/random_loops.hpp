#pragma once
/// Loops on arrays, each beside the same on a model that one thread computes.

#include "random_cuts.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <yoke/arrays.hpp>

namespace arrays_test {

using yoke::edge_policy;

struct side {
  std::int64_t extent = 1;
  int low = 0, high = 0;
  edge_policy at_low = edge_policy::none, at_high = edge_policy::none;

  /// Indices that have a value: elements, and what edges give.
  std::int64_t first() const { return at_low == edge_policy::none ? 0 : -low; }
  std::int64_t last() const { return extent + (at_high == edge_policy::none ? 0 : high); }
  std::int64_t inside(std::int64_t at) const {
    if (at < 0) return at_low == edge_policy::periodic ? at + extent : -at;
    if (at >= extent) return at_high == edge_policy::periodic ? at - extent : 2 * (extent - 1) - at;
    return at;
  }
};

/// What a kernel may read of an array around an index: `low` and `high` away, where that has a value.
struct around {
  std::int64_t low[4]{};
  std::int64_t high[4]{};
  std::int64_t first[4]{};
  std::int64_t last[4]{};
};

/// A formula whose bits depend on each operand and on the order: of an element, what lies around it and
/// another array's element.
YOKE_HD inline double mixed(double value, double next) { return 0.625 * value - 0.3 * next + 0.01; }

/// The model of an array.
struct model {
  int dimensions = 1;
  std::array<side, 4> sides{};
  std::vector<double> values;

  std::int64_t n(int d) const { return sides[static_cast<std::size_t>(d)].extent; }
  std::int64_t size() const { return n(0) * n(1) * n(2) * n(3); }
  double& at(const std::int64_t (&index)[4]) { return values[static_cast<std::size_t>(place_of(index))]; }
  double read(const std::int64_t (&index)[4]) const {
    return values[static_cast<std::size_t>(place_of(index))];
  }
  around reads(bool all, std::int64_t low, std::int64_t high) const;
  /// As far away as there are elements.
  around reads_everywhere(dice& d) const;

 private:
  std::int64_t place_of(const std::int64_t (&index)[4]) const;
};

using any_box = std::array<yoke::bound, 4>;

/// The model's side of `stencil` below.
void stencil_of(const any_box& over, const model& old, const around& reads, const model& other, model& to);
/// The three reductions of `reduce` below, by the rule of reduction.hpp, written again.
struct reduced {
  double sum = 0, smallest = 0, largest = 0;
  friend bool operator==(const reduced&, const reduced&) = default;
};
reduced reduce_of(int dimensions, const any_box& over, const model& of, reduced given);

/// Loops on arrays of D dimensions; D from 1 to 4 are there.
template <int D>
struct loops_of {
  using array = yoke::array<double, D>;
  enum class reach { all, rows, interior, everywhere };

  static void stencil(yoke::runtime& rt, const any_box& over, const array& old, const around& reads,
                      reach how, yoke::reach rows, const array& other, array& to);
  static void add(yoke::runtime& rt, const any_box& over, array& to, double value);
  static reduced reduce(yoke::runtime& rt, const any_box& over, const array& of, reduced given);
  /// The same by arrays of one element, which a second loop reads.
  static reduced reduce_into_arrays(yoke::runtime& rt, const any_box& over, const array& of, reduced given);
};

}  // namespace arrays_test
