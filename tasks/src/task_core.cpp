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

/// Between the host and any device, bytes/s and seconds a copy: what a PCIe slot of sixteen lanes gives at
/// least.
constexpr link_speed of_any_device{10e9, 10e-6};

scheduling::task_machine machine_of(runtime& rt) {
  scheduling::task_machine machine{.units = rt.schedule_units()};
  for (int space = 1; space < rt.memory().n_spaces(); ++space)
    for (const auto& [from, to] : {std::pair{host_space, space_id{space}}, {space_id{space}, host_space}})
      machine.ways.push_back({from, to, of_any_device});
  return machine;
}

std::uint64_t number_of(const void* key) { return reinterpret_cast<std::uintptr_t>(key); }

/// Once for each who asks; what is over counts where it has failed.
void add_once(std::vector<task_record_ptr>& all, const task_record_ptr& one, std::uint64_t who) {
  if (one == nullptr || one->seen_by == who) return;
  one->seen_by = who;
  if (one->at != task_record::stage::over || one->error != nullptr) all.push_back(one);
}

}  // namespace

task_core::task_core(runtime& rt)
    : live_{rt.units().live_size()},
      rt_{rt},
      engine_{flow::runtime_engine::of(rt)},
      binder_{machine_of(rt)},
      units_(static_cast<std::size_t>(rt.units().size())) {
  for (const compute_unit& each : rt.units().all())
    (each.kind == unit_kind::cpu ? cpus_ : gpus_).push_back(each.id);
}

void task_core::refuse(std::string_view what) const {
  refuse_in_forked_child();
  if (!has_runtime()) return;  // there is no task that is not over
  if (engine_.get().is_in_work())
    throw usage_error{fmt::format("{} in a task, which must not tell of tasks nor wait for any", what)};
  if (openmp::in_region())
    throw usage_error{
        fmt::format("{} inside a parallel region, of a run or of the program; do it outside of that", what)};
}

// What is told.

known_use task_core::known(const task_use& use) const {
  if (use.object == nullptr) return {.order = use.order->state_, .as = use.as};
  return {.object = named(rt_.memory(), *use.object), .as = use.as};
}

std::exception_ptr task_core::error_of(const task_record_ptr& one) {
  const guard locked{lock_};
  return one->error;
}

/// Of a task of another group, which is over, the error.
std::exception_ptr task_core::doom_by(const task_record_ptr& one, std::string_view name) const {
  const auto other = one == nullptr ? nullptr : one->of.lock();
  if (other == nullptr) return one == nullptr ? nullptr : one->error;
  if (other.get() == this) return nullptr;
  if (!other->is_over(one))
    throw usage_error{
        fmt::format("{}: it is to come after {}, a task of another group; wait for that", name, one->name)};
  return other->error_of(one);
}

/// Takes no lock, for it asks other groups. The error of one of theirs that it comes after.
std::exception_ptr task_core::check(const told& next, const std::vector<unit_id>& on_queue) const {
  refuse(fmt::format("{}: told", next.name));
  if (!has_runtime())
    throw usage_error{fmt::format("{}: told, but the runtime of its group has ended", next.name)};
  if (!on_queue.empty() && !next.options.on.empty())
    throw usage_error{
        fmt::format("{}: a list of CUs in its options, and one of its queue; give one", next.name)};
  std::exception_ptr doom;
  for (const task& each : next.options.after)
    if (const std::exception_ptr error = doom_by(each.of_, next.name); error != nullptr) doom = error;
  for (const task_use& each : next.uses) {
    if (each.order == nullptr) continue;
    std::unique_lock token{each.order->state_->lock};
    const task_record_ptr writer = each.order->state_->writer;
    token.unlock();
    const std::exception_ptr error = doom_by(writer, next.name);
    if (error != nullptr && each.as != task_role::out) doom = error;
  }
  return doom;
}

