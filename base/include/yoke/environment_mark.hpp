// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What Yoke has set in the environment, told apart from what the user has: also after the library was
/// unloaded and loaded again, and in programs that such a process starts. The environment itself remembers.

#include <optional>
#include <string>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// Whether `variable` has a value other than one that Yoke gave it, in this process or in one before it.
bool is_set_by_user(const char* variable);
/// Gives `variable` a value unless the user has.
void set_as_yoke(const char* variable, const std::string& value);

/// Threads of this process are bound to places that Yoke has set: what they start has their CPUs.
void mark_bound_threads();

/// CPUs from before a thread was bound to a place.
struct earlier_cpus {
  std::vector<int> cpus;   ///< the system's numbers
  bool by_parent = false;  ///< they are those of the process that has started this one
};
/// The CPUs that this process had when Yoke first set variables in it, where the calling thread has been
/// bound to a place since; or those of the process that has started it, itself or by a shell, from a bound
/// thread. nullopt where neither is so, or something else has narrowed the thread's CPUs.
std::optional<earlier_cpus> cpus_before_binding();
/// Gives the calling thread the CPUs of the process, once, where a bound thread of its parent has started it:
/// before libomp starts, which takes this thread's for those of the process.
void leave_place_of_parent();

/// Writes lines where `yoke check` reads them, in whose child this process runs; does nothing elsewhere.
void tell_checker(const std::vector<std::string>& lines);
/// From here on children of this process tell such lines to `file`, which is there: a regular one of this
/// user's, in a folder that nobody else can write.
void listen_to_children(const std::string& file);

}  // namespace yoke::detail
