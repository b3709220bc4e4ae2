#pragma once
/// What an engine and its completions share.

#include "queue.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/detail/spin.hpp>
#include <yoke/engine.hpp>
#include <yoke/links.hpp>

namespace yoke::flow {

/// Lanes in this order: the seats, the host's, the queues of each group, then of each memory the one for what
/// comes and the one for what goes, and the team's.
///
/// Locks, in the order in which they are taken: `starting_` by who starts work, one thread at a time;
/// `table_lock_`, for the table and the dispatcher, short; a queue's own, while it is given something. A
/// thread that waits has none.
class engine_core final : public versions::worker {
 public:
  engine_core(std::span<device* const> devices, const engine_options& options);
  ~engine_core();
  engine_core(const engine_core&) = delete;
  engine_core& operator=(const engine_core&) = delete;

  /// Whether this thread runs work of it.
  bool is_in_own_work() const { return runs_for == this; }
  /// Waits for all, ends the threads of seats and says what nobody has been told. Once.
  void close() noexcept;

  lane_id seat(int number) const;
  lane_id host() const { return lane_id{n_seats_}; }
  lane_id team() const { return lane_id{n_seats_ + 1 + static_cast<int>(queues_.size())}; }
  bool wait_for_team();
  lane_id queue_of(space_id memory, int number) const;
  lane_id queue_of(int group, int number) const;

  versions::piece add(std::string name, std::size_t bytes, std::vector<void*> addresses);
  void set_memory(versions::piece of, std::size_t bytes, std::vector<void*> addresses);
  void remove(versions::piece what);
  work_ptr tell(lane_id on, std::shared_ptr<const plan> what, std::span<const argument> arguments,
                std::span<const work_ptr> after, std::span<const work_ptr> behind,
                std::span<const lent_piece> lent, std::function<void(const std::exception_ptr&)> when_over);
  work_ptr tell_failure(std::string name, const std::exception_ptr& why, std::span<const argument> arguments,
                        std::span<const work_ptr> behind,
                        std::function<void(const std::exception_ptr&)> when_over);
  /// What was told, as far as it can; and waits for the oldest where too much is under way.
  void start();
  void start_what_can();
  step fuse(lane_id on, std::span<const step> steps);
  void wait(const work_ptr& what);
  void wait();
  bool is_over(const work_ptr& what);
  void await(const versions::mark_ptr& what) override;
  void take_cpus();
  void give_cpus_back();
  bool has_given_cpus();
  bool keep_down();
  void let_go();
  void expect_more();
  void expect_no_more();

 private:
  /// Who holds it does so for less than it takes to sleep and be woken.
  class table_guard : public std::unique_lock<std::mutex> {
   public:
    explicit table_guard(std::mutex& of) : unique_lock{of, std::defer_lock} { lock(); }
    void lock() { detail::lock_soon(*this); }
  };
  struct memory_of_piece {
    std::size_t bytes = 0;
    std::vector<void*> at{};
  };
  /// What work carries: its plan, and where its arguments are.
  struct run_of_plan {
    std::shared_ptr<const plan> what;
    std::vector<void*> addresses;
    std::function<void(const std::exception_ptr&)> when_over;
  };
  /// While it lives, this thread runs work of an engine.
  class at_work {
   public:
    explicit at_work(const engine_core& of) : before_{std::exchange(runs_for, &of)} {}
    ~at_work() { runs_for = before_; }
    at_work(const at_work&) = delete;
    at_work& operator=(const at_work&) = delete;

   private:
    const engine_core* before_;  ///< work of an engine may use another one
  };
  static inline thread_local const engine_core* runs_for = nullptr;
  static inline thread_local const engine_core* sits_at = nullptr;
  /// Errors: usage_error in a forked child, and in work that runs, where it says what that wants to do.
  void refuse_in_work(std::string_view what, const char* is_done) const;

