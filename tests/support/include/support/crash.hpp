#pragma once
/// What a test leaves behind where it ends by a signal: which stage it was in, and the calls of the thread
/// that met it.

#include <string_view>

namespace support {

/// From here on SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT print that to stderr before the process ends by
/// them. Handlers that come later, as a test framework's or a sanitizer's, keep their say: they come first.
void tell_of_crashes();

/// What the program is about to do, for that. Any thread's.
void set_stage(std::string_view what);

}  // namespace support
