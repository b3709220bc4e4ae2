#pragma once
/// What calls are for, in the words of their errors.

#include <cstddef>
#include <fmt/format.h>
#include <string>

#include <yoke/kernel_call.hpp>

namespace yoke::emulated {

inline std::string pinned_intent(std::size_t bytes) {
  return fmt::format("allocating {} bytes of pinned host memory", bytes);
}

inline std::string pin_intent(const void* first, std::size_t bytes) {
  return fmt::format("pinning {} bytes of host memory at {}", bytes, first);
}

inline std::string launch_intent(const kernel_call& call) {
  return fmt::format("launching kernel '{}'", call.name);
}

}  // namespace yoke::emulated
