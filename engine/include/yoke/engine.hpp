// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Runs work on the streams of devices and on threads of the host, in any order that gives what the order of
/// the program gives.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/detail/shared_table.hpp>
#include <yoke/device.hpp>
#include <yoke/dispatcher.hpp>

namespace yoke::flow {

class engine_core;

/// Where work is when it starts. On a queue it leaves work on the stream; on a seat and on the host it does
/// it; for the team it leaves it to whoever does it.
struct site {
  device* dev = nullptr;  ///< null where there is none
  stream_handle stream{};
  space_id memory{};
  std::span<void* const> addresses{};  ///< of its arguments in their order, there or in their own memory
  /// Of the team alone: to be called once when the work is done, with its error or null, by a thread that has
  /// no lock, not in `run`. It is over when what began before it is, too.
  std::function<void(const std::exception_ptr&)> over{};
};

/// What work does, made once for as many as there are of it. `run` may throw; it must not wait for work, nor
/// enqueue some. On the host none is nothing to do.
struct plan {
  std::string name;
  std::function<void(const site&)> run;
  /// On a queue its end is marked at once: what another queue does with it need not wait for what is told of
  /// this queue meanwhile. Else an event is recorded when somebody asks.
  bool marks_end = false;
  /// On a seat, where there is one: called when `run` has ended well, by its thread, which is in no work
  /// then: whether to call that again, as part of the same work. It may tell of more work, and must not
  /// throw; where somebody waits for the work it had better say no.
  std::function<bool(const std::atomic<bool>& is_awaited)> goes_on{};
  /// On the host, of what `run` has begun, which goes on by itself or by being asked: whether it is over. By
  /// one thread at a time: of who waits for it, a seat for instance, else of the engine from time to time.
  /// May throw.
  std::function<bool()> is_over{};
};

/// What one piece of work does with each piece where it does `next`, too, after `all`.
void add(std::vector<argument>& all, const argument& next);

/// Work of one lane as it is told: what it does, and with which pieces.
struct step {
  std::shared_ptr<const plan> what;
  std::vector<argument> arguments{};
};

/// The end of one piece of work. Copies are the same end; it may outlive the engine. Its end neither waits
/// nor loses the work. Thread-safe.
class completion {
 public:
  /// Of nothing: over.
  completion() = default;
  /// The host waits. Errors: with which it has failed, each time; usage_error in work that runs, and in a
  /// forked child.
  void wait() const;
  /// Without waiting. True where it has failed, too.
  bool is_over() const;

 private:
  friend class engine;
  completion(std::shared_ptr<engine_core> of, work_ptr what) : of_{std::move(of)}, what_{std::move(what)} {}

  std::shared_ptr<engine_core> of_;
  work_ptr what_;
};

/// Calls `sit(i)` for each of `n_seats`, each on a thread of its own, all at once, and returns when all have
/// returned. An error is that of the work for which they were to sit down.
using seat_threads = std::function<void(int n_seats, const std::function<void(int)>& sit)>;
/// Threads that are made for it, on any CPU.
void sit_on_new_threads(int n_seats, const std::function<void(int)>& sit);

/// Some queues of a device, or of a slice of it.
struct queue_group {
  device* dev;
  space_id memory;
};

/// What an engine has beside its devices.
struct engine_options {
  int n_seats = 0;
  /// Called whenever a seat has work and nobody sits. They stay until none has had work for `stay`, or
  /// somebody else wants the CPUs.
  seat_threads threads = sit_on_new_threads;
  seconds stay = 0.2;
  /// Whether the calling thread is one that has the CPUs which take_cpus has asked for; empty: nobody is.
  std::function<bool()> has_taken_cpus{};
  /// Streams of devices that take work; empty: of each memory's device. Beside them each memory has one for
  /// what comes and one for what goes.
  std::vector<queue_group> queues{};
  int queues_of_group = 1;
  /// Whose pieces there are beside those that are added here; outlives the engine. Null: nobody's.
  detail::shared_table* table = nullptr;
};

/// What work comes after beside what its pieces say.
struct order {
  std::span<const completion> after{};   ///< it fails where one of these has failed
  std::span<const completion> behind{};  ///< these may fail
};

/// Memory of a piece that somebody else has added to the table, where the next work that is told finds it.
struct lent_piece {
  versions::piece what;
  std::size_t bytes;
  std::span<void* const> addresses;  ///< by memory; null where it has none
};

/// Memory 0 is the host's, s the one of `devices[s-1]`. An enqueue returns at once: what it has to wait for
/// is waited for by devices, by the threads of seats, and by who waits for a completion. No lock is held
/// while anything waits, computes or copies. Work that only the host can wait for, as between devices of two
/// backends, goes on in calls of enqueue and wait, and when a seat has ended something.
///
/// Some thousand pieces of work may be under way: then enqueue waits for the oldest. Thread-safe. What fails,
/// and nobody has waited for, is printed when the engine ends; that waits for all work.
class engine {
 public:
  /// Errors: device_error; std::system_error where the system gives no thread for a seat.
  engine(std::span<device* const> devices, const engine_options& options);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  lane_id seat(int number) const;
  /// Number `number` of the first group with that memory, or of the group `group`.
  lane_id queue(space_id memory, int number = 0) const;
  lane_id queue_of_group(int group, int number = 0) const;
  /// Has work for no CU: what is brought there is for the program. A plan that runs something there has
  /// a thread of the engine's own, and may wait for what is no work of the engine; one that says when it is
  /// over, as an exchange with another process, needs that thread only while nobody waits for it.
  lane_id host() const;
  /// Has work in host memory that several threads do together, work of seats as a rule: `run` makes it known
  /// to them. As on a queue many may have begun, each when what it waits for is over.
  lane_id team() const;
  /// For who does work of the team and has none left: waits where the next of it waits for a device or for
  /// what goes on at the host. False where it does not, and where another thread waits.
  bool wait_for_team();

