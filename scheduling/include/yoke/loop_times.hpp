// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What loops take that units share, and what a unit would with another share.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/performance.hpp>

namespace yoke::scheduling {

/// One loop over all indices that ran alone.
struct timed_loop {
  std::vector<seconds> units;  ///< what each needed for its share; 0 for one without indices
  seconds all = 0;             ///< until the last had finished, with what they needed of each other
  /// How many indices each runs at once, so that it takes whole steps of time; empty: one.
  std::vector<std::int64_t> steps{};
  seconds with_host = 0;  ///< of `all`, what moved because the host's memory takes part
};

/// A loop of the usual mix.
struct usual_loop {
  std::vector<seconds> units;  ///< what each needs
  std::vector<seconds> late;   ///< what it needs when it is late, as one of many always is
  seconds all = 0;
  double doubt = 0;                   ///< half of the interval that has it with 95%, as a share of it
  std::vector<std::int64_t> steps{};  ///< of the loops that take most of it
  seconds with_host = 0;

  /// Of units that are late.
  seconds longest() const;
  /// What is no unit's own work: exchanges and waiting; less than 0 where they are not late at once.
  seconds rest() const { return all - longest(); }
};

/// Loops of several kinds with the same shares, each kind timed a few times in each period, of which the last
/// ten count. What a unit needs is their median, and when it is late the longest of them; what a loop takes
/// is their mean. Of four and more the longest is left out, for a loop may be disturbed. Kinds count as often
/// as they ran. Pure; not thread-safe.
class loop_times {
 public:
  /// Counts loops of that kind. Whether they are to be timed: not the first ones, nor more than needed.
  bool count(std::string_view kind, int loops = 1);
  /// The times of a loop that was to be timed.
  void add(std::string_view kind, const timed_loop& loop);
  /// Whether nearly all loops are of kinds that were timed so often in this period.
  bool is_complete(int samples = samples_of_kind) const;
  /// Of the kinds that were timed `samples` times; nullopt where there is none.
  std::optional<usual_loop> usual(int samples = samples_of_kind) const;
  /// Loops of periods that are over count less and less.
  void start_period();

  static constexpr int samples_of_kind = 5;

 private:
  struct kind {
    std::string name;
    double count = 0;
    int timed = 0;  ///< in this period
    std::vector<timed_loop> samples{};
  };
  kind& of(std::string_view name);

  std::vector<kind> kinds_;
};

/// What units need for a share, from what they needed for others: of each the last four shares that differ by
/// more than a twentieth, of which those that contradict newer ones are left out. Pure; not thread-safe.
class share_times {
 public:
  explicit share_times(std::size_t units) : points_{units}, steps_(units, 1) {}

  /// Newer than all before. `shares`: what the units had.
  void add(std::span<const std::int64_t> shares, const usual_loop& loop);
  /// What is known of `unit` becomes what is known of `other`.
  void take_as(std::size_t unit, std::size_t other) { points_[unit] = points_[other]; }
  /// Forgets all but the last one of each unit: the machine is another now.
  void keep_newest();
  /// Whether the unit ever had a share.
  bool knows(std::size_t unit) const { return !points_[unit].empty(); }
  /// Requires: knows(unit).
  performance_function function_of(std::size_t unit) const;

 private:
  std::vector<std::vector<performance_point>> points_;  ///< the newest last
  std::vector<std::int64_t> steps_;
};

/// What loops take that is no unit's own work, by the memories whose units have indices. Pure; not
/// thread-safe.
class rest_times {
 public:
  using memory_list = std::vector<space_id>;

  /// Newer than all before. Memories ascend. `is_cold`: of first loops, where only what moved for the host is
  /// as it will be.
  void add(const memory_list& memories, const usual_loop& loop, bool is_cold);
  /// With `memories`, where loops are `now` with `present`. One alone needs nothing of others. Several that
  /// were never together are as those that are now, or were last, but for what moves because of a host that
  /// leaves or joins them.
  seconds with(const memory_list& memories, const memory_list& present, const usual_loop& now) const;

 private:
  struct rest {
    memory_list memories;
    seconds all = 0;
  };

  std::vector<rest> rests_;  ///< the newest last
  seconds with_host_ = 0;    ///< when the host last was one of several
};

}  // namespace yoke::scheduling
