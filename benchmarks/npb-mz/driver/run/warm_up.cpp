#include "warm_up.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/warm_up.hpp>

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

/// What warming up may take of a program, beyond what is needed.
constexpr double most_of_program = 0.03;

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
  yoke::warm_up rule{loop.plan(), steps};
  zones.restart(1);
  zones.run(loop, static_cast<int>(rule.next(loop.pass())));
  const allowance allowed{steps, begin};
  yoke::warm_up_outcome last{.map_is_new = zones.place(loop)};
  bool starts_again = true;
  while (const auto next = static_cast<int>(rule.next(loop.pass(), last))) {
    if (starts_again) zones.restart(static_cast<int>(yoke::warm_up::most));
    const yoke::seconds pass = run(zones, loop, next);
    starts_again = zones.place(loop);
    last = {.map_is_new = starts_again, .allowance_is_spent = allowed.is_spent(pass)};
  }
}

}  // namespace npb
