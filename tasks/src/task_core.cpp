#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/detail/region_pieces.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

scheduling::task_machine machine_of(const runtime& rt) {
  return {.units = rt.schedule_units(), .room = {}, .ways = {}};
}

std::uint64_t number_of(const void* key) { return reinterpret_cast<std::uintptr_t>(key); }

/// What is over counts where it has failed.
void add_once(std::vector<task_record_ptr>& all, const task_record_ptr& one) {
  if (one == nullptr || std::ranges::find(all, one) != all.end()) return;
  if (one->at != task_record::stage::over || one->error != nullptr) all.push_back(one);
}

}  // namespace

task_core::task_core(runtime& rt)
    : rt_{rt},
      engine_{flow::runtime_engine::of(rt)},
      binder_{machine_of(rt)},
      units_(static_cast<std::size_t>(rt.units().size())) {}

std::vector<unit_id> task_core::units(unit_kind kind) const {
  std::vector<unit_id> all;
  for (const compute_unit& each : rt_.units().all())
    if (each.kind == kind) all.push_back(each.id);
  return all;
}

void task_core::refuse(std::string_view what) const {
  refuse_in_forked_child();
  if (engine_.get().is_in_work())
    throw usage_error{fmt::format("{} in a task, which must not tell of tasks nor wait for any", what)};
  if (openmp::in_region())
    throw usage_error{
        fmt::format("{} inside a parallel region, of a run or of the program; do it outside of that", what)};
}

const void* task_core::key_of(const task_use& use) {
  return use.object != nullptr ? use.object->start() : static_cast<const void*>(use.order);
}

// What is told.

void task_core::check(const told& next, const std::vector<unit_id>& on_queue) const {
  refuse(fmt::format("{}: told", next.name));
  if (!on_queue.empty() && !next.options.on.empty())
    throw usage_error{
        fmt::format("{}: a list of CUs in its options, and one of its queue; give one", next.name)};
  for (const task& each : next.options.after)
    if (each.of_ != nullptr && each.of_->of.lock().get() != this && each.of_->at != task_record::stage::over)
      throw usage_error{fmt::format("{}: it is to come after {}, a task of another group; wait for that",
                                    next.name, each.of_->name)};
  for (const task_use& each : next.uses)
    if (each.object != nullptr) check_region_of(rt_.memory(), *each.object);
}

void task_core::find_predecessors(task_record& of, const std::vector<task>& after) const {
  for (const task& each : after) add_once(of.after, each.of_);
  for (const task_use& each : of.uses) {
    if (each.order != nullptr && each.as != task_role::out) add_once(of.after, each.order->writer_);
    const auto found = users_.find(key_of(each));
    if (found == users_.end()) continue;
    add_once(of.behind, found->second.writer);
    if (each.as == task_role::in) continue;
    for (const task_record_ptr& reader : found->second.readers) add_once(of.behind, reader);
  }
}

std::vector<scheduling::told_task> task_core::open_before(const task_record& of) const {
  std::vector<scheduling::told_task> all;
  for (const auto* const some : {&of.after, &of.behind})
    for (const task_record_ptr& each : *some)
      if (each->at != task_record::stage::over) all.push_back(each->id);
  return all;
}

int task_core::kind_of(std::string_view name) {
  const auto found = kinds_.find(name);
  if (found != kinds_.end()) return found->second;
  return kinds_.emplace(std::string{name}, static_cast<int>(kinds_.size())).first->second;
}

void task_core::use_all(const task_record_ptr& one) {
  for (const task_use& each : one->uses) {
    users& of = users_[key_of(each)];
    ++of.n_open;
    if (each.as == task_role::in) {
      std::erase_if(of.readers,
                    [](const task_record_ptr& other) { return other->at == task_record::stage::over; });
      of.readers.push_back(one);
    } else {
      of.writer = one;
      of.readers.clear();
      if (each.order != nullptr) each.order->writer_ = one;
    }
  }
}

void task_core::let_go(task_record& one) {
  for (const task_use& each : one.uses) {
    const auto found = users_.find(key_of(each));
    if (--found->second.n_open > 0) continue;
    users_.erase(found);
    binder_.forget(number_of(key_of(each)));
  }
}

