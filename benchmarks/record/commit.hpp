#pragma once

#include <string_view>

namespace record {

/// What `git describe --always --tags --dirty` said of the sources when the program was built; "unknown"
/// where they were no clone.
std::string_view commit() noexcept;

}  // namespace record
