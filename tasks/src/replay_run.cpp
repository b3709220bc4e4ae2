#include "replay_run.hpp"

#include <algorithm>
#include <utility>

#include <yoke/detail/spin.hpp>

namespace yoke::detail {

namespace {

/// How long a seat may take to come: to wake its thread, a few times over.
constexpr seconds comes_within = 200e-6;

}  // namespace

replay_run::replay_run(const seat_plan& of, std::shared_ptr<void> owner,
                       std::vector<flow::shared_use::state> objects)
    : of_{of},
      owner_{std::move(owner)},
      lists_(of.lists.size()),
      n_left_(of.next.empty() ? 0 : of.steps.size()),
      objects_{std::move(objects)},
      errors_(of.steps.size()) {
  for (std::size_t i = 0; i < lists_.size(); ++i) lists_[i].at = of.lists[i].first;
  for (std::size_t i = 0; i < n_left_.size(); ++i)
    n_left_[i].store(of.steps[i].n_before, std::memory_order_relaxed);
  addresses_.reserve(of.uses.size());
  for (const seat_plan::use& each : of.uses) addresses_.push_back(objects_[each.object].address);
}

void replay_run::note_what_came_before(shared_table& memory) {
  if (objects_.empty()) return;
  const auto table = memory.lock();
  for (flow::shared_use::state& each : objects_) {
    if (each.error == nullptr && each.writer != nullptr) each.error = each.writer->error();
    each.writer = nullptr;
    if (each.error != nullptr) has_failed_.store(true, std::memory_order_relaxed);
  }
}

bool replay_run::take(std::size_t list, std::vector<std::size_t>& own) {
  if (lists_[list].is_taken.exchange(true, std::memory_order_acq_rel)) return false;
  own.push_back(list);
  return true;
}

bool replay_run::take_any(std::vector<std::size_t>& own) {
  for (std::size_t i = 0; i < lists_.size(); ++i)
    if (!lists_[i].is_taken.load(std::memory_order_relaxed) && take(i, own)) return true;
  return false;
}

bool replay_run::has_run() const {
  return std::ranges::all_of(lists_, [](const list_state& each) { return each.is_taken.load(); });
}

void replay_run::work(std::size_t list, const compute_unit& unit, shared_table& memory) {
  std::call_once(is_begun_, [&] { note_what_came_before(memory); });
  task_context me{unit, {}};
  std::vector<std::size_t> own;
  own.reserve(lists_.size());
  take(list, own);
  while (!own.empty() || take_any(own)) {
    bool goes_on = false;
    for (const std::size_t each : own) goes_on = do_list(each, me) || goes_on;
    std::erase_if(own, [&](std::size_t each) { return lists_[each].at == of_.lists[each].end; });
    if (!goes_on && !own.empty()) wait_for_others(own);
  }
}

bool replay_run::is_ready(const seat_plan::step& step, std::uint32_t at) const {
  return step.n_before == 0 || n_left_[at].load() == 0;
}

/// What is ready of it; whether there was some.
bool replay_run::do_list(std::size_t list, task_context& me) {
  const std::uint32_t first = lists_[list].at, end = of_.lists[list].end;
  std::uint32_t at = first;
  for (; at != end && is_ready(of_.steps[at], at); ++at) run(at, me);
  lists_[list].at = at;
  return at != first;
}

bool replay_run::has_ready(const std::vector<std::size_t>& own) const {
  return std::ranges::any_of(own, [&](std::size_t list) {
    const std::uint32_t at = lists_[list].at;
    return is_ready(of_.steps[at], at);
  });
}

void replay_run::wait_for_others(std::vector<std::size_t>& own) {
  const ticks from = now();
  for (const auto is_so = [&] { return has_ready(own); }; elapsed(from, now()) < comes_within;)
    if (spin_until(is_so)) return;
  if (take_any(own)) return;
  n_asleep_.fetch_add(1);
  const std::uint32_t seen = n_changes_.load();
  if (!has_ready(own)) n_changes_.wait(seen);  // those that it waits for are run
  n_asleep_.fetch_sub(1);
}

void replay_run::run(std::uint32_t at, task_context& me) {
  const seat_plan::step& step = of_.steps[at];
  if (has_failed_.load(std::memory_order_relaxed))
    if (const std::exception_ptr cause = cause_of(step); cause != nullptr) return fail(at, cause);
  try {
    (*step.body)(me, addresses_.data() + step.first_use);
  } catch (...) {
    return fail(at, std::current_exception());
  }
  if (has_failed_.load(std::memory_order_relaxed)) write_all(step, nullptr);
  is_done(step);
}

/// What it reads is broken, or what it comes after has failed.
std::exception_ptr replay_run::cause_of(const seat_plan::step& step) const {
  for (std::uint32_t i = step.first_use; i != step.end_use; ++i)
    if (of_.uses[i].as != task_role::out && objects_[of_.uses[i].object].error != nullptr)
      return objects_[of_.uses[i].object].error;
  for (std::uint32_t i = step.first_cause; i != step.end_cause; ++i)
    if (errors_[of_.causes[i]] != nullptr) return errors_[of_.causes[i]];
  return nullptr;
}

void replay_run::fail(std::uint32_t at, const std::exception_ptr& error) {
  const seat_plan::step& step = of_.steps[at];
  errors_[at] = error;
  write_all(step, error);
  {
    const std::lock_guard locked{lock_};
    if (first_error_ == nullptr || step.task < first_failed_) first_error_ = error, first_failed_ = step.task;
  }
  has_failed_.store(true, std::memory_order_relaxed);
  is_done(step);
}

void replay_run::write_all(const seat_plan::step& step, const std::exception_ptr& error) {
  for (std::uint32_t i = step.first_use; i != step.end_use; ++i)
    if (of_.uses[i].as != task_role::in) objects_[of_.uses[i].object].error = error;
}

/// Who sleeps has said so before it looked for the last time; in one order with the counts here.
void replay_run::is_done(const seat_plan::step& step) {
  bool is_news = false;
  for (std::uint32_t i = step.first_next; i != step.end_next; ++i)
    is_news = n_left_[of_.next[i]].fetch_sub(1) == 1 || is_news;
  if (!is_news || n_asleep_.load() == 0) return;
  n_changes_.fetch_add(1);
  n_changes_.notify_all();
}

std::exception_ptr replay_run::error_of(std::size_t object) const {
  return has_failed_.load() ? objects_[object].error : nullptr;
}

}  // namespace yoke::detail
