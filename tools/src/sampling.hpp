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

/// Where the program's standard output goes.
enum class output { as_it_is, to_stderr };

struct program_seen {
  int status = 0;  ///< exit status; 128 + the number of a signal
  std::map<int, thread_seen> threads{};
  std::vector<std::string> said{};  ///< by its runtimes: who binds their threads, and their notes
};

/// Runs it and looks at /proc every millisecond until it ends. Where it cannot be started that is told, and
/// the status is 127.
program_seen run_and_sample(const std::vector<std::string>& program, output to);

}  // namespace tools
