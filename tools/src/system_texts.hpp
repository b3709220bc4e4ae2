#pragma once
/// What the files of /proc and /sys say of a process and its surroundings.

#include "surroundings.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tools {

/// Of a file of the system; empty where it cannot be read.
std::string contents_of(const std::filesystem::path& file);

// The rest is read from texts alone.

/// Letters of ASCII in lower case, whatever the locale.
std::string lower(std::string text);

/// CPUs by "quota period" of cpu.max; nothing where it says "max" or something else.
std::optional<double> quota_in(const std::string& cpu_max);

/// The group of version 2 in /proc/self/cgroup, relative to the folder where all groups are mounted.
std::filesystem::path own_group_in(const std::string& cgroup);

/// The word in brackets of "always [madvise] never"; empty without one.
std::string chosen_in(const std::string& words);

/// The texts of a folder /proc/PID.
struct process_texts {
  std::string comm{}, variables{}, status{};

  /// Its first line.
  std::string name() const;
  /// Whether its first environment names compute units.
  bool is_of_yoke() const;
  /// The CPUs it may use; none where the status does not tell.
  std::vector<int> cpus() const;
};

/// A whole number without a sign; 0: it is none.
int pid_in(const std::string& folder_name);

/// A thread by its /proc/PID/task/TID/stat.
struct thread_stat {
  std::string name{};
  bool is_running = false;
  int cpu = 0;  ///< that it is on, or was last
};
/// Nothing where the text is cut off or damaged.
std::optional<thread_stat> thread_stat_in(const std::string& stat);
/// What stands behind "Cpus_allowed_list:" in a status; empty where nothing does.
std::string allowed_list_in(const std::string& status);

/// The whole number above 0 that a text begins with; 0 for anything else. Slurm writes "4(x2)", of which the
/// first is meant.
int leading_number_in(const std::string& text);

}  // namespace tools
