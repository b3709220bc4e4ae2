#pragma once
/// What a task_loop is made of.

#include "crew.hpp"
#include "loop_account.hpp"
#include "loop_protocol.hpp"
#include "profile_store.hpp"

#include <atomic>
#include <functional>
#include <memory>

#include <yoke/compute_units.hpp>
#include <yoke/openmp.hpp>
#include <yoke/task_loop.hpp>

namespace yoke {

struct task_loop::parts {
  parts(const compute_units& units, std::unique_ptr<schedule> plan, workload work);

  /// Of a loop that may have been moved from (null). Errors: usage_error, which names the call, there and
  /// where the runtime has ended.
  static parts& usable(const std::unique_ptr<parts>& of, const char* call);
  /// The state of the calling CU. Errors: as usable, and where the thread belongs to no CU.
  static detail::unit_state& mine(const std::unique_ptr<parts>& of) {
    const int thread = openmp::outer_thread();
    if (of == nullptr || thread >= of->n_units->load(std::memory_order_relaxed)) [[unlikely]]
      return mine_or_error(of);
    return of->protocol.state_of(thread);
  }
  static detail::unit_state& mine_or_error(const std::unique_ptr<parts>& of);

  detail::task_record& record_of(task_id task, const char* call) const;
  unit_id checked(unit_id unit, const char* call) const;
  /// From here on what the schedule gives is checked, see YOKE_CHECK.
  void check_schedule();
  /// A schedule that learns begins with what earlier runs have learnt, and what it learns is kept.
  void remember(std::shared_ptr<detail::profile_store> in, std::string_view schedule,
                std::span<const unit> of);
  void stop() noexcept;

  const compute_units& units;
  std::shared_ptr<const std::atomic<int>> n_units;  ///< 0: the units have ended
  const workload work;
  const std::unique_ptr<schedule> plan;
  std::unique_ptr<schedule> checking;  ///< null, or what checks the plan
  detail::loop_account account;
  detail::loop_protocol protocol;
  detail::crew crew;
  std::function<void()> wake;
  std::atomic<int> runs{0};  ///< in progress: exit() in one of them ends a static loop under its threads
  std::unique_ptr<detail::loop_profile> remembering;  ///< null: nobody does; ends before the plan
};

}  // namespace yoke
