#include "shares.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include <yoke/balancer.hpp>

namespace yoke::scheduling {

namespace {

/// A move must promise this much, and on request.
constexpr double least_gain = 0.03, least_gain_on_request = 0.01;
/// What units of several memories cost each other in a loop, of which what each takes tells little: so much
/// better must it be to share among them, within these bounds. And so much better alone, where they do.
constexpr seconds cost_of_company = 60e-6;
constexpr double least_gain_of_company = 0.005, most_gain_of_company = 0.05, least_gain_alone = 0.005;
/// Where company costs less than the least of that, it may promise too little and is tried once all the same,
/// after so many loops: a GPU's time goes in steps of whole waves, which no line foresees. What was measured
/// knows the cost, so that less is enough to stay.
constexpr std::int64_t least_loops_of_trial = 32;
constexpr double least_promise_of_trial = 0.001, most_price_of_trial = 0.01, least_gain_of_trial = 0.003;
/// With few times, only what is this much better.
constexpr double obvious_gain = 0.3;
constexpr int few_samples = 2;
/// Of the doubt about the times, so much must be gained besides.
constexpr double caution = 0.5;
/// All of that is so many times more for each move after the first ones: a machine that never comes to rest
/// is left alone.
constexpr double more_for_each_move = 0.25, most_times_more = 4;
/// A move is worth it when it is won back within as many loops as there were, or within so many.
constexpr std::int64_t least_horizon = 64;
/// Times that differ by more than this from what they were mean that something else runs now.
constexpr double changed = 0.25;
/// Shares of a unit are alike that differ by less than this part of them.
constexpr double alike = 0.1;
/// Loops between looks: twice as many each time, up to so many, of which five are timed; those behind a move
/// at once, and the next ones later with each move.
constexpr std::int64_t shortest_period = 8, longest_period = 256;
constexpr int quick_moves = 4;

double gain_of_company(const usual_loop& now) {
  return std::clamp(cost_of_company / now.all, least_gain_of_company, most_gain_of_company);
}

/// Whether two units may be as fast as each other, for all that their times tell.
bool are_alike(const usual_loop& now, const share_list& shares, std::size_t a, std::size_t b) {
  const auto of_index = [&](const std::vector<seconds>& times, std::size_t unit) {
    return times[unit] / static_cast<double>(shares[unit]);
  };
  return of_index(now.units, a) <= of_index(now.late, b) && of_index(now.units, b) <= of_index(now.late, a);
}

bool differ(seconds a, seconds b) { return std::abs(a - b) > changed * std::max(a, b); }

}  // namespace

balancer::balancer(std::int64_t n, std::vector<sharing_unit> units)
    : n_{n}, units_{std::move(units)}, known_{units_.size()} {
  shares_ = shares_by_weight(n_, weights_of(units_), least_);
}

share_list balancer::shares_of_at_least(std::int64_t least) {
  least_ = std::clamp<std::int64_t>(least, 1, std::max<std::int64_t>(n_, 1));
  if (std::ranges::all_of(shares_, [&](std::int64_t share) { return share == 0 || share >= least_; }))
    return shares_;
  const std::vector<double> weights(shares_.begin(), shares_.end());
  return shares_by_weight(n_, weights, least_);
}

bool balancer::count(std::string_view kind, int loops) {
  loops_ += loops;
  if (quiet_ > 0) --quiet_;
  return times_.count(kind, loops) && quiet_ == 0;
}

bool balancer::is_time_to_look() const {
  if (quiet_ > 0) return false;
  const bool may_be_early = !before_ && !has_looked_;
  return times_.is_complete() || (may_be_early && times_.is_complete(few_samples));
}

std::optional<share_list> balancer::look(double bytes, haste how) {
  if (how == haste::none && !times_.is_complete()) how = haste::early;
  const std::optional<usual_loop> now =
      times_.usual(how == haste::none ? loop_times::samples_of_kind : few_samples);
  if (!now) return std::nullopt;
  if (has_changed(*now)) {
    measure_anew(*now);
    if (how != haste::now) return std::nullopt;
  }
  known_.add(shares_, *now);
  take_units_as_usual(*now);
  has_measured_ = true;
  // What cold loops tell of company would never be corrected by one alone.
  rests_.add(memories_of(shares_, units_), *now, how == haste::early);
  has_looked_ = true;
  last_ = *now;
  if (how != haste::early) remember(now->all);
  if (how == haste::early) return better(*now, bytes, how);
  std::optional<share_list> to = way_back(*now, bytes);
  if (!to) to = better(*now, bytes, how);
  if (!to) wait(std::clamp(2 * period_, shortest_period, longest_period));
  return to;
}

/// A unit that got nothing because it was disturbed once would never be measured again: it is taken to be as
/// fast as those like it. So is one whose times differ from theirs by no more than each one's do: who was
/// quick by chance would get more, and be late.
void balancer::take_units_as_usual(const usual_loop& now) {
  for (std::size_t unit = 0; unit < units_.size(); ++unit)
    if (const auto like = usual_unit_like(units_[unit], units_, shares_, now.units))
      if (shares_[unit] == 0 || are_alike(now, shares_, unit, *like)) known_.take_as(unit, *like);
}

bool balancer::has_changed(const usual_loop& now) const {
  if (!last_) return false;
  bool is_changed = differ(now.all, last_->all);
  for (std::size_t unit = 0; unit < units_.size(); ++unit)
    is_changed = is_changed || (shares_[unit] > 0 && differ(now.units[unit], last_->units[unit]));
  return is_changed;
}

/// Some of the times are of before, and a mean of both is true of neither.
void balancer::measure_anew(const usual_loop& now) {
  found_ = fmt::format(
      "a loop takes {:.3g} ms, and its parts take otherwise than before; it is measured anew", 1e3 * now.all);
  known_.keep_newest();
  refused_.clear();
  measured_.clear();
  before_.reset();
  last_.reset();
  times_ = {};
}

std::optional<share_list> balancer::way_back(const usual_loop& now, double bytes) {
  if (!before_) return std::nullopt;
  const proposal before = *before_;
  before_.reset();
  const double loss = 1 - before.time / now.all;
  const double doubt = caution * now.doubt;
  const double most = newest_ == reason::trial
                          ? -least_gain_of_trial - doubt
                          : reluctance() * (least_gain + doubt) + price_of(before.shares, now, bytes);
  if (loss < most) return std::nullopt;
  found_ = fmt::format("a loop takes {:.3g} ms, and took {:.3g} ms before the last move: back", 1e3 * now.all,
                       1e3 * before.time);
  refused_.push_back(shares_);
  next_ = reason::way_back;
  return before.shares;
}

std::optional<share_list> balancer::better(const usual_loop& now, double bytes, haste how) {
  const std::optional<proposal> best = best_proposal(now);
  found_ = fmt::format("a loop takes {:.3g} ms; no other shares promise less", 1e3 * now.all);
  if (!best || best->time >= now.all) return std::nullopt;
  const double gain = 1 - best->time / now.all, needed = needed_gain(*best, now, bytes, how);
  found_ = fmt::format(
      "a loop takes {:.3g} ms; the best other shares promise {:.1f}% less, and a move pays from {:.1f}%",
      1e3 * now.all, 100 * gain, 100 * needed);
  if (gain < needed) {
    if (how != haste::none || !is_worth_a_trial(*best, now, bytes)) return std::nullopt;
    found_ += "; tried once";
    next_ = reason::trial;
  }
  return best->shares;
}

double balancer::needed_gain(const proposal& best, const usual_loop& now, double bytes, haste how) const {
  if (how == haste::now) return least_gain_on_request;
  const double price = price_of(best.shares, now, bytes);
  if (how == haste::early) return obvious_gain + price;
  if (memories_in(best.shares, units_) < memories_in(shares_, units_))
    return least_gain_alone + caution * now.doubt + price;
  const double least = uses_the_same_units(best.shares, shares_) ? least_gain : gain_of_company(now);
  return reluctance() * (least + caution * now.doubt) + price;
}

bool balancer::is_worth_a_trial(const proposal& best, const usual_loop& now, double bytes) const {
  return loops_ >= least_loops_of_trial && memories_in(best.shares, units_) > memories_in(shares_, units_) &&
         cost_of_company < least_gain_of_company * now.all &&
         best.time < (1 - least_promise_of_trial) * now.all &&
         time_of_move(shares_, best.shares, units_, bytes) <
             most_price_of_trial * now.all * static_cast<double>(loops_);
}

/// Of what is foreseen, and of earlier shares of the same units, which may have been better than the present
/// ones.
std::optional<balancer::proposal> balancer::best_proposal(const usual_loop& now) const {
  std::vector<proposal> all;
  for (const std::vector<bool>& set : sets_of_units(units_))
    if (std::optional<proposal> next = among(set, now)) all.push_back(*std::move(next));
  for (const proposal& earlier : measured_)
    if (uses_the_same_units(earlier.shares, shares_)) all.push_back(earlier);
  std::erase_if(all, [&](const proposal& each) { return is_refused(each.shares); });
  const auto price = [&](const proposal& each) {
    return each.time / (is_company(each.shares) ? 1 - gain_of_company(now) : 1);
  };
  const auto best = std::ranges::min_element(all, {}, price);
  return best == all.end() ? std::nullopt : std::optional{*best};
}

std::optional<balancer::proposal> balancer::among(const std::vector<bool>& units,
                                                  const usual_loop& now) const {
  std::vector<performance_function> functions;
  std::vector<amount_limits> limits;
  bool any = false;
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    const bool takes_part = units[unit] && known_.knows(unit);
    any = any || takes_part;
    functions.push_back(takes_part ? known_.function_of(unit)
                                   : performance_function{std::vector<performance_point>{{1, 1}}});
    limits.push_back(takes_part ? amount_limits{} : amount_limits{.most = 0});
  }
  if (!any) return std::nullopt;
  proposal made{shares_by(n_, functions, std::move(limits), least_)};
  for (std::size_t unit = 0; unit < units_.size(); ++unit)
    made.time = std::max(made.time, functions[unit].time(made.shares[unit]));
  made.time += rests_.with(memories_of(made.shares, units_), memories_of(shares_, units_), now);
  made.time = measured_with(made.shares).value_or(made.time);
  return made;
}

