#pragma once
/// The tasks of a group: in which order, on which CU, and what became of them.

#include "agent_threads.hpp"
#include "late_tasks.hpp"
#include "recorded_tasks.hpp"
#include "task_record.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <yoke/detail/spin.hpp>

namespace yoke::detail {

/// So that the end of a group on this thread, in a task or an agent, is known for that of the program.
void watch_end_of_thread();

/// What tasks are bound to.
scheduling::task_machine machine_of(runtime& rt);

/// Thread-safe. Its lock is taken before those of regions and of the engine; nobody waits for a task with it.
class task_core final : public std::enable_shared_from_this<task_core>, public versions::worker {
 public:
  explicit task_core(runtime& rt);
  static std::shared_ptr<task_core> of(runtime& rt);  ///< one, with its records

  task_record_ptr named(std::string_view name);
  /// Binds and starts what can be; objects of it know of it, if that is not among this.
  task_record_ptr tell(told&& next, const std::vector<unit_id>& on_queue,
                       record_kind kind = record_kind::task);
  // Of recordings.
  void begin_record(const std::shared_ptr<recorded_tasks>& into);
  static void end_record() noexcept;
  task_record_ptr replay(const std::shared_ptr<recorded_tasks>& all);
  bool is_planned(const recorded_tasks& all);

  /// Null, and nothing is told, where no CU of its list has room.
  task_record_ptr tell_where_free(told&& next, const std::vector<unit_id>& on_queue);
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
  /// Whether the calling thread is at the end of a task, or runs an agent.
  bool is_inside() const { return ends_task_of == this || agent_here() != nullptr; }
  /// Errors: usage_error where the runtime has ended.
  region_table& memory(std::string_view name) const;
  const std::vector<unit_id>& units(unit_kind kind) const { return kind == unit_kind::cpu ? cpus_ : gpus_; }

  // Of agents, on their threads.
  void wait_all(const task_record_ptr& agent);
  bool meet(const task_record_ptr& agent, const task_record_ptr& other);
  task_record_ptr fetch_for(const task_record_ptr& agent, const task_use& use);
  void give_back(const task_record_ptr& access) noexcept;

 private:
  using stage = task_record::stage;
  /// The lock. Bodies of what is over go when it has been given back: they may own anything.
  class guard {
   public:
    explicit guard(task_core& of) : lock{of.lock_, std::defer_lock}, of_{of} { lock_soon(lock); }
    ~guard() {
      if (!lock.owns_lock()) return;
      if (of_.gone_.empty()) return;
      const std::vector<task_record_ptr> gone = std::exchange(of_.gone_, {});
      lock.unlock();
      for (const task_record_ptr& each : gone) {
        each->body = {};
        if (each->agent != nullptr) each->agent->body = {};
      }
    }
    guard(const guard&) = delete;
    guard& operator=(const guard&) = delete;

    std::unique_lock<std::mutex> lock;

   private:
    task_core& of_;
  };
  struct unit_state {
    std::array<bool, flow::runtime_engine::queues_of_unit> taken{};
    ticks last_over{};
    seat_streak* streak = nullptr;  ///< that may be given the next task
  };
  static inline thread_local record_on_thread this_record{};
  static inline thread_local agent_on_thread this_agent{};
  static inline thread_local const task_core* ends_task_of = nullptr;

  bool has_runtime() const { return live_->load() > 0; }
  /// The agent of this group that the calling thread runs; null where it runs none.
  task_record_ptr agent_here() const { return this_agent.of == this ? this_agent.self : nullptr; }
  void refuse(std::string_view who, std::string_view what) const;

  // What is told.
  std::exception_ptr check(const told& next, const std::vector<unit_id>& on_queue);
  void check_bound(const told& next);
  [[noreturn]] static void refuse_recorded(const std::string& what);
  std::exception_ptr doom_by(const task_record_ptr& one, std::string_view name) const;
  std::exception_ptr error_of(const task_record_ptr& one);
  task_record_ptr record_for(const told& next) const;
  void add(const task_record_ptr& made);
  /// What is told beside: of try_run, and of a recording, whose objects are known.
  struct told_beside {
    bool where_free = false;
    std::vector<known_use> uses{};
    std::shared_ptr<recorded_tasks> recording{};
  };
  task_record_ptr tell(told&& next, const std::vector<unit_id>& on_queue, record_kind kind,
                       const told_beside& beside);
  /// The same, and what is found out before the lock.
  struct known_beside {
    record_kind kind;
    task_record_ptr by;
    std::vector<unit_id> on;
    few<known_use, 1> uses;
    std::shared_ptr<recorded_tasks> recording;
    std::exception_ptr doom;
  };
  void fill(task_record& made, told& next, known_beside& beside);
  void take_in(const task_record_ptr& made, told& next, known_beside& beside);
  task_record_ptr new_record() const {
    return std::allocate_shared<task_record>(record_allocator<task_record>{*records_});
  }
  void add_known(few<known_use, 1>& all, const told& next, record_kind kind, const told_beside& beside,
                 const task_record* by);
  std::vector<unit_id> units_of(const told& next, const std::vector<unit_id>& on_queue,
                                const task_record* by) const;
  std::vector<unit_id> units_with_form(const told& next, std::vector<unit_id> on) const;
  void check_cpus(const told& next, const std::vector<unit_id>& on) const;
  static void check_role(const told& next, const task_use& use, record_kind kind);

