// What comes after what, and what holds what.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Once; what is over counts where it has failed.
bool is_new_to(const task_record& of, const task_record_ptr& one) {
  const std::uint64_t who = of.number + 1;
  if (one == nullptr || one->seen_by == who) return false;
  one->seen_by = who;
  return !one->is_over() || one->error != nullptr;
}
/// And fails with it, where it comes behind it already, too.
void add_after(task_record& of, const task_record_ptr& one) {
  if (is_new_to(of, one)) return of.come_after(one);
  const auto known = std::find(of.before.begin() + of.n_after, of.before.end(), one);
  if (one != nullptr && known != of.before.end()) std::swap(*known, of.before[of.n_after++]);
}
void add_behind(task_record& of, const task_record_ptr& one) {
  if (is_new_to(of, one)) of.before.push_back(one);
}

std::uint64_t number_of(const void* key) { return reinterpret_cast<std::uintptr_t>(key); }

}  // namespace

known_use task_core::known(const task_use& use, const task_record* by, std::string_view name) {
  known_use made{.as = use.as, .is_present = use.is_present};
  if (use.object == nullptr)
    made.order = use.order->state_;
  else
    made.object = detail::named(rt_.memory(), *use.object);
  made.among = &users_for(made, by, name);
  if (!has_devices_ || !made.is_object() || made.among != &users_) return made;
  if (use.object->placement() <= host_space) return made;
  const guard locked{*this};
  if (!users_.contains(made.key())) binder_.is_in(number_of(made.key()), use.object->placement());
  return made;
}

std::string task_core::name_of(const known_use& use) {
  if (!use.is_object()) return "a token";
  const regions_for_work held{rt_.memory(), {&use.object, 1}, space_id{}};
  return versions_of(rt_.memory()).lock()->name_of(held.all().front().what);
}

/// Those of the nearest agent that has it, among the one that tells of the use and those that told of that.
users_by_key& task_core::users_for(const known_use& use, const task_record* by, std::string_view name) {
  for (const task_record* each = by; each != nullptr; each = each->by.get()) {
    const auto own = std::ranges::find(each->uses, use.key(), &known_use::key);
    if (own == each->uses.end()) continue;
    const auto writes = [&](const known_use& one) {
      return one.key() == use.key() && one.as != task_role::in;
    };
    if (use.as != task_role::in && std::ranges::none_of(each->uses, writes))
      throw usage_error{
          fmt::format("{}: it is to change {}, which {}, whose task it is, has for reading; give "
                      "that inout",
                      name, name_of(use), each->name)};
    return each->agent->users;
  }
  return users_;
}

/// With whom who reads a token fails.
void task_core::find_token_writer(task_record& of, const known_use& use) const {
  if (use.among != &users_) {
    const auto found = use.among->find(use.key());
    if (found != use.among->end() && found->second.writer != nullptr && !found->second.writer->is_cancelled)
      add_after(of, found->second.writer);
    return;
  }
  const std::lock_guard token{use.order->lock};
  task_record_ptr writer = use.order->writer;
  while (writer != nullptr && comes_behind(*writer, of.by.get())) {
    const auto same = std::ranges::find(writer->uses, use.key(), &known_use::key);
    writer = same == writer->uses.end() ? nullptr : same->previous;
  }
  if (writer != nullptr && writer->of().get() == this) add_after(of, writer);
}

void task_core::find_predecessors(task_record& of, const std::vector<task>& after) {
  goes_before_.clear();
  for (const task& each : after)
    if (each.of_ != nullptr && each.of_->of().get() == this) add_after(of, each.of_);
  for (known_use& each : of.uses) {
    if (!each.is_object() && each.as != task_role::out) find_token_writer(of, each);
    const auto found = each.among->find(each.key());
    if (found == each.among->end()) continue;
    each.of = &found->second;
    find_users(of, each, found->second);
  }
}

bool comes_behind(const task_record& one, const task_record* agent) {
  if (agent == nullptr || one.at != task_record::stage::held) return false;
  std::vector<const task_record*> seen{&one};
  for (std::size_t at = 0; at < seen.size(); ++at)
    for (const task_record_ptr& each : seen[at]->before) {
      for (const task_record* by = agent; by != nullptr; by = by->by.get())
        if (each.get() == by) return true;
      const bool leads_on = each->at == task_record::stage::held;
      if (leads_on && std::ranges::find(seen, each.get()) == seen.end()) seen.push_back(each.get());
    }
  return false;
}

/// What comes behind the agent that tells `of` comes behind that, whenever it was told: then it comes after
/// what that comes after instead.
bool task_core::goes_before(task_record& of, const task_record_ptr& user) {
  if (user == nullptr || !comes_behind(*user, of.by.get())) return false;
  const auto is_agent = [&](const task_record_ptr& one) {
    for (const task_record* by = of.by.get(); by != nullptr; by = by->by.get())
      if (one.get() == by) return true;
    return false;
  };
  for (const task_record_ptr& each : user->before)
    if (!is_agent(each) && !comes_behind(*each, of.by.get())) add_behind(of, each);
  goes_before_.push_back(user);
  return true;
}

