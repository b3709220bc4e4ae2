#pragma once
/// From the parts of one array to those of another, however both are cut.

#include "../halos/exchange.hpp"
#include "../memory/contents.hpp"

namespace yoke::detail {

/// All elements to those with the same indices. Requires: equal extents. Has happened on return, but for
/// copies inside of devices.
void copy_elements(contents& from, contents& to);

}  // namespace yoke::detail
