#pragma once
/// What a group knows of tasks, agents and objects.

#include "few.hpp"
#include "record_pool.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
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

struct recorded_tasks;
struct task_record;
using task_record_ptr = std::shared_ptr<task_record>;

/// Whose last writer is known as long as there is the token, or a task that names it.
struct token_state {
  std::mutex lock{};
  task_record_ptr writer{};
};

struct object_users;

/// Calls of placement wait for it on behalf of the tasks that use an object and have no CU. Where nobody
/// waits it stays as long as tasks use the object: to make one for each would cost more than they do.
struct object_promise : versions::mark {
  object_promise(versions::worker& by, std::string first) : mark{{this}, 1, &by}, task{std::move(first)} {}
  const std::string task;  ///< one of them
  // Under the lock of the group:
  object_users* of = nullptr;
  bool is_kept = false, is_awaited = false;
};

/// The tasks that the next use of one object or token comes after.
struct object_users {
  task_record_ptr writer{};
  std::vector<task_record_ptr> commuters{};  ///< in its place
  std::vector<task_record_ptr> before{};     ///< what each of these comes after
  task_record_ptr last_commuter{};           ///< of a token: that got a CU last
  std::vector<task_record_ptr> readers{};
  std::size_t n_live_readers = 0;             ///< when it was last looked at
  int n_open = 0;                             ///< tasks that use it and are not over
  int n_promised = 0;                         ///< of these, tasks that have no CU yet
  std::shared_ptr<object_promise> promise{};  ///< null where there are none

  /// Whether one that commutes now comes after what those before it come after.
  bool joins_commuters() const { return !commuters.empty() && readers.empty(); }
  void add_reader(const task_record_ptr& one);
  void add_commuter(const task_record_ptr& one);
  void set_writer(const task_record_ptr& one);
  /// For another object. Keeps its memory.
  void reset();
};
/// Whether one waits for the end of the agent, or of one that told of it: so does it for all tasks of that.
bool comes_behind(const task_record& one, const task_record* agent);
/// By object or token: of the group, or of what an agent has, for its own tasks.
using users_by_key = std::unordered_map<const void*, object_users>;

/// A use of an object or a token by what stays when its owner is moved or goes.
struct known_use {
  region_name object{};
  std::shared_ptr<token_state> order{};  ///< null for an object
  task_role as{};
  bool is_present = false;
  bool is_early = false;       ///< told behind a writer that comes after the agent which tells it
  users_by_key* among{};       ///< whose order it has
  object_users* of = nullptr;  ///< there, while it is not over
  task_record_ptr previous{};  ///< of a token that it writes, while it has no CU: who wrote before

  bool is_object() const { return order == nullptr; }
  const void* key() const { return is_object() ? object.start : static_cast<const void*>(order.get()); }
};

/// Several CPU CUs that run one task: on one of them it runs, the others hold still.
class unit_team {
 public:
  unit_team(std::vector<int> all_cpus, std::vector<int> own_cpus, std::vector<unit_id> other_units)
      : cpus{std::move(all_cpus)},
        own{std::move(own_cpus)},
        others{std::move(other_units)},
        n_awaited_{static_cast<int>(others.size())} {}

  /// Of another one: until the task is over; or not at all, for its thread is to leave the CPU.
  void hold_still();
  void give_up();
  /// Of the one on which it runs: until the others hold still, or somebody else wants all CPUs, for whom they
  /// have stopped.
  void gather(const std::function<bool()>& have_stopped);
  void let_go();

  const std::vector<int> cpus, own;   ///< of all, and of the one on which it runs
  const std::vector<unit_id> others;  ///< all but that

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  int n_awaited_;
  bool is_over_ = false;
};

/// Tasks that a seat runs one after the other as one piece of work of the engine: each uses the same objects
/// in the same roles, comes after what is over, and nobody waits for the work. So only the group is asked
/// between them. Under its lock, but for who runs them.
struct seat_streak {
  task_record_ptr now{};  ///< runs, or is next; null where there is none
  std::vector<std::pair<const void*, task_role>> objects{};
  flow::completion end{};
  const std::atomic<bool>* is_awaited = nullptr;  ///< the work; null before its first task is over
  std::atomic<bool> has_next{false};              ///< without the lock: `now` is there for who runs the tasks
};

enum class record_kind : std::uint8_t {
  task,
  agent,
  access,  ///< of an agent to an object on the host
  replay,  ///< of a recording, its tasks as one
  joint    ///< of a replay whose tasks are told one by one: over behind them
};

/// What an agent has beside.
struct agent_state {
  agent_body body{};
  users_by_key users{};                     ///< of the objects that it has
  std::vector<task_record_ptr> accesses{};  ///< that it may still have
  int n_open = 0;                           ///< of its tasks and agents, and accesses that are under way
  bool has_left = false;                    ///< its body, and waits for its tasks
  task_record_ptr meets{};                  ///< null while it waits to meet nobody
  bool has_met = false;
  /// Where it waits: for which of these, and whether it need not any more.
  std::vector<task_record_ptr> waits_for{};
  const std::function<bool()>* may_go_on = nullptr;
  std::exception_ptr circle{};  ///< with which it goes on where it waits, for others wait for it

