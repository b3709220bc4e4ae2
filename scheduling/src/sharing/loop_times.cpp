/// What loops take, and what a share would.
#include "../speeds/median.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <yoke/loop_times.hpp>

namespace yoke::scheduling {

namespace {

/// Without the longest one, which may have been disturbed, where enough are left.
std::vector<seconds> without_longest(std::vector<seconds> times) {
  constexpr std::size_t enough = 3;
  if (times.size() > enough) times.erase(std::ranges::max_element(times));
  return times;
}

/// Of one kind.
usual_loop typical(const std::vector<timed_loop>& samples) {
  usual_loop found;
  std::vector<seconds> values(samples.size());
  for (std::size_t unit = 0; unit < samples.front().units.size(); ++unit) {
    std::ranges::transform(samples, values.begin(), [&](const timed_loop& each) { return each.units[unit]; });
    found.units.push_back(detail::median(values));
    found.late.push_back(std::ranges::max(without_longest(values)));
  }
  measured_time all;
  for (std::size_t i = 0; i < samples.size(); ++i) all.add(values[i] = samples[i].all);
  found.doubt = all.relative_error();
  const std::vector<seconds> usual = without_longest(values);
  found.all =
      std::max(std::accumulate(usual.begin(), usual.end(), seconds{0}) / static_cast<double>(usual.size()),
               std::ranges::max(found.units));
  found.steps = samples.back().steps;
  std::ranges::transform(samples, values.begin(), &timed_loop::with_host);
  found.with_host = detail::median(values);
  return found;
}

void add(usual_loop& to, const usual_loop& kind, double part) {
  to.units.resize(kind.units.size());
  to.late.resize(kind.units.size());
  for (std::size_t unit = 0; unit < kind.units.size(); ++unit) {
    to.units[unit] += part * kind.units[unit];
    to.late[unit] += part * kind.late[unit];
  }
  to.all += part * kind.all;
  to.with_host += part * kind.with_host;
  to.doubt += part * kind.all * kind.doubt;
}

/// Whether a unit needs longer for more.
bool agree(const performance_point& a, const performance_point& b) {
  return (a.amount < b.amount && a.time < b.time) || (b.amount < a.amount && b.time < a.time);
}

}  // namespace

seconds usual_loop::longest() const { return std::ranges::max(late); }

loop_times::kind& loop_times::of(std::string_view name) {
  const auto known = std::ranges::find(kinds_, name, &kind::name);
  return known != kinds_.end() ? *known : kinds_.emplace_back(kind{std::string{name}});
}

bool loop_times::count(std::string_view name, int loops) {
  kind& mine = of(name);
  mine.count += loops;
  return mine.count > loops && mine.timed < samples_of_kind;
}

void loop_times::add(std::string_view name, const timed_loop& loop) {
  constexpr std::size_t kept = 2 * samples_of_kind;
  kind& mine = of(name);
  ++mine.timed;
  if (mine.samples.size() == kept) mine.samples.erase(mine.samples.begin());
  mine.samples.push_back(loop);
}

bool loop_times::is_complete(int samples) const {
  constexpr double nearly_all = 0.9;
  double all = 0, timed = 0;
  for (const kind& each : kinds_) {
    all += each.count;
    if (each.timed >= samples) timed += each.count;
  }
  return timed > 0 && timed >= nearly_all * all;
}

std::optional<usual_loop> loop_times::usual(int samples) const {
  double loops = 0;
  seconds longest = 0;
  usual_loop found;
  for (const kind& each : kinds_) {
    if (std::ssize(each.samples) < samples) continue;
    loops += each.count;
    const usual_loop one = typical(each.samples);
    scheduling::add(found, one, each.count);
    if (each.count * one.all < longest) continue;
    longest = each.count * one.all;
    found.steps = one.steps;
  }
  if (loops == 0) return std::nullopt;
  if (found.all > 0) found.doubt /= found.all;
  for (seconds& each : found.units) each /= loops;
  for (seconds& each : found.late) each /= loops;
  found.all /= loops;
  found.with_host /= loops;
  return found;
}

void loop_times::start_period() {
  for (kind& each : kinds_) {
    each.count /= 2;
    each.timed = 0;
  }
}

void share_times::add(std::span<const std::int64_t> shares, const usual_loop& loop) {
  constexpr seconds least = 1e-9;
  constexpr std::size_t kept = 4;
  for (std::size_t unit = 0; unit < points_.size(); ++unit) {
    if (!loop.steps.empty()) steps_[unit] = loop.steps[unit];
    if (shares[unit] == 0) continue;
    const std::int64_t amount = next_multiple(shares[unit], steps_[unit]);
    std::vector<performance_point>& mine = points_[unit];
    std::erase_if(
        mine, [&](const performance_point& each) { return std::abs(each.amount - amount) <= amount / 20; });
    mine.push_back({amount, std::max(loop.late[unit], least)});
    if (mine.size() > kept) mine.erase(mine.begin());
  }
}

void share_times::keep_newest() {
  for (std::vector<performance_point>& each : points_)
    if (each.size() > 1) each.erase(each.begin(), each.end() - 1);
}

performance_function share_times::function_of(std::size_t unit) const {
  std::vector<performance_point> agreed;
  for (auto each = points_[unit].rbegin(); each != points_[unit].rend(); ++each)
    if (std::ranges::all_of(agreed, [&](const performance_point& other) { return agree(*each, other); }))
      agreed.push_back(*each);
  std::ranges::sort(agreed, {}, &performance_point::amount);
  const performance_point first = agreed.front();
  if (first.amount == 1) return performance_function{std::move(agreed), steps_[unit]};
  // Down to 1 the first line goes on, as far as it stays between a fixed time and one in proportion.
  seconds of_one = first.time / static_cast<double>(first.amount);
  if (agreed.size() > 1) {
    const double slope = (agreed[1].time - first.time) / static_cast<double>(agreed[1].amount - first.amount);
    of_one = std::clamp(first.time - slope * static_cast<double>(first.amount - 1), of_one, first.time);
  }
  agreed.insert(agreed.begin(), {1, of_one});
  return performance_function{std::move(agreed), steps_[unit]};
}

void rest_times::add(const memory_list& memories, const usual_loop& loop, bool is_cold) {
  if (memories.size() < 2) return;
  if (memories.front() == host_space) with_host_ = loop.with_host;
  if (is_cold) return;
  std::erase_if(rests_, [&](const rest& each) { return each.memories == memories; });
  rests_.push_back({memories, loop.rest()});
}

seconds rest_times::with(const memory_list& memories, const memory_list& present,
                         const usual_loop& now) const {
  const auto is_company = [](const memory_list& of) { return of.size() > 1; };
  const auto has_host = [&](const memory_list& of) { return is_company(of) && of.front() == host_space; };
  if (memories == present || (!is_company(memories) && !is_company(present))) return now.rest();
  if (!is_company(memories)) return 0;
  const auto known = std::ranges::find(rests_, memories, &rest::memories);
  if (known != rests_.end()) return known->all;
  const rest like = is_company(present) || rests_.empty() ? rest{present, now.rest()} : rests_.back();
  if (has_host(memories) == has_host(like.memories)) return like.all;
  return has_host(memories) ? like.all + with_host_ : like.all - with_host_;
}

}  // namespace yoke::scheduling
