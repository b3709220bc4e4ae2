#include "engine_core.hpp"

#include <fmt/format.h>
#include <new>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::flow {

void completion::wait() const {
  if (what_ != nullptr) of_->wait(what_);
}

bool completion::is_over() const { return what_ == nullptr || of_->is_over(what_); }

engine::engine(std::span<device* const> devices, const engine_options& options)
    : core_{std::make_shared<engine_core>(devices, options)} {}

engine::~engine() {
  // The threads of a forked child are the parent's, and work that calls exit() is never over.
  if (detail::is_forked_child() || core_->is_in_own_work()) {
    detail::abandon(new (std::nothrow) std::shared_ptr{core_});
  } else {
    core_->close();
  }
}

lane_id engine::seat(int number) const { return core_->seat(number); }
lane_id engine::queue(space_id memory, int number) const { return core_->queue_of(memory, number); }
lane_id engine::queue_of_group(int group, int number) const { return core_->queue_of(group, number); }
lane_id engine::host() const { return core_->host(); }
lane_id engine::team() const { return core_->team(); }
bool engine::wait_for_team() { return core_->wait_for_team(); }

versions::piece engine::add(std::string name, std::size_t bytes, std::vector<void*> addresses) {
  return core_->add(std::move(name), bytes, std::move(addresses));
}

void engine::remove(versions::piece what) { core_->remove(what); }

std::vector<work_ptr> engine::works(const std::string& name, std::span<const completion> all) const {
  std::vector<work_ptr> found;
  for (const completion& each : all) {
    if (each.what_ == nullptr) continue;
    if (each.of_ != core_)
      throw usage_error{fmt::format("{}: it is to come after {}, which is another engine's; wait for that",
                                    name, each.what_->name())};
    found.push_back(each.what_);
  }
  return found;
}

completion engine::tell(lane_id on, std::shared_ptr<const plan> what, std::span<const argument> arguments,
                        const order& where, std::span<const lent_piece> lent,
                        std::function<void(const std::exception_ptr&)> when_over) {
  const std::vector<work_ptr> after = works(what->name, where.after),
                              behind = works(what->name, where.behind);
  return {core_, core_->tell(on, std::move(what), arguments, after, behind, lent, std::move(when_over))};
}

void engine::start() { core_->start(); }
void engine::start_without_waiting() { core_->start_what_can(); }

completion engine::tell_failure(std::string name, const std::exception_ptr& why,
                                std::span<const argument> arguments, std::span<const completion> behind,
                                std::function<void(const std::exception_ptr&)> when_over) {
  const std::vector<work_ptr> before = works(name, behind);
  return {core_, core_->tell_failure(std::move(name), why, arguments, before, std::move(when_over))};
}

void engine::expect_more() { core_->expect_more(); }
void engine::expect_no_more() { core_->expect_no_more(); }

bool engine::is_in_work() const { return core_->is_in_own_work(); }

completion engine::enqueue(lane_id on, std::shared_ptr<const plan> what, std::span<const argument> arguments,
                           std::span<const completion> after) {
  completion made = tell(on, std::move(what), arguments, {.after = after}, {});
  core_->start();
  return made;
}

step engine::fuse(lane_id on, std::span<const step> steps) { return core_->fuse(on, steps); }

void engine::wait() { core_->wait(); }
void engine::take_cpus() { core_->take_cpus(); }
void engine::give_cpus_back() { core_->give_cpus_back(); }
bool engine::keep_seats() { return core_->keep_down(); }
void engine::let_seats_go() { core_->let_go(); }
bool engine::has_given_cpus() const { return core_->has_given_cpus(); }

}  // namespace yoke::flow
