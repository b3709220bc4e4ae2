#pragma once
/// Catch2, version 2 or 3.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <cstdio>
#include <string>

namespace support {

/// Says that the rest of a test case was not run, and why. CTest counts a program as skipped when all of it
/// was: then print_all is given.
inline void skip(const std::string& reason, bool all = false) {
  std::printf("[skipped] %s%s\n", reason.c_str(), all ? " [all skipped]" : "");
}

}  // namespace support
