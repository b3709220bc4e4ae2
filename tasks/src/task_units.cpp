// Tasks that say more of their units: several at once, or where their objects are.
#include "task_core.hpp"

#include <chrono>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

void unit_team::hold_still() {
  std::unique_lock guard{lock_};
  --n_awaited_;
  changed_.notify_all();
  changed_.wait(guard, [this] { return is_over_; });
}

void unit_team::give_up() {
  const std::lock_guard guard{lock_};
  --n_awaited_;
  changed_.notify_all();
}

void unit_team::gather(const std::function<bool()>& have_stopped) {
  constexpr std::chrono::microseconds between_looks{100};
  std::unique_lock guard{lock_};
  while (!changed_.wait_for(guard, between_looks, [this] { return n_awaited_ == 0; }))
    if (have_stopped()) return;
}

void unit_team::let_go() {
  const std::lock_guard guard{lock_};
  is_over_ = true;
  changed_.notify_all();
}

void task_core::gather_units(task_record& one, std::span<const unit_id> units) {
  std::vector<int> cpus;
  for (const unit_id each : units) {
    const auto& own = rt_.units().at(each).cpus;
    cpus.insert(cpus.end(), own.begin(), own.end());
  }
  const auto& own = rt_.units().at(one.unit).cpus;
  one.say_seldom().team =
      std::make_shared<unit_team>(std::move(cpus), std::vector<int>{own.begin(), own.end()},
                                  std::vector<unit_id>{units.begin() + 1, units.end()});
}

/// Told before the task itself, and by one group at a time: so two tasks stand in the same order on all
/// seats, and none holds one that the other waits for.
void task_core::hold_other_units(const task_record& one, std::span<const flow::completion> after,
                                 std::span<const flow::completion> behind) {
  std::vector<flow::completion> before{after.begin(), after.end()};
  before.insert(before.end(), behind.begin(), behind.end());
  flow::engine& engine = engine_.get();
  const auto hold = [&engine, team = one.seldom->team](const flow::site&) {
    if (!engine.keep_seats()) return team->give_up();  // the one on which the task is may have got up
    team->hold_still();
    engine.let_seats_go();
  };
  for (const unit_id each : one.seldom->team->others)
    engine_.tell(engine_.lane_of(each), host_space, std::make_shared<flow::plan>(flow::plan{one.name, hold}),
                 {}, {.behind = before});
}

std::string task_core::memory_name(space_id memory) const {
  if (memory == space_id{}) return "no memory";
  return memory == host_space ? "the host's memory"
                              : rt_.devices()[static_cast<std::size_t>(memory - 1)]->info().name;
}

/// Errors: usage_error where there are none.
std::vector<unit_id> task_core::units_where_present(const task_record& one) {
  std::vector<unit_id> units = one.on;
  if (units.empty())
    for (const compute_unit& each : rt_.units().all()) units.push_back(each.id);
  for (const known_use& each : one.uses) {
    if (!each.is_present) continue;
    const regions_for_work held{rt_.memory(), {&each.object, 1}, space_id{}};
    const auto table = versions_of(rt_.memory()).lock();
    const versions::piece what = held.all().front().what;
    if (table->error_of(what) != nullptr) continue;  // with which it will fail
    std::erase_if(units, [&](unit_id unit) { return !table->holds(what, engine_.memory_of(unit)); });
    if (!units.empty()) continue;
    const space_id home = table->home_of(what);
    throw usage_error{
        fmt::format("{}: {} is to be present and is in {}, which is the memory of no CU that it "
                    "may run on; bring it there before, or give it as in or inout",
                    one.name, table->name_of(what), memory_name(home))};
  }
  return units;
}

}  // namespace yoke::detail
