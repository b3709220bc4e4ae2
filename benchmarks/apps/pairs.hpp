#pragma once
/// Times of both forms of an application, by turns, so that what disturbs the machine disturbs both.

#include "apps.hpp"

#include <optional>
#include <string_view>
#include <vector>

#include <yoke/clock.hpp>

namespace apps {

/// How often the plain form runs, which may take far longer.
enum class plain_runs {
  by_turns,
  as_warm_up,  ///< and once more as often to compare results
  none
};

struct sampling {
  int pairs = 11;
  double sample_ms = 30;  ///< that one lasts
  plain_runs plain = plain_runs::by_turns;
};

/// Seconds of a run.
struct pair {
  std::optional<yoke::seconds> plain;
  yoke::seconds yoke = 0;
};

/// Of both forms, or of elements of Yoke's form where there is no other.
enum class verdict { agree, differ, right_in_places, wrong_in_places, not_compared };
std::string_view name_of(verdict what);
bool is_good(verdict what);

struct measured_app {
  std::vector<pair> pairs;
  verdict results = verdict::not_compared;

  yoke::seconds median_of_yoke() const;
  /// Nothing where the plain form did not run.
  std::optional<yoke::seconds> median_of_plain() const;
  std::optional<double> median_ratio() const;  ///< Yoke over plain
};

measured_app measure(app& of, const sampling& how);

}  // namespace apps
