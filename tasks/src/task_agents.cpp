// What an agent does, and what it has on the host.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

// From when nothing holds it to when its objects are there.

void task_core::fetch(const task_record_ptr& one) {
  one->at = stage::bound;
  try {
    std::vector<flow::completion> after, behind;
    before_of(*one, after, behind);
    one->end = engine_.tell(
        engine_.get().host(), host_space, std::make_shared<flow::plan>(flow::plan{one->name, {}}),
        arguments_of(one->uses), {after, behind},
        [self = shared_from_this(), one](const std::exception_ptr& error) { self->has_fetched(one, error); },
        &one->say_seldom().addresses);
  } catch (...) {
    fail_untold(one, std::current_exception());
  }
}

void task_core::has_fetched(const task_record_ptr& one, const std::exception_ptr& error) {
  if (error != nullptr) return is_over_now(one, error);
  const guard locked{*this};
  if (one->is_over()) return;  // an access that its agent has given up
  one->has_started = true;
  for (const known_use& each : one->uses)
    if (has_devices_ && each.is_object() && each.as != task_role::in)
      binder_.is_in(reinterpret_cast<std::uintptr_t>(each.key()), host_space);
  if (!one->is_agent()) {
    ++n_accesses_;
    return wake();
  }
  engine_.get().expect_more();  // until it has told all that it will
  ++n_agents_running_;
  try {
    threads_.run([this, one] { run_agent(one); });
  } catch (...) {
    --n_agents_running_;
    engine_.get().expect_no_more();
    fail_untold(one, std::current_exception());
  }
}

// While it runs.

void task_core::run_agent(const task_record_ptr& one) noexcept {
  watch_end_of_thread();
  this_agent = {this, one};
  if (const time_bound* const most = one->at_most(); most != nullptr)
    late_.begins(one.get(), {one->name, std::nullopt, most->seconds}, *most);
  std::exception_ptr error;
  try {
    agent_context me{shared_from_this(), one};
    one->agent->body(me, one->seldom->addresses.data());
  } catch (...) {
    error = std::current_exception();
  }
  leave(one, error);
  this_agent = {};
  engine_.get().start();
  engine_.get().expect_no_more();
  const std::lock_guard last{lock_};
  --n_agents_running_;
  wake();
}

/// Its body has returned: it meets nobody any more, and ends when its tasks have.
void task_core::leave(const task_record_ptr& one, std::exception_ptr error) {
  guard locked{*this};
  agent_state& mine = *one->agent;
  mine.has_left = true;
  wake();
  for (const task_record_ptr& each : std::exchange(mine.accesses, {}))
    if (!each->is_over()) --n_accesses_, close(each, nullptr);
  bind_and_start(locked);
  block(locked, open_of(one), [&mine] { return mine.n_open == 0; });
  if (error == nullptr) error = take_error_of(one);
  error != nullptr ? fail_untold(one, error) : close(one, nullptr);
  bind_what_can();
}

std::vector<task_record_ptr> task_core::open_of(const task_record_ptr& agent) const {
  std::vector<task_record_ptr> all;
  for (const task_record_ptr& each : open_)
    if (each->by == agent && each->kind != record_kind::access) all.push_back(each);
  return all;
}

void task_core::wait_all(const task_record_ptr& agent) {
  guard locked{*this};
  if (agent->agent->n_open > 0) block(locked, open_of(agent), [&] { return agent->agent->n_open == 0; });
  if (const std::exception_ptr error = take_error_of(agent); error != nullptr) std::rethrow_exception(error);
}

/// The first of its tasks that nobody was told of; all count as told then.
std::exception_ptr task_core::take_error_of(const task_record_ptr& agent) {
  const auto is_its_own = [&](const task_record_ptr& each) { return each->by == agent; };
  task_record_ptr first;
  for (const task_record_ptr& each : untold_)
    if (is_its_own(each) && (first == nullptr || each->number < first->number)) first = each;
  std::erase_if(untold_, is_its_own);
  return first == nullptr ? nullptr : first->error;
}

bool task_core::is_partner_gone(const task_record& other) const {
  return other.is_over() || (other.agent != nullptr && other.agent->has_left);
}

bool task_core::meet(const task_record_ptr& agent, const task_record_ptr& other) {
  const auto refuse_other = [&](const char* why) {
    throw usage_error{fmt::format("{}: it is to meet {}, {}", agent->name,
                                  other == nullptr ? "nothing" : other->name.c_str(), why)};
  };
  if (other == nullptr || other->of().get() != this)
    refuse_other("which is no agent of its group; meet one that this group has spawned, or a flag");
  if (other == agent) refuse_other("which is the agent itself");
  guard locked{*this};
  const auto refuse_task = [&] {
    if (other->at != stage::named && !other->is_nothing && !other->is_agent())
      refuse_other("a task, and only agents meet; wait for it");
  };
  refuse_task();
  agent_state& mine = *agent->agent;
  if (other->agent != nullptr && other->agent->meets == agent) {
    other->agent->meets = nullptr;
    other->agent->has_met = true;
    wake();
    return true;
  }
  mine.meets = other;
  mine.has_met = false;
  try {
    block(locked, {other}, [&] {
      return mine.has_met || is_partner_gone(*other) ||
             (other->at != stage::named && other->agent == nullptr);
    });
  } catch (...) {
    mine.meets = nullptr;
    throw;
  }
  mine.meets = nullptr;
  refuse_task();
  return mine.has_met;
}

// Objects on the host.

task_record_ptr task_core::fetch_for(const task_record_ptr& agent, const task_use& use) {
  const task_options options;
  const std::string name = agent->name + ": host";
  const task_record_ptr made =
      tell({.name = name, .options = options, .uses = {use}}, {}, record_kind::access);
  guard locked{*this};
  try {
    block(locked, {made}, [&] { return made->is_over() || made->has_started; });
  } catch (...) {
    made->is_cancelled = true;
    if (!made->is_over()) close(made, std::current_exception());
    bind_and_start(locked);
    throw;
  }
  if (made->error != nullptr) {
    std::erase_if(untold_, [&](const task_record_ptr& each) { return each->error == made->error; });
    std::rethrow_exception(made->error);
  }
  agent->agent->accesses.push_back(made);
  return made;
}

void task_core::give_back(const task_record_ptr& access) noexcept {
  guard locked{*this};
  if (access->is_over()) return;
  std::erase(access->by->agent->accesses, access);
  --n_accesses_;
  close(access, nullptr);
  bind_and_start(locked);
}

}  // namespace yoke::detail

namespace yoke {

void agent_context::wait_all() { core().wait_all(self_); }
bool agent_context::meet(const task& other) { return core().meet(self_, other.of_); }

std::pair<std::shared_ptr<void>, void*> agent_context::fetch(const detail::task_use& use) {
  const detail::task_record_ptr access = core().fetch_for(self_, use);
  const auto give_back = [core = shared_core(), access](void*) { core->give_back(access); };
  return {std::shared_ptr<void>{access.get(), give_back}, access->seldom->addresses.front()};
}

}  // namespace yoke
