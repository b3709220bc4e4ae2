#include "task_core.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include <yoke/detail/error_text.hpp>
#include <yoke/endings.hpp>
#include <yoke/forks.hpp>

namespace yoke {

token::token() : state_{std::make_shared<detail::token_state>()} {}

void task::wait() const {
  if (of_ == nullptr) return;
  detail::refuse_in_forked_child();
  if (const auto core = of_->of.lock()) return core->wait(of_);
  if (of_->error != nullptr) std::rethrow_exception(of_->error);
}

bool task::is_over() const {
  if (of_ == nullptr) return true;
  const auto core = of_->of.lock();
  return core == nullptr || core->is_over(of_);
}

task task_starter::start(detail::told next) {
  task made{core_->tell(next, on_)};
  core_->go_on(made.of_);
  return made;
}

task_group::task_group(runtime& rt)
    : task_starter{std::make_shared<detail::task_core>(rt), {}}, n_exceptions_{std::uncaught_exceptions()} {}

task_group::~task_group() {
  if (detail::leaves_all()) return;
  if (core().is_in_work()) {  // a task has called exit(), and is never over
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
