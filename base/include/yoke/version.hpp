#pragma once

#include <string_view>

#include <yoke/cpp20.hpp>

namespace yoke {

/// "major.minor.patch" of the library that is linked.
std::string_view version() noexcept;

}  // namespace yoke
