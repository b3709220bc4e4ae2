#include "task_core.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <utility>

#include <yoke/detail/error_text.hpp>
#include <yoke/endings.hpp>
#include <yoke/forks.hpp>

namespace yoke {

token::token() : state_{std::make_shared<detail::token_state>()} {}

void task::wait() const {
  if (of_ == nullptr) return;
  detail::refuse_in_forked_child();
  if (const auto core = of_->of()) return core->wait(of_);
  if (of_->error != nullptr) std::rethrow_exception(of_->error);
}

bool task::is_over() const {
  if (of_ == nullptr) return true;
  const auto core = of_->of();
  return core == nullptr || core->is_over(of_);
}

flag::flag(const task_group& of, std::string_view name) : task{of.core().named(name)} {}

task task_starter::start(detail::told&& next) {
  const auto reduces = [](const detail::task_use& use) { return use.by != nullptr; };
  if (std::ranges::any_of(next.uses, reduces)) return start_reducing(std::move(next));
  return task{core_->tell(std::move(next), on_)};
}

std::optional<task> task_starter::start_where_free(detail::told next) {
  for (const detail::task_use& each : next.uses)
    if (each.by != nullptr)
      throw usage_error{fmt::format("{}: reduce is a role of run and launch, not of try_run", next.name)};
  task made{core_->tell_where_free(std::move(next), on_)};
  if (made.of_ == nullptr) return std::nullopt;
  return made;
}

task task_starter::start_agent(std::string_view name, const agent_options& options,
                               std::vector<detail::task_use> uses, detail::agent_body body) {
  const task_options said{.on = options.on,
                          .priority = options.priority,
                          .after = options.after,
                          .flag = options.flag,
                          .at_most = options.at_most};
  return task{core_->tell({.name = name, .options = said, .uses = std::move(uses), .agent = std::move(body)},
                          on_, detail::record_kind::agent)};
}

namespace {

/// exit() destroys what belongs to a thread before statics: a task that has called it is seen by that.
constinit thread_local bool thread_ends = false;
struct end_of_thread {
  ~end_of_thread() { thread_ends = true; }
};

[[noreturn]] void end_program(const char* why) {
  std::fprintf(stderr, "yoke: a task_group ends %s, and would wait for itself; let it live longer\n", why);
  std::abort();
}

}  // namespace

void detail::refuse_form(const char* name, bool is_gpu) {
  throw usage_error{fmt::format("{}: launched on a {} CU, and it is a kernel for {} CUs alone", name,
                                is_gpu ? "GPU" : "CPU", is_gpu ? "CPU" : "GPU")};
}

void detail::watch_end_of_thread() {
  static thread_local const end_of_thread watched;
  static_cast<void>(&watched);
}

task_group::task_group(runtime& rt)
    : task_starter{detail::task_core::of(rt), {}}, n_exceptions_{std::uncaught_exceptions()} {}

task_group::~task_group() {
  if (detail::leaves_all()) {
    detail::abandon(new (std::nothrow) auto{shared_core()});
    return;
  }
  if (core().is_in_work() || core().is_inside()) {
    if (!thread_ends)
      end_program(core().is_in_work() ? "in one of its own tasks" : "with a task or in an agent of its own");
    detail::abandon(new (std::nothrow) auto{shared_core()});
    return;
  }
  const std::exception_ptr error = core().end(std::uncaught_exceptions() > n_exceptions_);
  if (error == nullptr) return;
  std::fprintf(stderr, "yoke: a task has failed, and nobody has waited for it: %s\n",
               detail::text_of(error).c_str());
}

std::vector<unit_id> task_group::cpus() const { return core().units(unit_kind::cpu); }
std::vector<unit_id> task_group::gpus() const { return core().units(unit_kind::gpu); }
void task_group::wait() { core().wait(); }
void task_group::cancel() { core().cancel(); }
bool task_group::is_free(unit_id unit) const { return core().is_free(unit); }

}  // namespace yoke