  // What comes after what.
  known_use known(const task_use& use, const task_record* by, std::string_view name);
  std::string name_of(const known_use& use);
  users_by_key& users_for(const known_use& use, const task_record* by, std::string_view name);
  object_users& users_of(users_by_key& among, const void* key);
  void find_predecessors(task_record& of, const std::vector<task>& after);
  void find_users(task_record& of, known_use& use, const object_users& users);
  bool goes_before(task_record& of, const task_record_ptr& user);
  void find_token_writer(task_record& of, const known_use& use) const;
  static bool is_in_binder(const task_record& one) {
    return !one.is_over() && one.id != scheduling::told_task{};
  }
  static bool has_open_before(const task_record& of);
  void use_all(const task_record_ptr& one);
  void let_go(task_record& one);
  void give_tokens_back(const task_record_ptr& one);
  void break_tokens(const task_record_ptr& one);
  static bool holds(const task_record& first, const task_record& next);
  void hold(const task_record_ptr& next);
  void has_passed(task_record& one);

  // Recordings.
  task_record_ptr list(told next, const std::vector<unit_id>& on_queue, record_kind kind, bool where_free);
  void check_listed(const told& next, record_kind kind, bool where_free) const;
  static void list_use(recorded_tasks& into, listed_task& made, const known_use& use);
  task_record_ptr replay_one_by_one(const recorded_tasks& all);
  void make_plan(recorded_tasks& all);
  std::vector<std::vector<seconds>> times_of(const std::vector<int>& kinds) const;
  planned_step step_for(const recorded_tasks& all, int task, unit_id on, std::vector<int>& n_on_unit);
  bool may_run_on_any_seat(const recorded_tasks& all) const;
  void compile(recorded_tasks& all) const;
  bool start_on_seats(const task_record_ptr& one, const std::vector<flow::completion>& after,
                      const std::vector<flow::completion>& behind);
  void end_on_seats(const task_record_ptr& one, const std::shared_ptr<replay_run>& run,
                    flow::shared_use* objects, const std::vector<flow::completion>& after);
  void part_is_over(const task_record_ptr& one, const replay_run& run, const std::exception_ptr& error);
  void start_steps(const task_record_ptr& one);
  void start_step(const task_record_ptr& one, const planned_step& step,
                  const std::vector<flow::completion>& after_all,
                  const std::vector<flow::completion>& behind_all);
  void step_is_over(const task_record_ptr& one, int task, const std::exception_ptr& error);

  // What has no CU.
  void promise(task_record& one);
  void keep_promise(task_record& one);
  void end_promise(object_users& of);
  std::vector<task_record_ptr> promised_by(const object_promise& which) const;

  // What gets one.
  void bind_what_can(ticks at = 0);  ///< now, where that is known
  void bind_and_start(guard& locked);
  void release(const task_record_ptr& one);
  void tell_binder(const task_record_ptr& one);
  void join(const task_record_ptr& one);
  std::vector<unit_id> units_where_present(const task_record& one);
  std::string memory_name(space_id memory) const;
  bool has_room(const std::vector<unit_id>& on) const;
  void fetch(const task_record_ptr& one);
  int kind_of(std::string_view name);
  void bind(const scheduling::task_binding& to, ticks at);
  void start(task_record& one, ticks at);
  void enqueue(const task_record_ptr& one);
  void before_of(const task_record& one, std::vector<flow::completion>& after,
                 std::vector<flow::completion>& behind) const;
  static std::vector<flow::placed_argument> arguments_of(std::span<const known_use> uses);
  void fail_untold(const task_record_ptr& one, const std::exception_ptr& why);
  flow::completion tell_failure(const std::string& name, const std::exception_ptr& why,
                                std::span<const flow::placed_argument> arguments,
                                std::span<const flow::completion> behind,
                                const std::function<void(const std::exception_ptr&)>& when_over);
  std::shared_ptr<const flow::plan> plan_of(const task_record_ptr& one);
  void run(task_record& one, const flow::site& at);
  static bool may_have_streak(const task_record& one);
  void begin_streak(const task_record_ptr& one, const flow::order& where);
  bool may_go_on_in(const seat_streak& streak, const task_record& next) const;
  bool give_to_streak(const task_record_ptr& one);
  bool goes_on(seat_streak& streak, const std::atomic<bool>& is_awaited);
  bool waits_for_more(seat_streak& streak, unit_state& unit, bool may_come);
  void end_streak(seat_streak& streak, unit_id on, const std::exception_ptr& error);
  void run_body(task_record& one, const flow::site& at);
  void gather_units(task_record& one, std::span<const unit_id> units);
  void hold_other_units(const task_record& one, std::span<const flow::completion> after,
                        std::span<const flow::completion> behind);

