#pragma once
/// A random program: rooms on one or two runtimes, and steps in them by turns, or side by side.

#include "room.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attack {

/// What became of one.
struct outcome {
  std::string wrong;  ///< empty: all values were those of the models, or errors the documented ones
  std::vector<std::string> story;  ///< what it did
  int steps = 0;
  int errors = 0;  ///< that were documented
};

/// `most`: steps at most; `tells`: prints each step before it is done.
outcome run_program(std::uint64_t seed, int most, bool tells);

}  // namespace attack
