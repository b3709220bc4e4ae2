// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The files in which runtimes keep what their schedules have learnt: what they hold, and how to forget it.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <yoke/profile.hpp>
#include <yoke/settings.hpp>

namespace yoke {

/// What speeds depend on. Other machines, builds and work have entries of their own.
struct profile_key {
  std::string machine{};  ///< CPUs, GPUs, driver
  std::string build{};    ///< of the program
  std::string program{};
  std::string work{};  ///< its name, size and weights
  std::string schedule{};
  std::string cus{};
  friend bool operator==(const profile_key&, const profile_key&) = default;
};

/// One run, and when it ended: seconds since 1970.
struct kept_run {
  double when = 0;
  profile learnt;
};

/// What is kept of one key.
struct profile_entry {
  profile_key key;
  std::vector<kept_run> runs;  ///< the newest first
};

/// The file of a runtime that is given `place` (an option, or YOKE_PROFILE), by default that in the user's
/// cache folder; nullopt: none is kept. Errors: config_error for an empty path.
std::optional<std::string> profile_file(const std::optional<sourced>& place);

/// All entries, the one that was used last first; none where there is no file. Errors: config_error for a
/// file that cannot be read or is no profile.
std::vector<profile_entry> kept_profiles(const std::string& file);

/// A sentence about entries that cannot be read; empty where there are none. They stay in the file as they
/// are. Errors: as kept_profiles.
std::string damage_of_profiles(const std::string& file);

/// Removes the entries for which `goes` is true, under the lock that runtimes take, and says how many. A
/// program that runs meanwhile keeps what it learns. An entry that cannot be read has what of its key can,
/// and no runs. Errors: as kept_profiles, and for a file that cannot be written; it is then as it was.
std::size_t forget_profiles(const std::string& file, const std::function<bool(const profile_entry&)>& goes);

}  // namespace yoke