  // What is over.
  seconds time_of(const task_record& one, ticks now) const;
  void is_over_now(const task_record_ptr& one, const std::exception_ptr& error);
  void end_body(const task_record_ptr& one, const std::exception_ptr& error, task_remains& remains);
  void free_unit_of(const task_record& one, bool has_failed);
  bool is_of_another(const task_record& one, const std::exception_ptr& error) const;
  void close(const task_record_ptr& one, const std::exception_ptr& error, task_remains* remains = nullptr);
  void cancel_unbound();
  std::exception_ptr first_error() const;

  // Agents.
  void has_fetched(const task_record_ptr& one, const std::exception_ptr& error);
  void run_agent(const task_record_ptr& one) noexcept;
  void leave(const task_record_ptr& one, std::exception_ptr error);
  std::exception_ptr take_error_of(const task_record_ptr& agent);
  bool is_partner_gone(const task_record& other) const;

  // Waiting.
  void block(guard& locked, const std::vector<task_record_ptr>& what, const std::function<bool()>& may_go_on);
  void sleep(guard& locked, const std::function<bool()>& may_go_on);
  void wait_for_all(guard& locked);
  std::vector<task_record_ptr> open_of(const task_record_ptr& agent) const;
  void wake() { changed_.notify_all(); }
  /// The members of a circle of what waits for each other, from `one` on; none where there is none.
  std::vector<task_record_ptr> circle_of(const task_record_ptr& one) const;
  static std::string in_words(const std::vector<task_record_ptr>& circle);
  void break_circle(const std::vector<task_record_ptr>& circle);
  static std::vector<task_record_ptr> waited_for_by(const task_record& one);
  void refuse_circle(const task_record_ptr& one) const;
  bool is_stuck() const;
  void fail_flags_where_stuck();

  const std::shared_ptr<const std::atomic<int>>
      live_;  ///< 0 once the runtime has ended: nothing of it may be touched
  runtime& rt_;
  flow::runtime_engine& engine_;
  const ticks began_ = now();
  const bool has_devices_;  ///< so that the binder has to know where objects are
  std::mutex lock_;
  std::condition_variable changed_;
  int n_waiting_ = 0;  ///< for one task, or until it is bound
  scheduling::task_binder binder_;
  const std::unique_ptr<record_pool, record_pool::leave> records_{new record_pool};
  std::vector<scheduling::told_task> after_;       ///< of what the binder is told
  std::vector<scheduling::piece_use> piece_uses_;  ///< the same
  std::vector<task_record_ptr> open_;              ///< what is not over
  std::vector<task_record_ptr> freed_;             ///< held by nothing any more
  std::vector<task_record_ptr> goes_before_;       ///< these, what is being told
  std::vector<task_record_ptr> gone_;              ///< whose bodies are to go
  users_by_key users_;
  users_by_key::node_type spare_;  ///< was of an object that nobody uses any more
  ticks last_over_{};              ///< when a task on a unit was
  std::map<std::string, int, std::less<>> kinds_;
  const std::pair<const std::string, int>* last_kind_ = nullptr;  ///< of these, that was asked for
  std::vector<unit_state> units_;
  std::vector<unit_id> cpus_, gpus_;
  std::uint64_t n_told_ = 0;
  std::size_t n_held_ = 0, n_blocked_ = 0, n_accesses_ = 0;  ///< of open_: held, agents that wait, accesses
  int n_agents_running_ = 0, n_waiting_for_all_ = 0;
  bool is_cancelled_ = false, has_ended_ = false;
  std::vector<task_record_ptr> untold_;  ///< failed by themselves, and nobody has been told
  late_tasks late_;
  agent_threads threads_;  ///< ends first
};

}  // namespace yoke::detail
