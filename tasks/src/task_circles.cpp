// Agents that would wait for each other, and flags that nobody will tell.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

/// What must end, or be told, before it can go on; nothing where it goes on by itself.
std::vector<task_record_ptr> task_core::waited_for_by(const task_record& one) {
  if (one.is_over() || one.at == stage::named) return {};
  if (one.at == stage::held) {
    std::vector<task_record_ptr> all{one.before.begin(), one.before.end()};
    return all;
  }
  if (!one.has_started || one.is_task()) return {};
  if (!one.is_agent()) return {one.by};  // which gives it back
  return one.agent->waits() ? one.agent->waits_for : std::vector<task_record_ptr>{};
}

std::vector<task_record_ptr> task_core::circle_of(const task_record_ptr& one) const {
  std::vector<std::pair<task_record_ptr, std::size_t>> seen{{one, 0}};  // and for whose sake
  std::unordered_set<const task_record*> is_seen;
  for (std::size_t at = 0; at < seen.size(); ++at) {
    for (const task_record_ptr& next : waited_for_by(*seen[at].first)) {
      if (next == one) {
        std::vector<task_record_ptr> members;
        for (std::size_t on = at; on != 0; on = seen[on].second) members.push_back(seen[on].first);
        members.push_back(one);
        std::ranges::reverse(members);
        return members;
      }
      if (is_seen.insert(next.get()).second) seen.emplace_back(next, at);
    }
  }
  return {};
}

std::string task_core::in_words(const std::vector<task_record_ptr>& circle) {
  std::string text = circle.front()->name;
  for (std::size_t i = 1; i <= circle.size(); ++i)
    text += fmt::format("{} waits for {}", i == 1 ? "" : ", which", circle[i % circle.size()]->name);
  return text;
}

/// Who waits last is told; at its end it cannot be, then the next of its agents is, or its task fails.
void task_core::break_circle(const std::vector<task_record_ptr>& circle) {
  const auto error = std::make_exception_ptr(
      usage_error{fmt::format("a circle, in which nobody can go on: {}", in_words(circle))});
  for (const task_record_ptr& each : circle) {
    if (!each->is_agent() || !each->has_started || each->agent->has_left) continue;
    each->agent->circle = error;
    return wake();
  }
  close(circle.at(1), error);
}

/// Of a flag that is told: what it comes after must not wait for it. Its predecessors are known.
void task_core::refuse_circle(const task_record_ptr& one) const {
  one->at = stage::held;  // as it will be
  const std::vector<task_record_ptr> circle = circle_of(one);
  one->at = stage::named;
  if (circle.empty()) return;
  one->before.clear();
  one->n_after = 0;
  one->uses.clear();
  throw usage_error{fmt::format("a task would come after what waits for it: {}", in_words(circle))};
}

/// Whether nobody can tell of tasks but who waits for all, and nothing goes on.
bool task_core::is_stuck() const {
  if (n_waiting_for_all_ == 0 || open_.empty() || open_.size() != n_held_ + n_blocked_ + n_accesses_)
    return false;
  return std::ranges::all_of(open_, [](const task_record_ptr& each) {
    return each->at == stage::held || !each->is_agent() || !waited_for_by(*each).empty();
  });
}

void task_core::fail_flags_where_stuck() {
  if (!is_stuck()) return;
  std::vector<task_record_ptr> flags;
  for (const task_record_ptr& one : open_)
    for (const task_record_ptr& each : waited_for_by(*one))
      if (each->at == stage::named) flags.push_back(each);
  for (const task_record_ptr& each : flags) {
    if (each->is_over()) continue;
    each->at = stage::over;
    each->is_nothing = true;
    each->error = std::make_exception_ptr(usage_error{fmt::format(
        "{}: a flag that is waited for names no task, and all who could tell of one wait; give it to a "
        "task as .flag",
        each->name)});
    has_passed(*each);
  }
  if (!flags.empty()) wake();
}

}  // namespace yoke::detail
