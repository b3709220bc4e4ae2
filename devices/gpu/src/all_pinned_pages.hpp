#pragma once

#include <yoke/detail/pinned_pages.hpp>

namespace yoke::gpu {

/// Of the process: what one device has pinned is pinned for all.
inline detail::pinned_pages& all_pinned_pages() {
  // Never destroyed: a device may be the last object of a program.
  static auto* const the = new detail::pinned_pages;
  return *the;
}

}  // namespace yoke::gpu
