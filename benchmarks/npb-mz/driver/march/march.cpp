#include "march.hpp"

#include "common/norm_rows.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <yoke/learner.hpp>

namespace npb {

namespace {

/// Passes run one by one while a schedule has not settled; those that never settle then run on without.
constexpr int most_single_passes = 8;

/// Work on zones in host memory by the team that advances them: a zone for each CPU of the CU at a time, or
/// few zones one after the other by all of them.
void side_by_side(std::span<const yoke::task_id> zones, const yoke::compute_unit& unit,
                  const zone_body& work) {
  const int n_threads = std::max(1, static_cast<int>(unit.cpus.size()));
  if (2 * std::ssize(zones) <= n_threads) {
    for (const yoke::task_id zone : zones) work(zone, n_threads);
    return;
  }
  std::exception_ptr error;
#pragma omp parallel for num_threads(n_threads) if (zones.size() > 1) schedule(dynamic)
  for (std::size_t i = 0; i < zones.size(); ++i) {
    try {
      work(zones[i], 1);
    } catch (...) {
#pragma omp critical
      if (!error) error = std::current_exception();  // as run does: what came first, not what follows from it
    }
  }
  if (error) std::rethrow_exception(error);
}

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
      setups_(accounts_.size()) {
  for (int space = 0; space < std::ssize(memory_.spaces()); ++space)
    if (memory_.is_tight(yoke::space_id{space})) zones_.leave_nothing_in(yoke::space_id{space});
}

yoke::workload march::work() const {
  yoke::workload work{.n_tasks = zones_.n_zones(), .weights = weights_};
  for (int zone = 0; zone < work.n_tasks; ++zone) {
    work.bytes.push_back(zones_.bytes(zone));
    for (const side s : all_sides) {
      const int face = face_of(zone, s);
      const std::size_t bytes = faces_.size(face) * sizeof(double);
      work.edges.push_back({yoke::task_id{zone}, yoke::task_id{faces_.receiver(face)}, bytes});
    }
  }
  for (const yoke::link& each : links_.all())
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

void march::where_they_are(const zone_body& on_host, const device_body& on_device) {
  for_shares(placing_.by_place(), [&](std::span<const yoke::task_id> share, const yoke::compute_unit& unit) {
    std::vector<yoke::task_id> here, there;
    for (const yoke::task_id zone : share)
      (zones_.space_of(zone) == yoke::host_space ? here : there).push_back(zone);
    side_by_side(here, unit, on_host);
    if (!there.empty()) on_device(setup(unit), there);
  });
}

void march::set_up(const std::vector<yoke::unit_id>& first, const std::vector<yoke::unit_id>& homes) {
  const std::vector<yoke::unit_id> map = first.empty() && homes.empty() ? placing_.by_share()
                                         : first.empty()                ? homes
                                                                        : first;
  if (!map.empty()) memory_.check(map);
  map_ = first;
  faces_.plan(first);  // so that restart shows them to those who read them in it, and to nobody else
  const auto body = [&](std::span<const yoke::task_id> share, const yoke::compute_unit& unit) {
    const yoke::space_id space = map.empty() ? yoke::host_space : unit.space;
    for (const int zone : share) zones_.bring(zone, space);
    if (space == yoke::host_space)
      side_by_side(share, unit, [&](int zone, int n_threads) { set_up_on_host(zone, n_threads); });
    else
      setup(unit).make_forcing(share);
  };
  for_shares(map.empty() ? spread(weights_, placing_.all_units()) : map, body);
}

/// The state too, so that its pages are near the CU that touches them first.
void march::set_up_on_host(int zone, int n_threads) {
  const host_zone fields = zones_.on_host(zone);
  what_.make_forcing(zone, const_cast<double*>(fields.forcing), n_threads);
  what_.initialize(zone, fields, n_threads);
}

void march::restart(int steps) {
  for (unit_account& account : accounts_) account.reset(steps);
  for (const auto& stepper : device_)
    if (stepper) stepper->abandon();
  order_.reset(0);
  step_ = 0;
  where_they_are([&](int zone, int n_threads) { what_.initialize(zone, zones_.on_host(zone), n_threads); },
                 [](device_setup& there, std::span<const yoke::task_id> zones) { there.initialize(zones); });
  show_faces();
}

/// The faces of all zones for the next step, made where the zones are, for whoever reads them in the present
/// map.
void march::show_faces() {
  faces_.clear();
  for (int zone = 0; zone < zones_.n_zones(); ++zone)
    if (zones_.space_of(zone) == yoke::host_space) faces_.use_host();
  where_they_are([&](int zone, int) { pack_on_host(zone); },
                 [&](device_setup& there, std::span<const yoke::task_id> zones) {
                   there.send_faces(zones, faces_.moment_of(step_));
                 });
}

void march::pack_on_host(int zone) {
  const host_zone fields = zones_.on_host(zone);
  const moment now = faces_.moment_of(step_);
  for (const side s : all_sides) {
    const int face = face_of(zone, s);
    pack(inner_plane(fields.shape, s), fields.u, faces_.host_slot(face, now));
    faces_.set_on_host(face, now);
  }
}

void march::rehearse(yoke::task_loop& loop, const std::vector<yoke::unit_id>& first, bool migrate) {
  std::vector<int> zone_of(accounts_.size(), -1);
  for (int zone = zones_.n_zones() - 1; zone >= 0; --zone) {
    const int unit = first.empty() ? zone : static_cast<int>(first[static_cast<std::size_t>(zone)]);
    if (unit < std::ssize(zone_of)) zone_of[static_cast<std::size_t>(unit)] = zone;
  }
  std::vector<yoke::unit_id> map(weights_.size(), yoke::unit_id{0});
  for (int unit = 0; unit < std::ssize(zone_of); ++unit)
    if (const int zone = zone_of[static_cast<std::size_t>(unit)]; zone >= 0)
      map[static_cast<std::size_t>(zone)] = yoke::unit_id{unit};
  for_shares(map, [&](std::span<const yoke::task_id> share, const yoke::compute_unit& unit) {
    const int own = zone_of[static_cast<std::size_t>(unit.id)];
    if (std::ranges::find(share, yoke::task_id{own}) != share.end())
      rehearse(loop, yoke::task_id{own}, unit, migrate);
  });
}

void march::rehearse(yoke::task_loop& loop, yoke::task_id zone, const yoke::compute_unit& unit,
                     bool migrate) {
  if (unit.dev == nullptr) {
    host(unit).rehearse(zone);
    if (yoke::learner* const of = loop.plan().learning(); of != nullptr && of->wants_rehearsal())
      loop.rehearsed({&zone, 1}, host(unit).time_of(zone));
    return;
  }
  if (migrate) zones_.bring(zone, yoke::host_space);
  step_run first{shared_, unit.id, 0, accounts_[static_cast<std::size_t>(unit.id)]};
  device(unit).rehearse(zone, first);
  if (!what_.has_residual()) return;
  std::vector<zone_norms> unused(weights_.size());
  setup(unit).residual_norms({&zone, 1}, unused);
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
  while (steps > 0) {
    yoke::pass_plan next = loop.prepare();
    const yoke::pass_id lasts = std::max<yoke::pass_id>(next.until - loop.pass(), 1);
    const bool is_fixed = lasts > 1;
    const bool never_settles = !is_fixed && single >= most_single_passes && may_change_while_running(next);
    if (never_settles) next.map.clear();  // it may change while they run
    const int passes = never_settles ? steps : static_cast<int>(std::min<yoke::pass_id>(lasts, steps));
    shared_.is_fixed = is_fixed;
    shared_.last_step = step_ + passes - 1;
    follow(std::move(next.map), is_fixed);
    run_passes(loop, passes, progress);
    steps -= passes;
    single = is_fixed ? 0 : single + 1;
  }
}

void march::run_passes(yoke::task_loop& loop, int passes, const std::function<void(int)>& progress) {
  const int first_step = step_;
  const yoke::pass_id first_pass = loop.pass();
  const loop_in_use in_use{shared_, loop};
  // Wherever a CU fails, those that wait for its zones are woken; run reports the error that came first.
  loop.on_stop([this] { order_.stop(); });
  rt_.run(loop, passes, [&](std::span<const yoke::task_id> batch, yoke::pass_id pass) {
    const int step = first_step + static_cast<int>(pass - first_pass);
    if (progress && rt_.units().calling().id == 0) progress(step);
    run_batch(batch, step);
  });
  step_ += passes;
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

std::vector<zone_norms> march::residual_norms() {
  std::vector<zone_norms> norms(weights_.size());
  where_they_are(
      [&](int zone, int) {
        const host_zone z = zones_.on_host(zone);
        norms[static_cast<std::size_t>(zone)].xcr =
            xcr_of(what_.what().kind, what_.coefficients(), {z.shape, z.u, z.forcing, z.residual});
      },
      [&](device_setup& there, std::span<const yoke::task_id> zones) { there.residual_norms(zones, norms); });
  return norms;
}

std::vector<zone_norms> march::norms() {
  std::vector<zone_norms> norms(weights_.size());
  where_they_are(
      [&](int zone, int) { norms[static_cast<std::size_t>(zone)] = what_.norms(zone, zones_.on_host(zone)); },
      [&](device_setup& there, std::span<const yoke::task_id> zones) { there.norms(zones, norms); });
  return norms;
}

}  // namespace npb
