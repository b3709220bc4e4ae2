#pragma once
/// The tasks of a group: in which order, on which CU, and what became of them.

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/detail/region_pieces.hpp>
#include <yoke/runtime_engine.hpp>
#include <yoke/task_binder.hpp>
#include <yoke/task_group.hpp>

namespace yoke::detail {

/// Whose last writer is known as long as there is the token, or a task that names it.
struct token_state {
  std::mutex lock{};
  std::shared_ptr<struct task_record> writer{};
};

/// A use of an object or a token by what stays when its owner is moved or goes.
struct known_use {
  region_name object{};
  std::shared_ptr<token_state> order{};  ///< null for an object
  task_role as{};
  std::shared_ptr<struct task_record>
      previous{};  ///< of a token that it writes, while it has no CU: who wrote before

  bool is_object() const { return order == nullptr; }
  const void* key() const { return is_object() ? object.start : static_cast<const void*>(order.get()); }
};

/// A task that was told. What it has beside its end is given up then.
struct task_record {
  enum class stage { told, bound, over };

  std::weak_ptr<task_core> of{};
  std::string name{};
  std::uint64_t number = 0;  ///< in the order told
  std::vector<known_use> uses{};
  task_body body{};
  std::vector<std::shared_ptr<task_record>> after{};   ///< it fails where one of these has failed
  std::vector<std::shared_ptr<task_record>> behind{};  ///< these come first, and may fail
  scheduling::told_task id{};
  stage at = stage::told;
  unit_id unit{};
  int slot = 0;  ///< of the unit's queues
  ticks bound_at{};
  bool is_promised = false, is_cancelled = false;
  bool has_started = false;   ///< as the binder knows
  std::uint64_t seen_by = 0;  ///< whose predecessors have it already
  std::exception_ptr doom{};  ///< of a task of another group that it was to come after
  seconds ran = 0;            ///< 0: not measured
  flow::completion end{};
  std::exception_ptr error{};
};
using task_record_ptr = std::shared_ptr<task_record>;

/// Calls of placement wait for it on behalf of the tasks that use an object and have no CU.
struct object_promise : versions::mark {
  object_promise(versions::worker& by, std::string first) : mark{{this}, 1, &by}, task{std::move(first)} {}
  const std::string task;  ///< one of them
  bool is_kept = false;    ///< under the lock of the group
};

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
  bool is_in_work() const { return has_runtime() && engine_.get().is_in_work(); }
  const std::vector<unit_id>& units(unit_kind kind) const { return kind == unit_kind::cpu ? cpus_ : gpus_; }

 private:
  using guard = std::unique_lock<std::mutex>;
  /// The tasks that the next use of one object or token comes after.
  struct users {
    task_record_ptr writer{};
    std::vector<task_record_ptr> readers{};
    std::size_t n_live_readers = 0;             ///< when it was last looked at
    int n_open = 0;                             ///< tasks that use it and are not over
    int n_promised = 0;                         ///< of these, tasks that have no CU yet
    std::shared_ptr<object_promise> promise{};  ///< null where there are none
  };
  struct unit_state {
    std::array<bool, flow::runtime_engine::queues_of_unit> taken{};
    ticks last_over{};
  };

  bool has_runtime() const { return live_->load() > 0; }
  void refuse(std::string_view what) const;
  std::exception_ptr check(const told& next, const std::vector<unit_id>& on_queue) const;
  std::exception_ptr doom_by(const std::shared_ptr<task_record>& one, std::string_view name) const;
  std::exception_ptr error_of(const task_record_ptr& one);
  known_use known(const task_use& use) const;
  void find_predecessors(task_record& of, const std::vector<task>& after) const;
  std::vector<scheduling::told_task> open_before(const task_record& of) const;
  int kind_of(std::string_view name);
  void use_all(const task_record_ptr& one);
  void let_go(task_record& one);
  void promise(task_record& one);
  void give_tokens_back(const task_record_ptr& one);
  std::vector<flow::placed_argument> arguments_of(const task_record& one) const;
  bool is_of_another(const task_record& one, const std::exception_ptr& error) const;
  void keep_promise(task_record& one);
  void bind_what_can();
  void bind(const scheduling::task_binding& to);
  void start(task_record& one);
  void enqueue(const task_record_ptr& one);
  void fail_untold(const task_record_ptr& one, const std::exception_ptr& why);
  std::shared_ptr<const flow::plan> plan_of(const task_record_ptr& one);
  seconds time_of(const task_record& one, ticks now) const;
  void is_over_now(const task_record_ptr& one, const std::exception_ptr& error);
  void close(const task_record_ptr& one, const std::exception_ptr& error);
  void cancel_unbound();
  std::exception_ptr first_error() const;

  const std::shared_ptr<const std::atomic<int>>
      live_;  ///< 0 once the runtime has ended: nothing of it may be touched
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
  std::vector<unit_id> cpus_, gpus_;
  std::uint64_t n_told_ = 0;
  bool is_cancelled_ = false;
  std::vector<task_record_ptr> untold_;  ///< failed by themselves, and nobody has been told
};

}  // namespace yoke::detail
