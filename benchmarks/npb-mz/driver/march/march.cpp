#include "march.hpp"

#include <algorithm>
#include <utility>

namespace npb {

namespace {

/// Passes run one by one while a schedule has not settled; those that never settle then run on without.
constexpr int most_single_passes = 8;

/// The loop that steppers ask, as long as it runs: the caller may end it after a run that failed.
struct loop_in_use {
  stepping& of;
  loop_in_use(stepping& shared, yoke::task_loop& loop) : of{shared} { of.loop = &loop; }
  ~loop_in_use() { of.loop = nullptr; }
  loop_in_use(const loop_in_use&) = delete;
  loop_in_use& operator=(const loop_in_use&) = delete;
};

}  // namespace

march::march(yoke::runtime& rt, const benchmark& what, const choices& how, yoke::link_table links)
    : rt_{rt},
      what_{what},
      memory_{what, rt},
      zones_{what, rt.memory()},
      links_{std::move(links)},
      between_devices_{how.between_devices},
      faces_{what.what(), rt.devices(), rt.schedule_units(), {links_, how.between_devices}},
      order_{zones_.n_zones()},
      departed_{static_cast<std::size_t>(rt.units().size())},
      weights_{what.what().weights()},
      placing_{rt, zones_, weights_},
      shared_{what, zones_, faces_, order_, departed_, weights_, how.exchange, how.graphs, rt.trace()},
      accounts_(static_cast<std::size_t>(rt.units().size())),
      host_(accounts_.size()),
      device_(accounts_.size()),
      setups_(accounts_.size()),
      has_forcing_(weights_.size()) {
  for (int space = 0; space < std::ssize(memory_.spaces()); ++space)
    if (memory_.is_tight(yoke::space_id{space})) zones_.leave_nothing_in(yoke::space_id{space});
}

yoke::workload march::work() const {
  yoke::workload work{.n_tasks = zones_.n_zones(),
                      .weights = weights_,
                      .waits_late = shared_.exchange == exchange_mode::dataflow};
  for (int zone = 0; zone < work.n_tasks; ++zone) {
    work.bytes.push_back(zones_.bytes(zone));
    for (const side s : all_sides) {
      const int face = face_of(zone, s);
      const std::size_t bytes = faces_.size(face) * sizeof(double);
      work.edges.push_back({yoke::task_id{zone}, yoke::task_id{faces_.receiver(face)}, bytes});
    }
  }
  for (const yoke::memory_link& each : links_.all())
    if (between_devices_ == peer_faces::direct && links_.is_direct(each.from, each.to))
      work.links.push_back({each.from, each.to, links_.bandwidth(each.from, each.to)});
  memory_.limit(work);
  return work;
}

yoke::task_loop march::assigned(std::vector<yoke::unit_id> map) {
  auto plan = std::make_unique<assigned_schedule>(std::move(map), rt_.units().size());
  return rt_.make_loop(std::move(plan), {.n_tasks = zones_.n_zones(), .weights = weights_});
}

void march::for_shares(const std::vector<yoke::unit_id>& map, const share_body& body) {
  yoke::task_loop loop = assigned(map);
  rt_.run(loop, [&](std::span<const yoke::task_id> share) { body(share, rt_.units().calling()); });
}

/// Gets everything ready for a pass with this map, or with any where it is empty. While a schedule measures,
/// the map may stay and a device yet get its share in other pieces, which want their faces elsewhere.
void march::follow(std::vector<yoke::unit_id> map, bool is_fixed) {
  const bool changes = map != map_;
  if (changes && memory_.is_short() && !map.empty()) bring_one_by_one(map);
  if (changes) plan_for(std::move(map));
  if (changes || (!map_.empty() && !is_fixed)) show_faces();
}

void march::plan_for(std::vector<yoke::unit_id> map) {
  zones_.free_left_behind();
  map_ = map;
  faces_.plan(std::move(map));
}

/// Where memory is short, zones of a known map are in place before the pass.
bool march::may_change_while_running(const yoke::pass_plan& next) const {
  return !memory_.is_short() || next.is_open();
}

void march::run(yoke::task_loop& loop, int steps, const std::function<void(int)>& progress) {
  int single = 0;
  for (const int end = step_ + steps; step_ < end;) {
    const yoke::ticks begin = yoke::now();
    yoke::pass_plan next = loop.prepare();
    const yoke::pass_id lasts = std::max<yoke::pass_id>(next.until - loop.pass(), 1);
    const bool is_fixed = lasts > 1;
    const bool never_settles = !is_fixed && single >= most_single_passes && may_change_while_running(next);
    if (never_settles) next.map.clear();  // it may change while they run
    const int passes =
        never_settles ? end - step_ : static_cast<int>(std::min<yoke::pass_id>(lasts, end - step_));
    shared_.is_fixed = is_fixed;
    shared_.last_step = step_ + passes - 1;
    follow(std::move(next.map), is_fixed);
    deciding_ += yoke::now() - begin;
    run_passes(loop, passes, end, progress);
    single = is_fixed ? 0 : single + 1;
  }
}

/// Steps that can follow in the same region: with the same map, which stays for more than one of them. Where
/// other CUs run meanwhile, nothing waits for what is decided.
int march::further_steps(yoke::task_loop& loop, yoke::pass_id next, int end) {
  const int done = shared_.last_step + 1;
  if (done == end || map_.empty()) return 0;
  const yoke::ticks begin = yoke::now();
  const yoke::pass_plan plan = loop.prepare(next);
  const yoke::pass_id lasts = plan.until - next;
  if (loop.pass() == next) deciding_ += yoke::now() - begin;
  if (lasts <= 1 || plan.map != map_) return 0;
  if (!shared_.is_fixed) shared_.is_fixed = true;  // all wait; others may read it else
  const auto steps = static_cast<int>(std::min<yoke::pass_id>(lasts, end - done));
  shared_.last_step = done + steps - 1;
  return steps;
}

void march::run_passes(yoke::task_loop& loop, int passes, int end, const std::function<void(int)>& progress) {
  const int first_step = step_;
  const yoke::pass_id first_pass = loop.pass();
  const loop_in_use in_use{shared_, loop};
  // Wherever a CU fails, those that wait for its zones are woken; run reports the error that came first.
  loop.on_stop([this] { order_.stop(); });
  const auto body = [&](std::span<const yoke::task_id> batch, yoke::pass_id pass) {
    const int step = first_step + static_cast<int>(pass - first_pass);
    if (progress && rt_.units().calling().id == 0) progress(step);
    run_batch(batch, step);
  };
  rt_.run(loop, passes, body, [&](yoke::pass_id next) { return further_steps(loop, next, end); });
  step_ = shared_.last_step + 1;
}

host_stepper& march::host(const yoke::compute_unit& unit) {
  auto& stepper = host_[static_cast<std::size_t>(unit.id)];
  if (!stepper) stepper = std::make_unique<host_stepper>(shared_, unit);
  return *stepper;
}

device_stepper& march::device(const yoke::compute_unit& unit) {
  auto& stepper = device_[static_cast<std::size_t>(unit.id)];
  if (!stepper) stepper = std::make_unique<device_stepper>(shared_, unit);
  return *stepper;
}

device_setup& march::setup(const yoke::compute_unit& unit) {
  auto& made = setups_[static_cast<std::size_t>(unit.id)];
  if (!made) made = std::make_unique<device_setup>(shared_, unit);
  return *made;
}

void march::run_batch(std::span<const yoke::task_id> batch, int step) {
  const yoke::compute_unit& unit = rt_.units().calling();
  step_run run{shared_, unit.id, step, accounts_[static_cast<std::size_t>(unit.id)]};
  if (unit.dev == nullptr) {
    host(unit).run(batch, run);
  } else {
    device(unit).run(batch, run);
  }
}

}  // namespace npb
