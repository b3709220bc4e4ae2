#pragma once
/// What a runtime is made of.

#include "current_runtime.hpp"
#include "gpu_units.hpp"
#include "in_use.hpp"
#include "profile_store.hpp"
#include "resolved_settings.hpp"
#include "trace_tracks.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <yoke/detail/seat_holder.hpp>
#include <yoke/endings.hpp>
#include <yoke/output_file.hpp>
#include <yoke/runtime.hpp>

namespace yoke {

struct runtime::impl {
  sourced cus;
  sourced schedule;
  bool check = false;                               ///< YOKE_CHECK
  sourced trace_path;                               ///< empty: no trace
  std::optional<detail::output_file> trace_file;    ///< there
  bool is_trace_problem_told = false;               ///< by an error of write_trace
  std::shared_ptr<detail::profile_store> profiles;  ///< null: none are kept
  std::vector<setting_in_force> settings;
  std::vector<std::string> notes;
  std::atomic<int> loops_made{0};
  std::atomic<int> in_use{0};       ///< runs in progress: exit() in one of them ends the runtime under them
  bool has_measured_teams = false;  ///< see check_inner_teams; one run at a time
  // In this order: units own streams and regions own memory of the devices, so both go first; what runs on a
  // device until then writes to the trace.
  std::unique_ptr<detail::trace_tracks> trace;
  detail::gpu_units gpus;
  std::vector<device*> devices;
  std::unique_ptr<region_table> regions;
  std::unique_ptr<compute_units> units;
  std::optional<thread_binding> binding;
  std::optional<detail::claim> uses;
  std::mutex holder_lock;
  std::unique_ptr<detail::seat_holder> holder;                ///< under its lock; null: none yet
  std::atomic<detail::seat_holder*> asked_to_leave{nullptr};  ///< the same, for runs

  /// Whether threads are at work in it that its end would wait for, or that would go on without it.
  bool is_at_work() const { return detail::leaves_all() || in_use.load() > 0; }
  /// What is to be told of how the runtime came to be; `of_places` first. Opens the profile, too.
  void take_notes(const detail::resolved_settings& in, const std::string& of_places);
  void open_profile(const detail::resolved_settings& in);
  void open_trace(const detail::resolved_settings& in, const std::vector<place>& places);
  detail::current_parts parts(runtime& owner) const {
    return {&owner, units.get(), regions.get(), trace.get(), &check};
  }
  void each_unit(runtime& owner, const unit_body& body);
  /// Before the first run. Errors: config_error where OpenMP gives CUs fewer threads than they have CPUs.
  void check_inner_teams(const char* call);
  /// `work` of each CU on its thread of an outer team. Nothing may leave it but by return. `call` is for
  /// errors.
  template <class Work>
  void in_team(const char* call, const Work& work);
  /// Passes that are left and want another region.
  pass_id run_region(task_loop& loop, pass_id passes, const batch_body_with_pass& body,
                     const further_passes& further);
};

}  // namespace yoke
