#include "warm_up.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/learner.hpp>

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

/// Shorter runs are not warmed up for a schedule to learn, that would be a large part of them.
constexpr int few_steps = 10 * warming;
/// Maps that are new, and schedules that look at theirs within the next steps, get so many times what warms
/// up, whatever it takes, more in runs that are warmed up to learn: a map that is cold when time counts costs
/// more. All others get as many as fit into this part of what the program takes.
constexpr int free_times = 2, free_times_of_learning = 8, most_times = 16, most_at_once = 4 * warming;
constexpr double most_of_program = 0.03;

bool wants_more(yoke::task_loop& loop) {
  const yoke::learner* const learns = loop.plan().learning();
  return learns != nullptr && learns->wants_warm_up();
}

/// Whether the schedule will look at its map when so many passes have run.
bool looks_soon(const yoke::task_loop& loop) {
  const yoke::pass_plan plan = loop.plan().plan_of(loop.pass());
  return !plan.map.empty() && plan.until <= loop.pass() + warming;
}

/// Steps that are run at once: a few that are timed together look longer than many.
int until_look(const yoke::task_loop& loop) {
  const yoke::pass_plan plan = loop.plan().plan_of(loop.pass());
  if (plan.is_open() || plan.is_settled()) return warming;
  return static_cast<int>(std::clamp<yoke::pass_id>(plan.until - loop.pass(), warming, most_at_once));
}

/// What the steps that warm up may take.
class allowance {
 public:
  allowance(int steps, yoke::ticks begin) : steps_{steps}, begin_{begin}, from_{yoke::now()} {}

  /// Whether it is used up, where the newest of them took `pass` each.
  bool is_spent(yoke::seconds pass) const {
    const yoke::ticks now = yoke::now();
    return yoke::elapsed(from_, now) > most_of_program * (yoke::elapsed(begin_, now) + steps_ * pass);
  }

 private:
  int steps_;
  yoke::ticks begin_, from_;
};

/// Seconds of each of `steps` steps.
yoke::seconds run(march& zones, yoke::task_loop& loop, int steps) {
  const yoke::ticks from = yoke::now();
  zones.run(loop, steps);
  return yoke::elapsed(from, yoke::now()) / steps;
}

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

void warm_up(march& zones, yoke::task_loop& loop, int steps, yoke::ticks begin) {
  zones.restart(1);
  zones.run(loop, 1);
  const bool may_learn = steps >= few_steps;
  const allowance allowed{steps, begin};
  bool is_new = zones.place(loop);
  bool goes_on = is_new || (may_learn && (wants_more(loop) || looks_soon(loop)));
  for (int times = 1; goes_on; ++times) {
    if (times == 1 || is_new) zones.restart(most_times * most_at_once);
    const yoke::seconds pass = run(zones, loop, until_look(loop));
    is_new = zones.place(loop);
    const bool is_free = is_new && times < (may_learn ? free_times_of_learning : free_times);
    goes_on = is_free ||
              (times < most_times && may_learn && (is_new || wants_more(loop)) && !allowed.is_spent(pass));
  }
}

}  // namespace npb
