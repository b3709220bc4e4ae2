// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which addresses are memory of this process.

#include <cstddef>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// Whether every page of the range is mapped in this process, accessible or not. The range must not wrap.
bool is_mapped(const void* start, std::size_t bytes) noexcept;

/// Whether the range can be read and written everywhere, and is no driver's. Reads the list of mappings.
bool is_plain_memory(const void* start, std::size_t bytes);

}  // namespace yoke::detail