  /// What a queue has been given and is not known to be through. One thread at a time asks it how far it is:
  /// an error is told once.
  struct queue_state {
    std::unique_ptr<queue> of;
    std::deque<work_ptr> started{};
    bool is_watched = false;
    bool is_wanted = false;  ///< somebody found it watched, and waits for a change
  };
  struct work_of_team {
    work_ptr what;
    bool is_done = false;
  };
  struct seat_state {
    work_ptr next{};  ///< begun, for its thread to do
    bool is_busy = false, computes = false, is_asleep = false;
    std::atomic<std::uint64_t> news{0};  ///< changed under the lock, and looked at without
    std::condition_variable wakes{};
  };

  bool is_seat(lane_id on) const { return on < n_seats_; }
  bool is_host(lane_id on) const { return on == host(); }
  bool is_team(lane_id on) const { return on == team(); }
  queue_state& queue_at(lane_id on) { return queues_[static_cast<std::size_t>(on - n_seats_ - 1)]; }
  lane_id way_into(space_id device_memory) const {
    return lane_id{n_seats_ + 1 + static_cast<int>(groups_.size()) * queues_of_group_ +
                   (device_memory - 1) * 2};
  }
  lane_id way_out_of(space_id device_memory) const { return lane_id{way_into(device_memory) + 1}; }
  space_id memory_of(lane_id on) const;
  lane_id way(space_id from, space_id to) const;
  std::vector<lane> lanes() const;
  int backend_of(space_id memory) const;
  /// Errors: usage_error for one of another engine.
  void check_lane(lane_id on) const;
  void* address(versions::piece what, space_id memory) const;
  std::shared_ptr<const run_of_plan> resolved(lane_id on, std::shared_ptr<const plan> what,
                                              std::span<const argument> arguments,
                                              std::function<void(const std::exception_ptr&)> when_over) const;

  // Starting.
  void start(const dispatcher::start& next, table_guard& table);
  void start_for_team(const work_ptr& what, table_guard& table);
  void end_for_team(const work_ptr& what, const std::exception_ptr& error);
  void give(queue& to, const dispatcher::start& next, std::span<const box_copy> copies);
  std::vector<box_copy> copies_of(const transfer& what) const;
  void look_at_queues(table_guard& table);

  // Watching.
  void be_ready_to_watch();
  void keep_watching() noexcept;
  void look_for(const work_ptr& what, table_guard& table);

  // Seats.
  void keep_seats() noexcept;
  void sit(int number);
  bool gets_up() const { return (gets_up_ || is_closing_ || n_guests_ > 0) && n_keeping_ == 0; }
  bool has_to_act(int seat) const;
  bool wait_on(int seat, table_guard& table);
  static void wake(seat_state& seat);
  void wake_all();
  void wake_those_who_follow();
  void end_work(const work_ptr& what, const std::exception_ptr& error, table_guard& table);
  void do_on_seat(const work_ptr& what, table_guard& table) noexcept;
  std::exception_ptr run_on_seat(const run_of_plan& run) const;
  void refuse_without_seats(const work_ptr& for_whom) const;
  void fail_on_seats(const std::exception_ptr& error, table_guard& table);
  work_ptr waiting_for_seat() const;
  bool has_begun_on_seat() const;
  bool is_busy_on_seats() const;
  void end_seats() noexcept;

  // The host.
  static bool does_something(const work& of);
  static bool goes_on_by_itself(const work& of);
  void be_ready_on_host();
  void start_on_host(const work_ptr& what, table_guard& table);
  void see_to_host();
  /// A thread that waits beside seats would take the CPU of one.
  bool asks_who_waits() const { return sits_at == this || n_seats_ == 0; }
  bool ask_on_host(bool waits, table_guard& table);
  void wait_on_host(table_guard& table);
  bool has_to_act_on_host() const;
  void work_on_host() noexcept;