  bool waits() const { return may_go_on != nullptr && circle == nullptr && !(*may_go_on)(); }
};

/// Of a task that is listed, or of a replay.
struct recorded_state {
  std::shared_ptr<recorded_tasks> all{};  ///< in which it is, or which it replays
  bool is_listed = false;                 ///< alone, from the start
  int place = 0;                          ///< among these; of a replay that of its first error
  int n_running = 0;
  std::vector<flow::completion> ends{};  ///< of these
  std::exception_ptr error{};
};

/// What few tasks have.
struct seldom_said {
  std::shared_ptr<unit_team> team{};  ///< of several units
  std::optional<time_bound> at_most{};
  std::exception_ptr doom{};       ///< of a task of another group that it was to come after
  std::vector<void*> addresses{};  ///< on the host
};

/// A task, an agent or an access that was told, or a flag. What it has beside its end is given up then.
struct task_record {
  enum class stage : std::uint8_t {
    named,  ///< a flag that nobody has told
    held,   ///< by what it comes after, so that the binder does not know it
    told,   ///< to the binder
    bound,  ///< to a CU, or being brought to the host, or there
    over
  };

  const record_pool* home = nullptr;  ///< lives as long as the record
  std::string name{};
  task_record_ptr by{};  ///< the agent that told it
  few<known_use, 1> uses{};
  task_body body{};
  std::unique_ptr<agent_state> agent{};
  few<task_record_ptr, 1> before{};      ///< what comes first; it fails where one of the first `n_after` has
  std::vector<task_record_ptr> holds{};  ///< these may be held by it
  std::vector<unit_id> on{};
  std::uint64_t number = 0;   ///< in the order told
  std::uint64_t seen_by = 0;  ///< whose predecessors have it already
  double work = 1;
  scheduling::told_task id{};
  ticks bound_at{};
  seconds ran = 0;                             ///< 0: not measured
  std::unique_ptr<seldom_said> seldom{};       ///< null where nothing of it is there
  std::unique_ptr<recorded_state> recorded{};  ///< null where no recording has to do with it
  flow::completion end{};
  seat_streak* streak = nullptr;  ///< in which it is; whose end is its own
  std::exception_ptr error{};
  std::uint32_t index = 0;  ///< among those that are not over
  std::uint32_t n_after = 0;
  int n_holding = 0;  ///< what holds it
  int priority = 0;
  unit_id unit{};
  std::int16_t n_units = 1;  ///< CPU CUs at once
  std::int8_t slot = 0;      ///< of the unit's queues
  record_kind kind = record_kind::task;
  stage at = stage::told;
  bool is_promised = false, is_cancelled = false;
  bool has_plain_body = false;
  bool commutes = false;     ///< held until what it comes after is over, so that none waits for another
  bool has_present = false;  ///< held until it is known where its objects will be
  bool is_nothing = false;   ///< a flag that nobody will tell
  bool has_started = false;  ///< as the binder knows; of an access, its object is there

  /// Null once its group has ended.
  std::shared_ptr<task_core> of() const {
    return home != nullptr ? std::static_pointer_cast<task_core>(home->owner.lock()) : nullptr;
  }
  std::span<const task_record_ptr> after() const { return std::span{before}.first(n_after); }
  std::span<const task_record_ptr> behind() const { return std::span{before}.subspan(n_after); }
  void come_after(const task_record_ptr& one) {
    before.push_back(one);
    std::swap(before.back(), before[n_after++]);
  }
  unit_team* team() const { return seldom != nullptr ? seldom->team.get() : nullptr; }
  const time_bound* at_most() const {
    return seldom != nullptr && seldom->at_most ? &*seldom->at_most : nullptr;
  }
  std::exception_ptr doom() const { return seldom != nullptr ? seldom->doom : nullptr; }
  seldom_said& say_seldom() {
    if (seldom == nullptr) seldom = std::make_unique<seldom_said>();
    return *seldom;
  }
  const flow::completion& end_of_work() const { return streak != nullptr ? streak->end : end; }
  bool is_listed() const { return recorded != nullptr && recorded->is_listed; }
  bool is_task() const { return kind == record_kind::task; }
  bool is_agent() const { return kind == record_kind::agent; }
  bool is_over() const { return at == stage::over; }
};

/// What a thread does for a group: lists tasks for a recording, or is an agent.
struct record_on_thread {
  const task_core* of = nullptr;
  std::shared_ptr<recorded_tasks> into{};
};
struct agent_on_thread {
  const task_core* of = nullptr;
  task_record_ptr self{};
};

/// What a task that is over had, to go behind the lock.
struct task_remains {
  task_record_ptr record{};
  task_body body{};
  few<task_record_ptr, 1> before{};
  few<known_use, 1> uses{};
};

}  // namespace yoke::detail
