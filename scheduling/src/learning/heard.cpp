#include "heard.hpp"

#include "../speeds/median.hpp"
#include "../speeds/sample.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

constexpr std::size_t most_of_unit = 64;
}  // namespace

void heard_batches::keep(unit_id unit, double weight, seconds time, bool is_warm) {
  if (!is_sample(weight, time)) return;
  of_unit& own = each_[index(unit)];
  const std::lock_guard guard{own.lock};
  if (own.is_warm && !is_warm) return;
  if (is_warm && !std::exchange(own.is_warm, true)) own.kept.clear();
  own.kept.emplace_back(weight, time);
  if (own.kept.size() > 2 * most_of_unit)
    own.kept.erase(own.kept.begin(), own.kept.end() - static_cast<std::ptrdiff_t>(most_of_unit));
}

void heard_batches::add(unit_id unit, double weight, seconds time, bool is_warm) {
  keep(unit, weight, time, is_warm);
  const std::lock_guard guard{each_[index(unit)].lock};
  each_[index(unit)].is_heard = true;
  each_[index(unit)].busy += is_sample(time) ? time : 0;
}

void heard_batches::finished(unit_id unit) {
  of_unit& own = each_[index(unit)];
  const std::lock_guard guard{own.lock};
  const seconds busy = std::exchange(own.busy, 0);
  if (busy > 0 && own.of_passes.size() < most_of_unit) own.of_passes.push_back(busy);
}

void heard_batches::begin_block() {
  for (of_unit& own : each_) {
    const std::lock_guard guard{own.lock};
    own.of_passes.clear();
  }
}

seconds heard_batches::busiest(unit_kind kind) const {
  std::vector<seconds> longest;
  for (const std::size_t u : units_of(kind, units_)) {
    const std::lock_guard guard{each_[u].lock};
    const std::vector<seconds>& own = each_[u].of_passes;
    longest.resize(std::max(longest.size(), own.size()));
    for (std::size_t i = 0; i < own.size(); ++i) longest[i] = std::max(longest[i], own[i]);
  }
  return longest.empty() ? 0 : detail::median(longest);
}

void heard_batches::rehearse(unit_id unit, double weight, seconds time) {
  if (!is_sample(weight, time)) return;
  if (units_[index(unit)].kind == unit_kind::cpu) return add(unit, weight, time, true);
  const std::lock_guard guard{each_[index(unit)].lock};
  each_[index(unit)].rehearsed = {weight, time};
}

bool heard_batches::is_heard(std::size_t unit) const {
  const std::lock_guard guard{each_[unit].lock};
  return each_[unit].is_heard;
}

bool heard_batches::is_rehearsed(std::size_t unit) const {
  const std::lock_guard guard{each_[unit].lock};
  return each_[unit].is_heard || each_[unit].rehearsed.second > 0;
}

void heard_batches::forget_but(std::size_t newest) {
  for (of_unit& own : each_) {
    const std::lock_guard guard{own.lock};
    const std::size_t n = std::min(newest, own.kept.size());
    own.kept.erase(own.kept.begin(), own.kept.end() - static_cast<std::ptrdiff_t>(n));
    own.rehearsed = {0, 0};
  }
}

}  // namespace yoke::scheduling
