#pragma once

#include <string_view>

namespace yoke {

/// "major.minor.patch" of the library that is linked.
std::string_view version() noexcept;

}  // namespace yoke
