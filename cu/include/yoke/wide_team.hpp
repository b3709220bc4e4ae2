// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CPUs of several CPU CUs as those of one.

#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke {

/// While it lives, parallel regions that the calling thread of a CPU CU opens have a thread on each of `cpus`
/// by default, its own among them; then on `own` again, as before. Nobody else uses the others meanwhile.
/// Cost: two parallel regions, in which each thread is moved by a system call. Errors: none; where the system
/// refuses a move the thread stays where it is.
class wide_team {
 public:
  wide_team(std::vector<int> cpus, std::vector<int> own);
  ~wide_team();
  wide_team(const wide_team&) = delete;
  wide_team& operator=(const wide_team&) = delete;

 private:
  const std::vector<int> cpus_, own_;
};

}  // namespace yoke
