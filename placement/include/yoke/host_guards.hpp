// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a runtime asks of its regions where checks are on.

#include <yoke/region_table.hpp>

namespace yoke::detail {

/// From now on the host's copy of a region can be touched only where it has the region's bytes, and written
/// only where no other copy is for reading. An access of another kind ends the process, by a SIGSEGV and with
/// a line that names the region, where pages are the region's alone; what is written beside these is a
/// usage_error of the next call that brings the region somewhere. Copies from and to the host have then
/// happened on return. Before the first region.
void guard_host_copies(region_table& regions);

}  // namespace yoke::detail
