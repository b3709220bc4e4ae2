#pragma once
/// A recording that CPU CUs run by themselves: compiled once, and run as one piece of work of each seat.

#include "task_record.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include <yoke/runtime_engine.hpp>

namespace yoke::detail {

/// Its tasks by seat, each seat's in the order of the plan.
struct seat_plan {
  struct step {
    int task = 0;  ///< its place in the recording
    const task_body* body = nullptr;
    std::uint32_t first_use = 0, end_use = 0;
    std::uint32_t first_next = 0, end_next = 0;    ///< in `next`
    std::uint32_t first_cause = 0, end_cause = 0;  ///< in `causes`
    int n_before = 0;                              ///< that it comes after, of other seats
  };
  struct use {
    std::uint32_t object = 0;
    task_role as{};
  };
  struct list {
    unit_id unit{};
    std::uint32_t first = 0, end = 0;
  };

  std::vector<step> steps{};
  std::vector<list> lists{};  ///< none: the recording is not one of these
  std::vector<use> uses{};
  std::vector<std::uint32_t> next{};    ///< steps of other seats that come after one
  std::vector<std::uint32_t> causes{};  ///< steps whose failure is that of one
  std::vector<flow::placed_argument> objects{};
};

/// One replay. A seat does its list, then one that nobody has begun; where it waits for such a one for longer
/// than a seat takes to come, it does that meanwhile. So the first task that is not over can always run, on a
/// seat that has begun, and nobody waits for a seat that has other work.
class replay_run {
 public:
  replay_run(const seat_plan& of, std::shared_ptr<void> owner, std::vector<flow::shared_use::state> objects);

  /// On the thread of a seat. `memory`, of the objects' versions, says what came before.
  void work(std::size_t list, const compute_unit& unit, shared_table& memory);

  // When all seats have worked.
  /// With which whoever reads the object fails; null where it is whole.
  std::exception_ptr error_of(std::size_t object) const;
  /// Of the first task, in the order recorded, that has failed.
  std::exception_ptr first_error() const { return first_error_; }
  /// False where no seat could work.
  bool has_run() const;

 private:
  struct list_state {
    std::atomic<bool> is_taken{false};
    std::uint32_t at = 0;
  };

  void note_what_came_before(shared_table& memory);
  bool take(std::size_t list, std::vector<std::size_t>& own);
  bool take_any(std::vector<std::size_t>& own);
  bool is_ready(const seat_plan::step& step, std::uint32_t at) const;
  bool do_list(std::size_t list, task_context& me);
  bool has_ready(const std::vector<std::size_t>& own) const;
  void wait_for_others(std::vector<std::size_t>& own);
  void run(std::uint32_t at, task_context& me);
  std::exception_ptr cause_of(const seat_plan::step& step) const;
  void fail(std::uint32_t at, const std::exception_ptr& error);
  void write_all(const seat_plan::step& step, const std::exception_ptr& error);
  void is_done(const seat_plan::step& step);

  const seat_plan& of_;
  const std::shared_ptr<void> owner_;
  std::vector<list_state> lists_;
  std::vector<std::atomic<int>> n_left_;  ///< by step: that it comes after, of other seats
  std::vector<void*> addresses_;          ///< by use
  std::vector<flow::shared_use::state> objects_;
  std::once_flag is_begun_;
  std::atomic<bool> has_failed_{false};  ///< no errors are looked at before
  std::vector<std::exception_ptr> errors_;
  std::mutex lock_;  ///< of the first error
  int first_failed_ = 0;
  std::exception_ptr first_error_{};
  std::atomic<int> n_asleep_{0};
  std::atomic<std::uint32_t> n_changes_{0};
};

}  // namespace yoke::detail