void task_core::find_users(task_record& of, known_use& use, const object_users& users) {
  if (use.as == task_role::commute && users.joins_commuters()) {
    for (const task_record_ptr& each : users.before) add_behind(of, each);
    return;
  }
  // Who reads a token fails with any of them, of an object where the data are broken.
  const auto add = use.is_object() || use.as == task_role::out ? add_behind : add_after;
  use.is_early = goes_before(of, users.writer);
  if (!use.is_early) add_behind(of, users.writer);
  for (const task_record_ptr& each : users.commuters) {
    const bool is_early = goes_before(of, each);
    use.is_early = use.is_early || is_early;
    if (!is_early) add(of, each);
  }
  if (use.as == task_role::in) return;
  for (const task_record_ptr& each : users.readers)
    if (!goes_before(of, each)) add_behind(of, each);
}

bool task_core::has_open_before(const task_record& of) {
  const auto is_open = [](const task_record_ptr& each) { return is_in_binder(*each); };
  return std::ranges::any_of(of.before, is_open);
}

void task_core::use_all(const task_record_ptr& one) {
  for (known_use& each : one->uses) {
    if (each.of == nullptr) each.of = &users_of(*each.among, each.key());
    object_users& of = *each.of;
    ++of.n_open;
    if (each.is_early) continue;
    if (each.as == task_role::in) {
      of.add_reader(one);
      continue;
    }
    if (each.as == task_role::commute) {
      of.add_commuter(one);
      continue;
    }
    std::vector<task_record_ptr> behind;  // which read what it writes
    for (const task_record_ptr& reader : of.readers)
      if (comes_behind(*reader, one->by.get())) behind.push_back(reader);
    of.set_writer(one);
    of.readers = std::move(behind);
    if (each.is_object() || each.among != &users_) continue;
    const std::lock_guard token{each.order->lock};
    each.previous = std::exchange(each.order->writer, one);
  }
}

/// One that is new has the memory of one that nobody uses any more.
object_users& task_core::users_of(users_by_key& among, const void* key) {
  if (spare_.empty()) return among[key];
  if (const auto found = among.find(key); found != among.end()) return found->second;
  spare_.key() = key;
  return among.insert(std::move(spare_)).position->second;
}

void object_users::reset() {
  set_writer(nullptr);
  before.clear();
  last_commuter = nullptr;
  n_promised = 0;
}

void object_users::add_reader(const task_record_ptr& one) {
  if (readers.size() > 2 * n_live_readers) {
    std::erase_if(readers, [](const task_record_ptr& other) { return other->is_over(); });
    n_live_readers = readers.size();
  }
  readers.push_back(one);
}

void object_users::add_commuter(const task_record_ptr& one) {
  if (!joins_commuters()) {
    before = std::move(commuters);
    if (writer != nullptr) before.push_back(writer);
    before.insert(before.end(), readers.begin(), readers.end());
    set_writer(nullptr);
  }
  commuters.push_back(one);
}

void object_users::set_writer(const task_record_ptr& one) {
  writer = one;
  commuters.clear();
  if (one != nullptr) before.clear();
  readers.clear();
  n_live_readers = 0;
}

void task_core::let_go(task_record& one) {
  for (const known_use& each : one.uses) {
    if (--each.of->n_open > 0) continue;
    end_promise(*each.of);
    spare_ = each.among->extract(each.key());
    spare_.mapped().reset();
    if (has_devices_ && each.among == &users_) binder_.forget(number_of(each.key()));
  }
}

// What holds what.

/// Whether the binder, or the host for an agent, must not know of the one yet: what comes after an agent
/// waits for its end, for its tasks are told until then.
bool task_core::holds(const task_record& first, const task_record& next) {
  if (first.is_over()) return false;
  const auto is = [](const task_record& one, record_kind kind) { return one.kind == kind; };
  if (first.at == stage::named || (!first.is_task() && !is(first, record_kind::replay))) return true;
  if (is(next, record_kind::replay)) return first.at == stage::held || first.at == stage::told;
  if (is(first, record_kind::replay)) return true;  // whose tasks the binder does not know
  if (!next.is_task() || next.commutes) return true;
  return first.at == stage::held || (next.has_present && first.at == stage::told);
}

void task_core::hold(const task_record_ptr& next) {
  for (const task_record_ptr& each : next->before)
    if (holds(*each, *next)) each->holds.push_back(next), ++next->n_holding;
  if (next->n_holding == 0) freed_.push_back(next);
}

void task_core::has_passed(task_record& one) {
  if (one.holds.empty()) return;
  std::erase_if(one.holds, [&](const task_record_ptr& next) {
    if (holds(one, *next)) return false;
    if (--next->n_holding == 0) freed_.push_back(next);
    return true;
  });
}

}  // namespace yoke::detail
