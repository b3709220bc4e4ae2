#pragma once
/// Catch2, version 2 or 3.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

namespace support {

/// A new seed in each run, unless --rng-seed gives one; whoever uses it prints it.
inline std::uint32_t seed() {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::getSeed();
#else
  return Catch::rngSeed() != 0 ? Catch::rngSeed() : std::random_device{}();
#endif
}

/// Says that the rest of a test case was not run, and why. CTest counts a program as skipped when all of it
/// was: then print_all is given.
inline void skip(const std::string& reason, bool all = false) {
  std::printf("[skipped] %s%s\n", reason.c_str(), all ? " [all skipped]" : "");
}

}  // namespace support
