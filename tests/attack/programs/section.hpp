#pragma once
/// Memory of the program to which an array is attached: all of it, or a section with gaps.

#include "../../arrays/random_cuts.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace attack {

class section {
 public:
  /// No memory.
  section() = default;
  /// Holds `values`, elements of an array of these extents, and other values between them.
  section(arrays_test::dice& d, std::span<const std::int64_t> extents, const std::vector<double>& values);

  bool is_there() const { return is_there_; }
  template <int D>
  yoke::detail::attachment<double> attached();
  /// The elements, row by row.
  std::vector<double> values() const;
  /// Nobody has written between the elements.
  bool has_its_gaps() const;

 private:
  static constexpr double gap = -77.25;
  struct side {
    std::int64_t size = 1, all = 1, first = 0, step = 1;
    std::int64_t end() const { return size == 0 ? first : first + (size - 1) * step + 1; }
  };
  template <int... I>
  yoke::detail::attachment<double> attached(std::integer_sequence<int, I...>);
  /// body(place in memory) for each element.
  template <class Body>
  void each(const Body& body) const;

  bool is_there_ = false, is_all_ = true;
  side sides_[3]{};
  std::vector<double> memory_;
};

template <int D>
yoke::detail::attachment<double> section::attached() {
  if (is_all_) return yoke::attach(memory_);
  return attached(std::make_integer_sequence<int, D>{});
}

template <int... I>
yoke::detail::attachment<double> section::attached(std::integer_sequence<int, I...>) {
  return yoke::attach(memory_, {sides_[I].all...}, {yoke::bound{sides_[I].first, sides_[I].end()}...},
                      {sides_[I].step...});
}

}  // namespace attack