void task_core::find_predecessors(task_record& of, const std::vector<task>& after) const {
  const std::uint64_t who = of.number + 1;
  const auto is_ours = [&](const task_record_ptr& one) {
    return one != nullptr && one->of.lock().get() == this;
  };
  for (const task& each : after)
    if (is_ours(each.of_)) add_once(of.after, each.of_, who);
  for (const known_use& each : of.uses) {
    if (!each.is_object() && each.as != task_role::out) {
      const std::lock_guard token{each.order->lock};
      if (is_ours(each.order->writer)) add_once(of.after, each.order->writer, who);
    }
    const auto found = users_.find(each.key());
    if (found == users_.end()) continue;
    add_once(of.behind, found->second.writer, who);
    if (each.as == task_role::in) continue;
    for (const task_record_ptr& reader : found->second.readers) add_once(of.behind, reader, who);
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
  for (known_use& each : one->uses) {
    users& of = users_[each.key()];
    ++of.n_open;
    if (each.as == task_role::in) {
      if (of.readers.size() > 2 * of.n_live_readers) {
        std::erase_if(of.readers,
                      [](const task_record_ptr& other) { return other->at == task_record::stage::over; });
        of.n_live_readers = of.readers.size();
      }
      of.readers.push_back(one);
      continue;
    }
    of.writer = one;
    of.readers.clear();
    of.n_live_readers = 0;
    if (each.is_object()) continue;
    const std::lock_guard token{each.order->lock};
    each.previous = std::exchange(each.order->writer, one);
  }
}

void task_core::let_go(task_record& one) {
  for (const known_use& each : one.uses) {
    const auto found = users_.find(each.key());
    if (--found->second.n_open > 0) continue;
    users_.erase(found);
    binder_.forget(number_of(each.key()));
  }
}

task_record_ptr task_core::tell(const told& next, const std::vector<unit_id>& on_queue) {
  std::exception_ptr doom = check(next, on_queue);
  auto made = std::make_shared<task_record>();
  made->of = weak_from_this();
  made->name = next.name;
  made->doom = std::move(doom);
  for (const task_use& each : next.uses) made->uses.push_back(known(each));
  made->body = next.body;
  const guard locked{lock_};
  made->number = n_told_++;
  find_predecessors(*made, next.options.after);
  const std::vector<scheduling::told_task> after = open_before(*made);
  std::vector<scheduling::piece_use> pieces;
  for (const task_use& each : next.uses) {
    if (each.object == nullptr) continue;
    const void* const key = each.object->start();
    if (!users_.contains(key) && each.object->placement() > host_space)
      binder_.is_in(number_of(key), each.object->placement());
    pieces.push_back(
        {number_of(key), each.object->bytes(), each.as != task_role::out, each.as != task_role::in});
  }
  made->id = binder_.tell({.kind = kind_of(next.name),
                           .work = next.options.work,
                           .priority = next.options.priority,
                           .on = on_queue.empty() ? next.options.on : on_queue,
                           .after = after,
                           .uses = pieces});
  use_all(made);
  open_.emplace(static_cast<std::uint64_t>(made->id), made);
  if (is_cancelled_) cancel_unbound();
  return made;
}

void task_core::go_on(const task_record_ptr& told) {
  {
    const guard locked{lock_};
    bind_what_can();
    if (told->at == task_record::stage::told) promise(*told);
  }
  engine_.get().start();
}

// What is waited for, and cancelled.

void task_core::cancel_unbound() {
  std::vector<task_record_ptr> unbound;
  for (const auto& [id, one] : open_)
    if (one->at == task_record::stage::told) unbound.push_back(one);
  for (const task_record_ptr& each : unbound) each->is_cancelled = true;
  for (const task_record_ptr& each : unbound) give_tokens_back(each);
  for (const task_record_ptr& each : unbound) {
    binder_.cancel(each->id);
    close(each, std::make_exception_ptr(task_cancelled{
                    fmt::format("{}: its group was cancelled before it had a CU", each->name)}));
  }
}

void task_core::cancel() {
  refuse_in_forked_child();
  const guard locked{lock_};
  is_cancelled_ = true;
  cancel_unbound();
}

bool task_core::is_over(const task_record_ptr& one) {
  refuse_in_forked_child();
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
  refuse_in_forked_child();
  const guard locked{lock_};
  return binder_.is_free(unit);
}

}  // namespace yoke::detail
