#pragma once
/// The profiles of one runtime: what earlier runs have learnt, and what this one learns.

#include "profile_file.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include <yoke/learner.hpp>
#include <yoke/schedule.hpp>
#include <yoke/settings.hpp>

namespace yoke::detail {

class loop_protocol;

/// Errors: config_error for an empty path.
void check_profile(const sourced& place);
/// Where the profile is kept: `none`, a file, or by default profiles.json in the user's cache folder;
/// nullopt: nowhere. `place` becomes what is in force. Errors: as check_profile.
std::optional<profile_path> find_profile(sourced& place);

/// Thread-safe.
class profile_store {
 public:
  /// `common`: what all loops have in common (machine, build, program, configuration).
  profile_store(profile_path file, profile_key common);
  /// Writes what was kept; says so in one line on stderr where that fails.
  ~profile_store();
  profile_store(const profile_store&) = delete;
  profile_store& operator=(const profile_store&) = delete;

  /// One line where the file is of no use; else empty.
  const std::string& note() const { return note_; }
  /// The key of a loop that begins: loops of equal work are told apart by their order.
  profile_key key_of(const workload& work, std::string_view schedule);
  /// What earlier runs have learnt.
  profile earlier(const profile_key& key, const workload& work, std::span<const unit> units) const;
  void keep(const profile_key& key, profile learnt);

 private:
  profile_path file_;
  profile_key common_;
  std::string note_;
  bool is_kept_ = true;  ///< not in a file of the user's that is no profile
  profile_book book_;
  std::mutex lock_;  ///< of what follows
  std::map<std::string, int> loops_;
  std::vector<std::pair<profile_key, kept_run>> learnt_;
};

/// Gives what a loop's schedule has learnt to the store when the loop ends, unless a run of it has failed.
class loop_profile {
 public:
  /// Both must outlive it.
  loop_profile(std::shared_ptr<profile_store> store, profile_key key, const learner& of,
               const loop_protocol& protocol);
  ~loop_profile();
  loop_profile(const loop_profile&) = delete;
  loop_profile& operator=(const loop_profile&) = delete;

 private:
  std::shared_ptr<profile_store> store_;
  profile_key key_;
  const learner& of_;
  const loop_protocol& protocol_;
};

}  // namespace yoke::detail
