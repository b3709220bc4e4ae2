#pragma once
/// Who computes which indices of a loop.

#include "layout.hpp"

namespace yoke::detail {

/// Indices that are in both.
struct share {
  index_set of;
  any_box within;

  bool empty() const;
  /// f(box), in order.
  template <class F>
  void for_each(const F& f) const {
    for_each_box(of, within, f);
  }
};

/// The n-th of some parts that are as even as can be.
bound even_share(const bound& of, int number, int parts);
/// Of indices in `over`, those whose elements a unit has. CPU CUs that have the same elements share them.
share share_of(const layout& shape, int unit, const any_box& over);

}  // namespace yoke::detail
