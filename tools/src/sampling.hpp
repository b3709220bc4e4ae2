#pragma once
/// Where the threads of a program ran.

#include <map>
#include <string>
#include <vector>

namespace tools {

/// What was seen of one thread.
struct thread_seen {
  std::string name{};
  std::map<int, int> on{};  ///< CPU -> how often it was seen running there
  std::string allowed{};    ///< the mask that it had most of the time, as "0-3"
  int lead = 0;             ///< samples by which that mask is ahead of all others
  int seen = 0;             ///< running
};

struct program_seen {
  int status = 0;  ///< exit status; 128 + the number of a signal
  std::map<int, thread_seen> threads{};
};

/// Runs it and looks at /proc every millisecond until it ends. Errors: config_error where it cannot be
/// started.
program_seen run_and_sample(const std::vector<std::string>& program);

}  // namespace tools
