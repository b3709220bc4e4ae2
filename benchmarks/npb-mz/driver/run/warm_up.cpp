#include "warm_up.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <yoke/error.hpp>

namespace npb {

namespace {

/// Whether a GPU CU may yet fetch a zone from host memory.
bool may_migrate(const march& zones, const std::vector<yoke::unit_id>& known, const yoke::task_loop& loop) {
  if (loop.plan().plan_of(loop.pass()).is_settled()) return false;
  return known.empty() || std::ranges::any_of(zones.all_units(), [&](yoke::unit_id unit) {
           return zones.is_cpu(unit) && std::ranges::count(known, unit) > 0;
         });
}

/// Where zones begin whose map nobody knows. Errors: out_of_memory where memory is short and the schedule
/// does not mind it.
std::vector<yoke::unit_id> homes_of(const yoke::task_loop& loop, const std::vector<yoke::unit_id>& known,
                                    bool is_short) {
  if (!is_short || !known.empty()) return {};
  std::vector<yoke::unit_id> homes = loop.plan().homes();
  if (!homes.empty()) return homes;
  throw yoke::out_of_memory{
      fmt::format("memory is short, and the schedule hands out zones to whoever asks without minding it "
                  "(schedule::homes): {}; auto, cost, pool, dynamic and others of Yoke's own do",
                  loop.plan().describe()),
      0, 0};
}

/// So many passes more before the time counts: a device lays its work out in the first with a map and
/// captures it in the second.
constexpr int warming = 4;

/// Whether the schedule will look at its map when so many passes have run.
bool looks_soon(const yoke::task_loop& loop) {
  const yoke::pass_plan plan = loop.plan().plan_of(loop.pass());
  return !plan.map.empty() && plan.until <= loop.pass() + warming;
}

/// Shorter runs are not warmed up for a look, that would be a large part of them.
constexpr int few_steps = 10 * warming;

}  // namespace

void set_up(march& zones, yoke::task_loop& loop, bool solo) {
  const bool is_short = zones.memory().is_short();
  const std::vector<yoke::unit_id> known = solo ? std::vector<yoke::unit_id>{} : loop.prepare().map;
  const bool migrates = !is_short && may_migrate(zones, known, loop);
  if (!is_short && zones.rehearse_first(loop, known, migrates)) return zones.set_up(loop.prepare().map);
  const std::vector<yoke::unit_id> homes = homes_of(loop, known, is_short);
  zones.set_up(known, homes);
  zones.restart(1);
  zones.rehearse(loop, known.empty() ? homes : known, migrates);
}

int passes_before_time(int steps) { return steps >= few_steps ? 1 + warming : 1; }

yoke::pass_id first_pass_to_pay(int steps) { return passes_before_time(steps) + 1; }

void warm_up(march& zones, yoke::task_loop& loop, int steps) {
  constexpr int most_times = 2;
  zones.restart(1);
  zones.run(loop, 1);  // first touch, first migration, first pass
  bool goes_on = zones.place(loop) || (passes_before_time(steps) > 1 && looks_soon(loop));
  for (int times = 0; times < most_times && goes_on; ++times) {
    zones.restart(warming);
    zones.run(loop, warming);
    goes_on = zones.place(loop);
  }
}

}  // namespace npb
