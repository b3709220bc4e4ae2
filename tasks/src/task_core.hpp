#pragma once
/// The tasks of a group: in which order, on which CU, and what became of them.

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/runtime_engine.hpp>
#include <yoke/task_binder.hpp>
#include <yoke/task_group.hpp>

namespace yoke::detail {

/// A task that was told. What it has beside its end is given up then.
struct task_record {
  enum class stage { told, bound, over };

  std::weak_ptr<task_core> of{};
  std::string name{};
  std::uint64_t number = 0;  ///< in the order told
  std::vector<task_use> uses{};
  task_body body{};
  std::vector<std::shared_ptr<task_record>> after{};   ///< it fails where one of these has failed
  std::vector<std::shared_ptr<task_record>> behind{};  ///< these come first, and may fail
  scheduling::told_task id{};
  stage at = stage::told;
  unit_id unit{};
  int slot = 0;  ///< of the unit's queues
  ticks bound_at{};
  versions::mark_ptr promise{};  ///< that it will be bound; null where it was at once
  bool has_begun = false;
  seconds ran = 0;  ///< 0: not measured
  flow::completion end{};
  std::exception_ptr error{};
};
using task_record_ptr = std::shared_ptr<task_record>;

/// Thread-safe. Its lock is taken before those of regions and of the engine; nobody waits for a task with it.
class task_core final : public std::enable_shared_from_this<task_core>, public versions::worker {
 public:
  explicit task_core(runtime& rt);

  /// Binds nothing: `go_on` does.
  task_record_ptr tell(const told& next, const std::vector<unit_id>& on_queue);
  /// Binds and starts what can be; objects of `told` know of it, if that is not among this.
  void go_on(const task_record_ptr& told);
  /// Until a task has a CU. Errors: usage_error in a task or a parallel region.
  void await(const versions::mark_ptr& promise) override;
  void wait(const task_record_ptr& one);
  void wait();
  void cancel();
  /// Waits without a word, for the end of the group; the error that nobody has been told.
  std::exception_ptr end(bool cancels) noexcept;
  bool is_over(const task_record_ptr& one);
  bool is_free(unit_id unit);
  std::vector<unit_id> units(unit_kind kind) const;

 private:
  using guard = std::unique_lock<std::mutex>;
  /// The tasks that the next use of one object or token comes after.
  struct users {
    task_record_ptr writer{};
    std::vector<task_record_ptr> readers{};
    int n_open = 0;  ///< tasks that use it and are not over
  };
  struct unit_state {
    std::array<bool, flow::runtime_engine::queues_of_unit> taken{};
    ticks last_over{};
  };

  void refuse(std::string_view what) const;
  static const void* key_of(const task_use& use);
  void find_predecessors(task_record& of, const std::vector<task>& after) const;
  std::vector<scheduling::told_task> open_before(const task_record& of) const;
  void check(const told& next, const std::vector<unit_id>& on_queue) const;
  int kind_of(std::string_view name);
  void use_all(const task_record_ptr& one);
  void let_go(task_record& one);
  void promise(const task_record_ptr& one);
  void keep_promise(task_record& one);
  void bind_what_can();
  void bind(const scheduling::task_binding& to);
  void enqueue(const task_record_ptr& one);
  void fail_untold(const task_record_ptr& one, const std::exception_ptr& why);
  std::shared_ptr<const flow::plan> plan_of(const task_record_ptr& one) const;
  seconds time_of(const task_record& one, ticks now) const;
  void is_over_now(const task_record_ptr& one, const std::exception_ptr& error);
  void close(const task_record_ptr& one, const std::exception_ptr& error);
  void cancel_unbound();
  std::exception_ptr first_error() const;

  runtime& rt_;
  flow::runtime_engine& engine_;
  const ticks began_ = now();
  std::mutex lock_;
  std::condition_variable changed_;
  int n_waiting_ = 0;  ///< for one task, or until it is bound
  scheduling::task_binder binder_;
  std::unordered_map<std::uint64_t, task_record_ptr> open_;  ///< by their number in the binder
  std::unordered_map<const void*, users> users_;
  std::map<std::string, int, std::less<>> kinds_;
  std::vector<unit_state> units_;
  std::uint64_t n_told_ = 0;
  bool is_cancelled_ = false;
  std::vector<task_record_ptr> untold_;  ///< failed by themselves, and nobody has been told
};

}  // namespace yoke::detail
