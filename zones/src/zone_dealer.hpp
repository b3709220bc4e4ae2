#pragma once
/// A schedule that is asked which unit has which zone, a pass for each step, and told what steps took.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/task_loop.hpp>

namespace yoke::detail {

/// As long as nobody has measured: a CPU counts as one, a processor of a GPU as three.
std::vector<seconds> guessed_times(std::span<const unit> units);
/// The rank of each zone, neighbours together; `times`: what each takes for weight 1.
std::vector<int> ranks_of_zones(const workload& work, std::span<const seconds> times);

/// Asks units for tasks in virtual time, where each takes so long for weight 1, and tells when they are
/// done: the unit of each task in that pass. Of a schedule that needs no thread. Errors: usage_error where it
/// gives a task to nobody.
std::vector<unit_id> run_pass(schedule& plan, const workload& work, pass_id pass,
                              std::span<const seconds> times);

/// What a schedule that gives maps wants, it gets: its map, for as many steps as it says, and then their
/// times. One that hands tasks to whoever asks is asked in virtual time, with the speeds that steps have
/// shown, and its map taken where that saves enough to move for it.
class zone_dealer {
 public:
  /// `times`: of each unit for weight 1, until steps have shown more.
  zone_dealer(task_loop loop, std::vector<seconds> times);

  /// By task.
  const std::vector<unit_id>& map() const { return map_; }
  /// CPU CUs may take each other's, whose data stay where they are.
  bool cpus_share() const { return cpus_share_; }
  /// So many steps keep it, and then it is told of them.
  std::int64_t steps_left() const { return left_; }
  /// Nothing more is told, and the map stays.
  bool holds() const { return left_ == for_good; }
  void hold() { left_ = for_good; }

  /// Steps have run, steps_left at most.
  void count(std::int64_t steps) { left_ -= holds() ? 0 : steps; }
  /// When none is left of `steps`: what units took in one of them for weight 1, 0 of those that had nothing,
  /// and what all steps took, where that is known. Then there may be another map.
  void tell(std::int64_t steps, std::span<const seconds> measured, std::optional<seconds> time);

  schedule& plan() { return loop_.plan(); }
  const schedule& plan() const { return loop_.plan(); }
  pass_id pass() const { return pass_; }
  /// Whether it would hear by `rehearse` what units take, before the first pass.
  bool wants_rehearsal();
  /// What units took in a step for weight 1, 0 of those that had nothing. Then there may be another map.
  void rehearse(std::span<const seconds> measured);
  /// From the next step on the program's time counts.
  void time_counts();

 private:
  static constexpr std::int64_t for_good = pass_plan::for_good;

  void look();
  bool follow(pass_plan next);
  void ask();
  seconds longest(std::span<const unit_id> map) const;

  task_loop loop_;
  std::vector<seconds> times_;  ///< by unit
  std::vector<unit_id> map_;
  pass_id pass_ = 0;
  std::int64_t left_ = 0;
  int asked_ = 0;  ///< how often, of a schedule that tells no map
  bool cpus_share_ = false;
  bool is_open_ = false;  ///< it was run already when its map was taken
};

}  // namespace yoke::detail
