#pragma once
/// Times of both forms of an application, by turns, so that what disturbs the machine disturbs both.

#include "apps.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
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
  yoke::seconds sample = 0.03;  ///< that one lasts
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

/// Requires: !samples.empty().
template <class Sample, class Of>
double median(const std::vector<Sample>& samples, Of of) {
  std::vector<double> values;
  for (const Sample& each : samples) values.push_back(std::invoke(of, each));
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace apps
