#pragma once
/// Address ranges of the host without pages: what reserved regions are made of.

#include <cstddef>

namespace yoke::detail {

/// Reserves addresses, not accessible. Errors: out_of_memory.
void* reserve_range(std::size_t bytes);
/// Makes the range readable and writable; its pages come as zeros when touched. False when the system
/// refuses.
bool give_pages(void* range, std::size_t bytes) noexcept;
/// Takes the pages away again; the addresses stay reserved.
void take_pages(void* range, std::size_t bytes) noexcept;
void release_range(void* range, std::size_t bytes) noexcept;

}  // namespace yoke::detail
