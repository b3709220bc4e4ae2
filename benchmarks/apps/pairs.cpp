#include "pairs.hpp"

#include "record/median.hpp"

#include <algorithm>

namespace apps {

namespace {

constexpr int warm_up = 3;

yoke::seconds time_of_plain(app& of, int runs) {
  const yoke::ticks from = yoke::now();
  for (int n = 0; n < runs; ++n) of.run_plain();
  return yoke::elapsed(from, yoke::now()) / runs;
}

yoke::seconds time_of_yoke(app& of, int runs) {
  const yoke::ticks from = yoke::now();
  for (int n = 0; n < runs; ++n) of.run_yoke();
  of.finish();
  return yoke::elapsed(from, yoke::now()) / runs;
}

/// Of a run when cuts have followed what loops take for as long as a sample is.
yoke::seconds settled_time(app& of, yoke::seconds sample) {
  const yoke::ticks from = yoke::now();
  yoke::seconds last = 0;
  do last = time_of_yoke(of, warm_up);
  while (yoke::elapsed(from, yoke::now()) < sample);
  return last;
}

/// As many runs of each.
bool agrees(app& of) {
  for (int n = 0; n < warm_up; ++n) of.run_plain(), of.run_yoke();
  return of.agree();
}

verdict verdict_in_places(const app& of) {
  const std::optional<bool> is_right = of.is_right_in_places();
  if (!is_right) return verdict::not_compared;
  return *is_right ? verdict::right_in_places : verdict::wrong_in_places;
}

std::vector<pair> sample(app& of, const sampling& how) {
  const bool by_turns = how.plain == plain_runs::by_turns;
  std::optional<yoke::seconds> plain;
  if (how.plain != plain_runs::none) plain = time_of_plain(of, warm_up);
  const yoke::seconds length = how.sample_ms / 1e3;
  const yoke::seconds yoke = by_turns ? time_of_yoke(of, warm_up) : settled_time(of, length);
  const int runs = std::max(1, static_cast<int>(length / (by_turns ? std::max(*plain, yoke) : yoke)));
  const auto plain_time = [&] { return by_turns ? time_of_plain(of, runs) : plain; };
  std::vector<pair> pairs;
  for (int n = 0; n < how.pairs; ++n) {
    pair next;
    if (n % 2 == 0) next.plain = plain_time();
    next.yoke = time_of_yoke(of, runs);
    if (n % 2 == 1) next.plain = plain_time();
    pairs.push_back(next);
  }
  return pairs;
}

}  // namespace

std::string_view name_of(verdict what) {
  switch (what) {
    case verdict::agree:
      return "agree";
    case verdict::differ:
      return "DIFFER";
    case verdict::right_in_places:
      return "right in places";
    case verdict::wrong_in_places:
      return "WRONG";
    default:
      return "not compared";
  }
}

bool is_good(verdict what) { return what != verdict::differ && what != verdict::wrong_in_places; }

yoke::seconds measured_app::median_of_yoke() const { return record::median(pairs, &pair::yoke); }

std::optional<yoke::seconds> measured_app::median_of_plain() const {
  if (!pairs.front().plain) return std::nullopt;
  return record::median(pairs, [](const pair& each) { return *each.plain; });
}

std::optional<double> measured_app::median_ratio() const {
  if (!pairs.front().plain) return std::nullopt;
  return record::median(pairs, [](const pair& each) { return each.yoke / *each.plain; });
}

measured_app measure(app& of, const sampling& how) {
  measured_app made;
  if (how.plain == plain_runs::none) {
    made.pairs = sample(of, how);
    made.results = verdict_in_places(of);
    return made;
  }
  bool agree = agrees(of);
  made.pairs = sample(of, how);
  // By turns each has run as often as the other.
  if (how.plain == plain_runs::by_turns) agree = agree && of.agree();
  made.results = agree ? verdict::agree : verdict::differ;
  return made;
}

}  // namespace apps
