// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The home of OpenMP's own entry points (omp_…) and of the variables that libomp reads at its first entry.

#include <string>
#include <vector>

#include <yoke/places.hpp>
#include <yoke/settings.hpp>

namespace yoke::openmp {

/// Thread number in the outer team, from any depth of nesting; 0 outside of a parallel region.
int outer_thread() noexcept;
/// Whether the caller is in a parallel region, of a team of one too. Starts libomp.
bool in_region() noexcept;

/// While it lives, outer_thread and in_region on this thread, one of the outer team, answer without asking
/// libomp, which takes 12 ns, ten times a task. Threads of inner teams have no such object and ask: they
/// change hands.
class outer_region {
 public:
  explicit outer_region(int outer_thread) noexcept;
  ~outer_region();
  outer_region(const outer_region&) = delete;
  outer_region& operator=(const outer_region&) = delete;
};
/// Nesting level of the caller. Starts libomp.
int level() noexcept;
/// The places that libomp really has. Starts libomp.
std::vector<place> places_in_force();
/// OMP_PROC_BIND as libomp has it: "close,master", "false", … Starts libomp.
std::string binding_in_force();

/// Threads of the innermost team; 1 outside of a parallel region.
int team_size() noexcept;

/// Nested active levels that libomp allows: 1 makes inner teams run alone. Starts libomp.
int max_active_levels();
/// Threads that libomp allows in all. Starts libomp.
int thread_limit();
/// Why teams have fewer threads than `wanted` in all and what to do about it, as libomp has it now. Starts
/// libomp.
std::string why_team_is_small(int wanted);
/// The variables that limit the threads of all teams, and how one of them does, as it was set: "allows 1";
/// empty where it leaves `wanted`.
inline constexpr const char* limiting_variables[] = {"OMP_THREAD_LIMIT", "KMP_DEVICE_THREAD_LIMIT",
                                                     "KMP_ALL_THREADS", "KMP_LIBRARY"};
std::string how_it_limits(const sourced& variable, int wanted);
/// The first of the environment that does: "KMP_LIBRARY=serial makes each team one thread"; else empty.
std::string limit_in_environment(int wanted);

/// Errors: config_error for a variable that the user has set to what libomp would not survive, or that makes
/// it ignore places. Has a use only before libomp starts.
void check_variables();
/// One of them, by the name that is its origin, whoever set it. Errors: the same. Nothing is wrong with a
/// variable that is not among checked_variables().
void check_variable(const sourced& value);
std::vector<std::string> checked_variables();

/// Inner teams keep their threads from one region to the next, as KMP_HOT_TEAMS_MAX_LEVEL=2 says in the
/// environment: also where libomp has read that before. No effect after the first parallel region, or where
/// the user has set the variable. Starts libomp.
void keep_inner_teams();

/// Regions that the calling thread opens without num_threads have so many threads, until the region ends that
/// it is in itself; libraries that ask omp_get_max_threads take as many. Starts libomp.
void set_team_size(int threads);

/// Behind the region that the calling thread is in it sleeps after a millisecond, where libomp's threads spin
/// for a fifth of a second. Not the first thread of the team, and not where somebody has set another time, as
/// KMP_BLOCKTIME does. For who had nothing to do: where all CPUs of a virtual machine spin, its host takes
/// some of them away, also those that feed GPUs.
void rest_behind_region();

/// Regions that the calling thread opens from here on may be nested `levels` deep at least. Starts libomp.
void allow_levels(int levels);
/// While it lives, teams that the calling thread opens have as many threads as they ask for, as far as limits
/// go, and may be nested `levels` deep, whatever the program has set.
class exact_teams {
 public:
  explicit exact_teams(int levels);
  ~exact_teams();
  exact_teams(const exact_teams&) = delete;
  exact_teams& operator=(const exact_teams&) = delete;

 private:
  int levels_before_;
  int dynamic_before_;
};

/// Whether the user, not Yoke, has set this variable.
bool is_set_by_user(const char* variable);
/// Takes away what a killed process of this one's number has left in /dev/shm unwritten: libomp would not
/// survive it. Has an effect only before libomp starts.
void forget_dead_namesake() noexcept;
/// KMP_HOT_TEAMS_MAX_LEVEL=2 where the user has not set it. Has an effect only before libomp starts.
void set_hot_teams();
/// Sets OMP_PLACES, OMP_PROC_BIND=close,master and hot teams. What the user has set is left alone: their
/// OMP_PLACES keeps OMP_PROC_BIND as it is, too. What Yoke itself set before is
/// replaced. Has an effect only before libomp starts.
void set_environment(const std::vector<place>& places);

}  // namespace yoke::openmp