bool balancer::is_company(const share_list& shares) const { return memories_in(shares, units_) > 1; }

double balancer::price_of(const share_list& to, const usual_loop& now, double bytes) const {
  const auto horizon = static_cast<double>(std::max(loops_, least_horizon));
  return time_of_move(shares_, to, units_, bytes) / (now.all * horizon);
}

bool balancer::is_refused(const share_list& shares) const {
  const auto is_like = [&](const share_list& other) {
    return std::ranges::equal(shares, other, [](std::int64_t a, std::int64_t b) {
      return static_cast<double>(std::abs(a - b)) <= alike * static_cast<double>(std::max(a, b));
    });
  };
  return shares == shares_ || std::ranges::any_of(refused_, is_like);
}

void balancer::remember(seconds time) {
  constexpr std::size_t kept = 16;
  std::erase_if(measured_, [&](const proposal& each) { return each.shares == shares_; });
  if (measured_.size() == kept) measured_.erase(measured_.begin());
  measured_.push_back({shares_, time});
}

std::optional<seconds> balancer::measured_with(const share_list& shares) const {
  const auto known = std::ranges::find(measured_, shares, &proposal::shares);
  return known == measured_.end() ? std::nullopt : std::optional{known->time};
}

double balancer::reluctance() const {
  return std::min(1 + more_for_each_move * std::max(moves_ - quick_moves, 0), most_times_more);
}

void balancer::wait(std::int64_t loops) {
  period_ = quiet_ = loops;
  times_.start_period();
}

void balancer::move_to(share_list shares) {
  before_.reset();
  if (last_ && next_ != reason::way_back) before_ = proposal{shares_, last_->all};
  newest_ = std::exchange(next_, reason::promise);
  last_.reset();
  has_looked_ = false;
  times_ = {};
  shares_ = std::move(shares);
  ++moves_;
  wait(0);  // they may be bad ones
  if (const int late = std::min(moves_ - quick_moves, 5); late >= 0) period_ = shortest_period << late;
}

void balancer::refuse(share_list shares, std::string_view why) {
  found_ += fmt::format("; {}", why);
  refused_.push_back(std::move(shares));
  next_ = reason::promise;
  wait(std::clamp(2 * period_, shortest_period, longest_period));
}

std::string balancer::explain() const {
  std::string text = fmt::format("{} loops, {} moves; {}", loops_, moves_, found_);
  if (!last_) return text;
  for (std::size_t unit = 0; unit < units_.size(); ++unit)
    text += fmt::format("\nunit {}: {:.3g} ms a loop for {}", unit, 1e3 * last_->units[unit], shares_[unit]);
  return text;
}

}  // namespace yoke::scheduling
