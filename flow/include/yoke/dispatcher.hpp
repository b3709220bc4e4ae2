// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Work in the order of a program: what has to travel before it, what may begin, and what becomes of it.

#include "work.hpp"

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/version_table.hpp>

namespace yoke::flow {

/// What takes work in order, and uses the pieces in one memory.
struct lane {
  enum class kind {
    queue,  ///< a stream of a device: takes work before that which it comes after is over
    seat,   ///< of a CPU CU: has one piece of work at a time, and nothing that is still waiting
  };
  kind what;
  space_id memory;
  int backend = 0;  ///< queues of one backend wait for each other, for others the host does
};

/// What is to be done, as it is told.
struct request {
  std::string_view name;
  lane_id on;
  std::span<const argument> arguments{};  ///< a piece that is named twice is changed if one of them writes
  std::span<const work_ptr> after{};      ///< fails where one of these has failed
  std::span<const work_ptr> behind{};     ///< these come first, and may fail
  std::shared_ptr<const void> plan{};     ///< what runs; the caller's own
  bool says_end = false;                  ///< take_ended has it once it is over
  std::exception_ptr failure{};  ///< null, or why it never runs: nothing is brought, and it fails in its turn
};

/// Work is told in the order in which a program would do it alone, and done in any order that gives the same.
/// Each lane does its own work in the order in which that was told, so that the oldest can always be done.
///
///   const work_ptr sum = all.enqueue({.name = "sum", .on = lane, .arguments = pieces});
///   while (const auto next = all.begin_next()) …          // start what is given here, behind what is named
///   all.end(sum);                                          // or fail(sum, error): when that is known
///
/// Pieces that are elsewhere are brought by work of their own: those that come from one memory and were
/// written by one piece of work go together. Work that fails leaves what it was to write broken, and what
/// reads that fails with the same error, before it begins where that is known; all else goes on.
///
/// Others may tell the table of work of theirs, between calls of this. What is told here comes after that as
/// after work that only the host can wait for: it begins when the mark says that it is over, and fails where
/// it reads what failed.
///
/// Pure: no thread, device or clock. Not thread-safe.
class dispatcher {
 public:
  /// The lane that brings pieces from one memory into another; none where they go through the host's.
  using lane_between = std::function<lane_id(space_id from, space_id to)>;
  /// `all` outlives this; `self` is the worker of its marks, null where the table has no other.
  dispatcher(versions::table& all, const std::vector<lane>& lanes, lane_between transfers,
             versions::worker* self = nullptr);
  /// What is not over never will be.
  ~dispatcher();
  dispatcher(const dispatcher&) = delete;
  dispatcher& operator=(const dispatcher&) = delete;

  /// Cost: O(arguments, memories and lanes). Errors: usage_error where it reads a piece that nobody has
  /// written; nothing has been told then.
  work_ptr enqueue(const request& next);

  /// Work that the caller starts, now.
  struct start {
    work_ptr what;
    versions::marks behind;  ///< begun work of other queues, which its queue waits for first
  };
  /// None where nothing may begin before something ends.
  std::optional<start> begin_next();

  /// It is through, with all that began before it on its lane. No effect on what is over.
  void end(const work_ptr& what) { run_through(what, nullptr); }
  /// The same, in vain. Requires: an error.
  void fail(const work_ptr& what, const std::exception_ptr& error) { run_through(what, error); }
  /// It has begun, but cannot be done: it will fail with this when it is through. What depends on it and has
  /// not begun never runs.
  void spoil(const work_ptr& what, const std::exception_ptr& error) const;
  /// A device has gone with its memory: what its lanes have not finished fails with `why`, and so will all
  /// that is told to them. Where other queues have taken work behind that which waits for something else
  /// itself, they may run it before its time, and all that is under way fails. What brings pieces out of it
  /// on other lanes is the caller's to fail. The result are the pieces whose latest version was nowhere else.
  std::vector<versions::piece> lose(space_id memory, const std::exception_ptr& why);

  /// What must end before `what` can begin or be over: begun work, itself where it has begun, or work of
  /// another worker. Null where it is over, and where something may begin now.
  versions::mark_ptr held_up_by(const work_ptr& what) const;
  /// Work that has failed by itself since the last call; what failed for its sake is not among it.
  std::vector<work_ptr> take_failed() { return std::exchange(failed_, {}); }

  /// What was to say so and is over since the last call, one way or the other.
  std::vector<work_ptr> take_ended() { return std::exchange(ended_, {}); }

  /// Whether all that was told is over.
  bool is_idle() const;
  /// What a lane was told and has not begun, and what it has begun and not finished.
  std::size_t n_waiting(lane_id of) const { return at(of).waiting.size(); }
  std::size_t n_begun(lane_id of) const { return at(of).begun.size(); }
  /// What the lane begins next; null where it has nothing.
  work_ptr next_of(lane_id of) const { return at(of).waiting.empty() ? nullptr : at(of).waiting.front(); }
  bool has_next(lane_id of) const { return !at(of).waiting.empty(); }

 private:
  struct lane_state {
    lane is;
    std::uint64_t n_told = 0;
    std::deque<work_ptr> waiting{}, begun{};
    std::exception_ptr lost{};
  };
  struct message {
    space_id from, to;
    versions::mark_ptr writer;
    std::vector<versions::piece> pieces;
  };

  /// Null for what another worker does.
  const work* own(const versions::mark& mark) const {
    return mark.by() == self_ ? static_cast<const work*>(&mark) : nullptr;
  }
  const lane_state& at(lane_id of) const;
  lane_state& at(lane_id of) { return const_cast<lane_state&>(std::as_const(*this).at(of)); }
  std::vector<argument> each_once(const request& next) const;
  std::vector<message> messages_for(std::span<const argument> arguments, space_id memory) const;
  work_ptr make(std::string_view name, lane_id on);
  void use(work& next, const versions::use& how);
  void read(work& next, versions::piece what, space_id memory);
  void bring(const message& what, std::string_view for_whom);
  void line_up(const work_ptr& next);
  bool never_runs(const work& next) const;
  bool may_begin(const lane_state& on, const work& next) const;
  bool is_behind(const lane_state& on, const versions::mark& before) const;
  bool is_doomed(work& next) const;
  static start begin(lane_state& on);
  void run_through(const work_ptr& what, const std::exception_ptr& error);
  bool gives_no_order(const versions::mark& before) const;
  bool has_lost_order() const;
  void settle();

  versions::table& table_;
  versions::worker* const self_;
  std::vector<lane_state> lanes_;
  lane_between transfers_;
  std::vector<work_ptr> failed_{}, ended_{};
};

}  // namespace yoke::flow
