#pragma once
/// Stands in for the library: counts how often a kernel asks for its thread's window.

namespace yoke::detail {
struct address_window;
}

namespace tests {

extern int times_asked;
extern const yoke::detail::address_window* window_to_tell;

}  // namespace tests
