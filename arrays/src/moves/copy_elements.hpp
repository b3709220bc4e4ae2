#pragma once
/// From the parts of one array to those of another, however both are cut.

#include "../halos/exchange.hpp"
#include "../memory/contents.hpp"

namespace yoke::detail {

/// f(store, index_set) for what makes up some elements: those in the memory of `to`, null for the host, from
/// there. Each time all pieces of a dimension have one length.
template <class F>
void for_each_source(const contents& of, const index_set& wanted, const gpu_unit* to, const F& f) {
  for (const cell& each : of.shape().cells) {
    const store& home = of.nearest(each.units.front(), to);
    for_each_common(each.what, wanted, [&](const index_set& what) { f(home, what); });
  }
}

/// All elements to those with the same indices. Requires: equal extents. Has happened on return, but for
/// copies inside of devices.
void copy_elements(contents& from, contents& to);

}  // namespace yoke::detail
