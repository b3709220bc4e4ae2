#pragma once
/// What a pass takes, how sure that is, and what that is worth: the one idea of `auto`.

#include <optional>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Of a pass: log-normal, with the deviation of its logarithm.
struct estimate {
  seconds pass = 0;
  double error = 0;
};

/// Two that know nothing of each other: each counts as far as it is sure.
estimate together(const estimate& a, const estimate& b);

/// Passes that were timed, several of them together as a rule: the newest ones.
class timed_passes {
 public:
  /// `passes` took `time`; `overlap`: what is lost of a pass where stretches meet.
  void add(pass_id passes, seconds time, double overlap = 0);
  bool any() const { return !stretches_.empty(); }
  std::size_t size() const { return stretches_.size(); }
  /// Most noise only delays, so the median counts. nullopt of none.
  std::optional<estimate> get() const { return of_newest(stretches_.size()); }
  /// Of the newest stretches, and of those before.
  std::optional<estimate> of_newest(std::size_t n) const;
  std::optional<estimate> before(std::size_t n) const;
  /// All but the newest.
  void keep_newest(std::size_t n);
  void drop_newest(std::size_t n);

 private:
  struct stretch {
    seconds pass;
    pass_id passes;
    double unsure;  ///< passes that may be missing or too many, for stretches meet
  };
  static std::optional<estimate> of(std::vector<stretch> some);

  std::vector<stretch> stretches_;
};

/// The passes in which a change of the map has to pay.
struct horizon {
  pass_id passes = 0;    ///< that are left, or as many as there were where nobody knows
  bool is_free = false;  ///< it is over before the program's time counts
};

/// What a change costs, in passes of the present map.
struct change_cost {
  double there = 0;     ///< moving data, laying out, cold passes
  double on_trial = 0;  ///< passes with the new map before it can be left
};

/// What a change from `here` to `there` wins on average, in passes of `here`: what it saves in those that are
/// left if it is better, without what a trial loses if it is worse and the map is changed back. `tells_of`:
/// another map, of which passes with `there` tell whether it is better.
double worth_of(const estimate& there, const estimate& here, const horizon& left, const change_cost& cost,
                const std::optional<estimate>& tells_of = std::nullopt);

}  // namespace yoke::scheduling
