#pragma once
/// Schedules by name.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// One schedule of the list, for --help and messages.
struct schedule_info {
  std::string_view name;
  std::string_view options;  ///< "chunk=k, gpu_chunk=k"
  std::string_view rule;     ///< one sentence
};
std::span<const schedule_info> all();

/// Makes a schedule from "name{,option=value}", as in YOKE_SCHEDULE. `origin` begins the messages
/// ("YOKE_SCHEDULE"). Errors: config_error naming the value, what is wrong in it and what is accepted;
/// usage_error for a workload that is inconsistent (negative n_tasks, sizes that differ, weights <= 0 or not
/// finite) or units that are none; out_of_memory where tasks of these bytes cannot be dealt out to units of
/// this memory.
std::unique_ptr<schedule> make(std::string_view spec, const workload& work, std::span<const unit> units,
                               std::string_view origin = "schedule");
/// Checks `spec` alone, without a workload.
void check(std::string_view spec, std::string_view origin = "schedule");

inline constexpr std::string_view default_schedule = "auto";

}  // namespace yoke::scheduling
