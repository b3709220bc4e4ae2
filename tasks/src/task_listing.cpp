// Tasks that are listed for a recording.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

task_recorder::task_recorder(const std::shared_ptr<task_core>& of)
    : into_{std::make_shared<recorded_tasks>()} {
  of->begin_record(into_);
}
task_recorder::~task_recorder() { task_core::end_record(); }

std::shared_ptr<recorded_tasks> task_recorder::take() {
  into_->listed.clear();
  return into_;
}

void task_core::begin_record(const std::shared_ptr<recorded_tasks>& into) {
  refuse("a recording", ": made");
  if (this_record.of != nullptr) throw usage_error{"a recording: made while another one is; end that first"};
  this_record = {this, into};
}
void task_core::end_record() noexcept { this_record = {}; }

/// Errors: usage_error for what cannot be told again.
void task_core::check_listed(const told& next, record_kind kind, bool where_free) const {
  const auto refuse_it = [&](const char* what) {
    throw usage_error{fmt::format("{}: {}; a record takes run and launch, without .flag, .cpus and .at_most",
                                  next.name, what)};
  };
  if (kind != record_kind::task) refuse_it("an agent cannot be recorded");
  if (where_free) refuse_it("try_run cannot be recorded");
  if (next.options.flag.of_ != nullptr) refuse_it("a flag names one task, and a recorded one runs often");
  if (next.options.cpus != 1) refuse_it("several CPU CUs cannot be recorded");
  if (next.options.at_most.seconds < std::numeric_limits<double>::infinity())
    refuse_it("a bound on its time cannot be recorded");
  for (const task_use& each : next.uses)
    if (each.is_present) refuse_it("present cannot be recorded");
  for (const task& each : next.options.after)
    if (each.of_ != nullptr && (!each.of_->is_listed() || each.of_->recorded->all != this_record.into))
      throw usage_error{
          fmt::format("{}: it is to come after {}, which is not in its record; wait for that before",
                      next.name, each.of_->name)};
}

task_record_ptr task_core::list(told next, const std::vector<unit_id>& on_queue, record_kind kind,
                                bool where_free) {
  static_cast<void>(check(next, on_queue));
  check_listed(next, kind, where_free);
  recorded_tasks& into = *this_record.into;
  listed_task made{.name = std::string{next.name},
                   .body = std::move(next.body),
                   .on = units_of(next, on_queue, nullptr),
                   .priority = next.options.priority,
                   .work = next.options.work};
  for (const task_use& each : next.uses) made.uses.push_back(known(each, nullptr, next.name));
  for (const task& each : next.options.after)
    if (each.of_ != nullptr) made.by_name.push_back(each.of_->recorded->place);
  made.after = made.comes_after = made.by_name;
  for (const known_use& each : made.uses) list_use(into, made, each);
  task_record_ptr handle = named(next.name);
  handle->recorded = std::make_unique<recorded_state>(
      recorded_state{.all = this_record.into, .is_listed = true, .place = static_cast<int>(into.all.size())});
  into.all.push_back(std::move(made));
  return handle;
}

void task_core::list_use(recorded_tasks& into, listed_task& made, const known_use& use) {
  recorded_tasks::users& of = into.listed[use.key()];
  const bool reads = use.as == task_role::in;
  std::vector<int> before = reads ? std::vector<int>{} : of.readers;
  if (of.writer >= 0) before.push_back(of.writer);
  std::erase(before, static_cast<int>(into.all.size()));  // itself, which names it twice
  made.comes_after.insert(made.comes_after.end(), before.begin(), before.end());
  if (!use.is_object()) {
    into.has_tokens = true;
    std::vector<int>& to = use.as == task_role::out ? made.behind : made.after;
    if (of.writer >= 0) to.push_back(of.writer);
    if (!reads) made.behind.insert(made.behind.end(), of.readers.begin(), of.readers.end());
  }
  const int place = static_cast<int>(into.all.size());
  reads ? of.readers.push_back(place) : of.readers.clear();
  if (!reads) of.writer = place;
  const auto same = std::ranges::find(into.uses, use.key(), &known_use::key);
  if (same == into.uses.end())
    into.uses.push_back(use);
  else if (same->as == task_role::in && !reads)
    same->as = task_role::inout;
}

}  // namespace yoke::detail