  /// A piece of `bytes` with memory of the caller's, at `addresses[s]` in memory s; null where it has none.
  /// Nobody has written it.
  versions::piece add(std::string name, std::size_t bytes, std::vector<void*> addresses);
  /// Waits for all that uses it. Errors: usage_error as wait.
  void remove(versions::piece what);

  /// Errors: usage_error for what is another engine's or was removed, for a piece that has no memory where
  /// the work or the way there needs some, for reading what nobody has written, in work that runs, and in a
  /// forked child. What fails later is thrown by the completion.
  completion enqueue(lane_id on, std::shared_ptr<const plan> what, std::span<const argument> arguments,
                     std::span<const completion> after = {});
  /// The same in two halves: it is told, and `start` is called when the caller has no lock any more. `lent`
  /// are the pieces among the arguments that were not added here. `when_over`, where there is one, is called
  /// when the work is over, with its error or null, which counts as told then, by a thread that has no lock;
  /// it may tell of more work, which is started, and must not wait nor throw.
  completion tell(lane_id on, std::shared_ptr<const plan> what, std::span<const argument> arguments,
                  const order& where, std::span<const lent_piece> lent,
                  std::function<void(const std::exception_ptr&)> when_over = {});
  void start();
  /// The same for who must not wait: in `goes_on` of a plan.
  void start_without_waiting();
  /// Tells of work that fails with `why` in its turn, and what reads the pieces that it was to write with it.
  completion tell_failure(std::string name, const std::exception_ptr& why,
                          std::span<const argument> arguments, std::span<const completion> behind = {},
                          std::function<void(const std::exception_ptr&)> when_over = {});
  /// Steps that are done one after the other on `on`, as one piece of work, which is made once and enqueued
  /// on that lane as often as one likes: on a queue a graph of the device. It reads a piece that a step reads
  /// before one of them writes it, and overwrites one that a step overwrites first. Runs their plans, to
  /// record them. Errors: those of the plans, and of the device for what cannot be recorded; usage_error as
  /// enqueue.
  step fuse(lane_id on, std::span<const step> steps);
  /// Between these two calls the end of the engine waits, for somebody may tell of more work.
  void expect_more();
  void expect_no_more();
  /// Whether the calling thread runs work of this engine.
  bool is_in_work() const;
  /// For all that was enqueued. Errors: the first that nobody has been told.
  void wait();

  /// Waits for all work of seats that was told before; then their threads get up, and sit down again when as
  /// often `give_cpus_back` was called. What has no seat goes on. Who has the CPUs and waits for work of a
  /// seat all the same is refused. Errors: usage_error in work that runs.
  void take_cpus();
  void give_cpus_back();
  /// Between these calls, when seats get up.
  bool has_given_cpus() const;
  /// In work of a seat that waits for other seats to begin theirs: until `let_seats_go` none gets up, though
  /// somebody asks for the CPUs. False, and nothing is kept, where somebody has and some may have got up.
  [[nodiscard]] bool keep_seats();
  void let_seats_go();

 private:
  std::vector<work_ptr> works(const std::string& name, std::span<const completion> all) const;

  std::shared_ptr<engine_core> core_;
};

}  // namespace yoke::flow
