// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Schedules by name.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/schedule_factory.hpp>

namespace yoke::scheduling {

/// All of the process: Yoke's own, then those that were registered. The texts stay.
std::vector<schedule_info> all();

/// From here on `make` knows one more. Thread-safe, as everything here. Errors: usage_error for a name that
/// is taken, empty, "help", or has a comma without a backslash before it, or for no factory.
void register_schedule(const schedule_info& info, schedule_factory factory);
inline void register_schedule(std::string_view name, schedule_factory factory) {
  register_schedule(schedule_info{.name = name}, std::move(factory));
}

/// Makes a schedule from "name{,option=value}", as in YOKE_SCHEDULE. `origin` begins the messages
/// ("YOKE_SCHEDULE"). Errors: config_error naming the value, what is wrong in it and what is accepted;
/// usage_error for a workload that is inconsistent (negative n_tasks, sizes that differ, weights and
/// bandwidths outside of 1e-200 to 1e200) or units that are none; out_of_memory where tasks of these bytes
/// cannot be dealt out to units of this memory; what a registered factory throws, usage_error where it gives
/// nothing.
std::unique_ptr<schedule> make(std::string_view spec, const workload& work, std::span<const unit> units,
                               std::string_view origin = "schedule");
/// What `make` checks of a workload, for whoever has a schedule by other means. Errors: usage_error, as make.
void check_workload(const workload& work);
/// Checks `spec` alone, without a workload.
void check(std::string_view spec, std::string_view origin = "schedule");

/// Of loops for which neither the program nor YOKE_SCHEDULE names one.
inline constexpr std::string_view default_schedule = "auto";

}  // namespace yoke::scheduling