  // Waiting.
  void go_on(const work_ptr& for_whom, table_guard& table);
  bool has_thread(const work& what) const { return is_seat(what.lane()) || is_team(what.lane()); }
  void sleep_until_over(const work_ptr& what, table_guard& table);
  work_ptr last_on_seat() const;
  void wake_who_sleeps_for(const work_ptr& what);
  void wait_for_half();
  bool is_through(const versions::mark_ptr& what, table_guard& table);
  template <class Ask>
  bool ask(queue_state& of, table_guard& table, const Ask& how_far);
  void pass(queue_state& of, std::uint64_t number, const std::exception_ptr& error);
  void note_ended();
  bool call_when_over(table_guard& table);
  void note_failure(const std::exception_ptr& error, lane_id on);
  void has_changed();
  /// Requires: whatever makes it so has changed something.
  template <class IsSo>
  void wait_until(const IsSo& is_so, table_guard& table);
  void drop_over();
  void tell(const std::exception_ptr& error);

  /// As often as queues record events for it.
  static constexpr std::uint64_t starts_between_looks = 64;

  const int n_seats_, queues_of_group_;
  const seat_threads threads_;
  const seconds stay_;
  const std::function<bool()> has_taken_cpus_;
  const std::vector<device*> devices_;
  const std::vector<queue_group> groups_;
  const link_table links_;
  std::vector<queue_state> queues_;
  std::mutex starting_;
  std::atomic<bool> may_start_{false};
  const std::unique_ptr<detail::shared_table> own_table_;  ///< null where there is one already
  std::mutex& table_lock_;
  /// All is over, and a table that is not its own may have gone: completions are asked without the lock.
  std::atomic<bool> is_closed_{false};
  // Under that:
  versions::table& table_;
  dispatcher all_;
  std::vector<memory_of_piece> pieces_;  ///< by number
  std::vector<seat_state> seats_;
  std::deque<work_of_team> with_team_;       ///< from the oldest that is not done
  seat_state host_;                          ///< of the host's own thread
  work_ptr going_;                           ///< has begun on the host and goes on by itself
  bool is_asked_ = false;                    ///< that, by some thread
  std::optional<ticks> is_awaited_since_{};  ///< by who has looked
  seconds looks_for_ = 30e-6;                ///< who waits, before it sleeps
  bool is_wanted_ = false;                   ///< somebody found it asked, and waits
  bool host_asks_ = false;                   ///< the host's own thread does so from time to time
  std::deque<work_ptr> told_;                ///< from the oldest that is not over
  std::atomic<std::size_t> n_in_line_{0};    ///< of these, looked at without the lock
  std::vector<work_ptr> untold_;             ///< has failed, and nobody has been told
  std::deque<work_ptr> over_;                ///< of which somebody wants to know it
  int n_telling_ = 0;                        ///< are told that now, or are expected to tell of more
  std::atomic<std::uint64_t> n_changes_{0};  ///< changed under the lock, and looked at without
  std::uint64_t n_starts_ = 0;
  bool is_closing_ = false, gets_up_ = false;
  int n_guests_ = 0;   ///< of take_cpus
  int n_keeping_ = 0;  ///< work that waits for other seats
  std::condition_variable changed_;
  int n_asleep_ = 0;                    ///< who wait on that
  std::vector<const work*> slept_for_;  ///< one for each who sleeps until that is over
  std::condition_variable is_over_;     ///< one of these
  std::thread keeper_;                  ///< of seats
  std::thread host_worker_;             ///< none before there is something to do on the host
  std::thread watcher_;                 ///< of what is to say that it is over; none before there is such
  std::deque<work_ptr> watched_;        ///< of queues
  std::condition_variable has_watched_;
};

template <class IsSo>
void engine_core::wait_until(const IsSo& is_so, table_guard& table) {
  while (!is_so()) {
    const std::uint64_t seen = n_changes_;
    table.unlock();
    const bool has_changed =
        detail::spin_until([&] { return n_changes_.load(std::memory_order_relaxed) != seen; });
    table.lock();
    if (has_changed) continue;
    ++n_asleep_;
    changed_.wait(table, [&] { return n_changes_ != seen; });
    --n_asleep_;
  }
}

}  // namespace yoke::flow
