// What others know of tasks that have no CU.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

void task_core::promise(task_record& one) {
  if (std::exchange(one.is_promised, true)) return;
  for (const known_use& each : one.uses) {
    object_users& of = *each.of;
    ++of.n_promised;
    if (!each.is_object() || of.promise != nullptr) continue;
    of.promise = std::make_shared<object_promise>(*this, one.name);
    of.promise->of = &of;
    promise_work(rt_.memory(), {&each.object, 1}, of.promise);
  }
}

void task_core::keep_promise(task_record& one) {
  if (!std::exchange(one.is_promised, false)) return;
  for (const known_use& each : one.uses)
    if (--each.of->n_promised == 0 && each.of->promise != nullptr && each.of->promise->is_awaited)
      end_promise(*each.of);
}

void task_core::end_promise(object_users& of) {
  if (of.promise == nullptr) return;
  {
    const auto table = versions_of(rt_.memory()).lock();
    of.promise->end();
  }
  of.promise->is_kept = true;
  of.promise = nullptr;
  if (n_waiting_ > 0) wake();
}

std::vector<task_record_ptr> task_core::promised_by(const object_promise& which) const {
  std::vector<task_record_ptr> all;
  for (const task_record_ptr& one : open_)
    if (one->is_promised && std::ranges::any_of(one->uses, [&](const known_use& each) {
          return each.of->promise.get() == &which;
        }))
      all.push_back(one);
  return all;
}

void task_core::await(const versions::mark_ptr& promise) {
  auto& of = static_cast<object_promise&>(*promise);
  refuse(of.task, ", which has no CU yet: an object that it uses is asked for");
  guard locked{*this};
  of.is_awaited = true;
  if (!of.is_kept && of.of->n_promised == 0) end_promise(*of.of);
  const bool is_agent = agent_here() != nullptr;
  const auto is_kept = [&] { return of.is_kept; };
  try {
    block(locked, is_agent && !of.is_kept ? promised_by(of) : std::vector<task_record_ptr>{}, is_kept);
  } catch (const usage_error& circle) {
    throw usage_error{
        fmt::format("{}; for an object that it or its tasks use an agent asks me.host", circle.what())};
  }
}

/// To the last writer that is not cancelled.
void task_core::give_tokens_back(const task_record_ptr& one) {
  const auto before = [](const task_record_ptr& of, const known_use& which) {
    for (const known_use& each : of->uses)
      if (each.order == which.order && each.as != task_role::in) return each.previous;
    return task_record_ptr{};
  };
  for (const known_use& each : one->uses) {
    if (each.is_object() || each.as == task_role::in) continue;
    const std::lock_guard token{each.order->lock};
    while (each.order->writer != nullptr && each.order->writer->is_cancelled)
      each.order->writer = before(each.order->writer, each);
  }
}

/// Who reads it later fails, too, as behind one that wrote it.
void task_core::break_tokens(const task_record_ptr& one) {
  for (const known_use& each : one->uses) {
    if (each.as != task_role::commute || each.is_object() || each.among != &users_) continue;
    const std::lock_guard token{each.order->lock};
    if (each.order->writer == nullptr || each.order->writer->number < one->number) each.order->writer = one;
  }
}

}  // namespace yoke::detail
