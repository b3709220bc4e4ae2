#pragma once
/// One step of a batch of zones on one compute unit.

#include "account.hpp"
#include "stepping.hpp"

#include <functional>
#include <span>

#include <yoke/ids.hpp>

namespace npb {

/// When it is, and what is noted down about it. By the CU's outer thread, but for const members.
class step_run {
 public:
  /// `is_at_work`: whether the unit's device is; null where it has none, else it outlives this.
  step_run(const stepping& shared, yoke::unit_id unit, int number, unit_account& account,
           const std::function<bool()>* is_at_work = nullptr)
      : shared_{shared},
        unit_{unit},
        now_{shared.faces.moment_of(number)},
        account_{account},
        is_at_work_{is_at_work} {}

  int number() const { return now_.step; }
  moment now() const { return now_; }
  moment next() const { return now_.next(); }
  bool is_last() const { return number() >= shared_.last_step; }
  step_run following() const { return {shared_, unit_, number() + 1, account_, is_at_work_}; }
  unit_account& account() { return account_; }

  yoke::ticks& compute() { return account_.compute[static_cast<std::size_t>(number())]; }
  yoke::ticks& exchange() { return account_.exchange[static_cast<std::size_t>(number())]; }
  /// For a scope.
  [[nodiscard]] stopwatch advancing() { return {shared_.trace, unit_, "advance", compute()}; }
  [[nodiscard]] stopwatch exchanging() { return {shared_.trace, unit_, "exchange", exchange()}; }
  [[nodiscard]] stopwatch migrating(yoke::ticks& sum) { return {shared_.trace, unit_, "migrate", sum}; }

  /// Runs `work` outside of the batch's time: what is waited for, or done once for many steps, says nothing
  /// about the speed of a CU, which schedules fit from that time.
  template <class Work>
  void off_the_clock(const char* what, yoke::ticks& sum, const Work& work) {
    const yoke::ticks spent = time_of(what, work);
    sum += spent;
    exclude(spent);
  }
  /// Where a device was at work all the while, that is time of the batch as any other.
  template <class Work>
  void lay_out(const Work& work) {
    const yoke::ticks spent = time_of("lay out", work);
    const bool is_beside = is_at_work_ != nullptr && (*is_at_work_)();
    (is_beside ? compute() : account_.preparing) += spent;
    if (!is_beside) exclude(spent);
  }
  void set_at_work(const std::function<bool()>& is_at_work) { is_at_work_ = &is_at_work; }
  /// What was counted as the time of advancing, and was something else; as much of it as was counted.
  yoke::ticks count_otherwise(yoke::seconds spent, yoke::ticks& as);
  /// From the batch's time.
  void exclude(yoke::ticks spent) {
    if (shared_.loop != nullptr) shared_.loop->exclude(spent);
  }

  /// Until all of `zones` may run this step, off the clock. Errors: stopped.
  void wait_for(std::span<const yoke::task_id> zones);
  /// Until `zone` has finished the step before, off the clock: only then one may ask where it is.
  void wait_for_zone(yoke::task_id zone);
  /// Until `is_over()`, off the clock. Errors: stopped.
  template <class Over>
  void wait_until(const Over& is_over) {
    if (!is_over()) off_the_clock("wait", account_.waiting, [&] { shared_.order.wait_until(is_over); });
    shared_.order.check();
  }
  /// They have finished it, in `space`.
  void publish(std::span<const yoke::task_id> zones, yoke::space_id space);

 private:
  template <class Work>
  yoke::ticks time_of(const char* what, const Work& work) {
    yoke::ticks spent = 0;
    {
      const stopwatch watch{shared_.trace, unit_, what, spent};
      work();
    }
    return spent;
  }

  const stepping& shared_;
  yoke::unit_id unit_;
  moment now_;
  unit_account& account_;
  const std::function<bool()>* is_at_work_;
};

}  // namespace npb
