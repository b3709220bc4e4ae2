#pragma once
/// What Yoke has set in the environment, told apart from what the user has: also after the library was
/// unloaded and loaded again, and in programs that such a process starts. The environment itself remembers.

#include <optional>
#include <string>
#include <vector>

namespace yoke::detail {

/// Whether `variable` has a value other than one that Yoke gave it, in this process or in one before it.
bool is_set_by_user(const char* variable);
/// Gives `variable` a value unless the user has.
void set_as_yoke(const char* variable, const std::string& value);

/// The CPUs that this process had when Yoke first set variables in it, where the calling thread has been
/// bound to a place since. nullopt where Yoke has not, or something else has narrowed the thread's CPUs.
std::optional<std::vector<int>> cpus_before_binding();

/// Writes lines where `yoke check` reads them, in whose child this process runs; does nothing elsewhere.
void tell_checker(const std::vector<std::string>& lines);
/// From here on children of this process tell such lines to `file`.
void listen_to_children(const std::string& file);

}  // namespace yoke::detail