task_record_ptr task_core::tell(const told& next, const std::vector<unit_id>& on_queue) {
  const guard locked{lock_};
  check(next, on_queue);
  auto made = std::make_shared<task_record>();
  made->of = weak_from_this();
  made->name = next.name;
  made->uses = next.uses;
  made->body = next.body;
  find_predecessors(*made, next.options.after);
  const std::vector<scheduling::told_task> after = open_before(*made);
  std::vector<scheduling::piece_use> pieces;
  for (const task_use& each : next.uses) {
    if (each.object == nullptr) continue;
    const std::uint64_t piece = number_of(key_of(each));
    if (!users_.contains(key_of(each)) && each.object->placement() > host_space)
      binder_.is_in(piece, each.object->placement());
    pieces.push_back({piece, each.object->bytes(), each.as != task_role::out, each.as != task_role::in});
  }
  made->id = binder_.tell({.kind = kind_of(next.name),
                           .work = next.options.work,
                           .priority = next.options.priority,
                           .on = on_queue.empty() ? next.options.on : on_queue,
                           .after = after,
                           .uses = pieces});
  made->number = n_told_++;
  use_all(made);
  open_.emplace(static_cast<std::uint64_t>(made->id), made);
  if (is_cancelled_) cancel_unbound();
  return made;
}

void task_core::go_on(const task_record_ptr& told) {
  {
    const guard locked{lock_};
    bind_what_can();
    if (told->at == task_record::stage::told) promise(told);
  }
  engine_.get().start();
}

namespace {

/// Of a task without a CU.
struct promise_of_task : versions::mark {
  promise_of_task(task_core& by, const task_record_ptr& one) : mark{{one.get()}, 1, &by}, task{one} {}
  std::weak_ptr<task_record> task;
};

}  // namespace

void task_core::promise(const task_record_ptr& one) {
  std::vector<const placed_region*> objects;
  for (const task_use& each : one->uses)
    if (each.object != nullptr) objects.push_back(each.object);
  if (objects.empty()) return;
  one->promise = std::make_shared<promise_of_task>(*this, one);
  promise_work(rt_.memory(), objects, one->promise);
}

void task_core::keep_promise(task_record& one) {
  if (one.promise == nullptr) return;
  {
    const auto table = versions_of(rt_.memory()).lock();
    one.promise->end();
  }
  one.promise = nullptr;
  if (n_waiting_ > 0) changed_.notify_all();
}

void task_core::await(const versions::mark_ptr& promise) {
  const task_record_ptr one = static_cast<const promise_of_task&>(*promise).task.lock();
  if (one == nullptr) return;
  refuse(fmt::format("{}, which has no CU yet: an object that it uses is asked for", one->name));
  guard locked{lock_};
  ++n_waiting_;
  changed_.wait(locked, [&] { return one->promise == nullptr; });
  --n_waiting_;
}

// What is waited for, and cancelled.

void task_core::cancel_unbound() {
  std::vector<task_record_ptr> unbound;
  for (const auto& [id, one] : open_)
    if (one->at == task_record::stage::told) unbound.push_back(one);
  for (const task_record_ptr& each : unbound) {
    binder_.cancel(each->id);
    close(each, std::make_exception_ptr(task_cancelled{
                    fmt::format("{}: its group was cancelled before it had a CU", each->name)}));
  }
}

void task_core::cancel() {
  const guard locked{lock_};
  is_cancelled_ = true;
  cancel_unbound();
}

bool task_core::is_over(const task_record_ptr& one) {
  const guard locked{lock_};
  return one->at == task_record::stage::over;
}

void task_core::wait(const task_record_ptr& one) {
  refuse(fmt::format("{}: waited for", one->name));
  guard locked{lock_};
  ++n_waiting_;
  changed_.wait(locked, [&] { return one->at == task_record::stage::over; });
  --n_waiting_;
  std::erase_if(untold_, [&](const task_record_ptr& each) { return each->error == one->error; });
  if (one->error != nullptr) std::rethrow_exception(one->error);
}

void task_core::wait() {
  refuse("a group: waited for");
  guard locked{lock_};
  changed_.wait(locked, [&] { return open_.empty(); });
  is_cancelled_ = false;
  const std::exception_ptr error = first_error();
  untold_.clear();
  if (error != nullptr) std::rethrow_exception(error);
}

std::exception_ptr task_core::first_error() const {
  const auto first =
      std::ranges::min_element(untold_, {}, [](const task_record_ptr& each) { return each->number; });
  return first == untold_.end() ? nullptr : (*first)->error;
}

std::exception_ptr task_core::end(bool cancels) noexcept {
  guard locked{lock_};
  if (cancels) is_cancelled_ = true, cancel_unbound();
  changed_.wait(locked, [&] { return open_.empty(); });
  return first_error();
}

bool task_core::is_free(unit_id unit) {
  const guard locked{lock_};
  return binder_.is_free(unit);
}

}  // namespace yoke::detail
