// A step of one zone on every CU before any pass.
#include "march.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <yoke/learner.hpp>

namespace npb {

namespace {

bool wants_rehearsal(yoke::task_loop& loop) {
  const yoke::learner* const learns = loop.plan().learning();
  return learns != nullptr && learns->wants_rehearsal();
}

}  // namespace

/// Of each unit's zones in `first`, or of any where that is empty, the one whose weight is nearest to the
/// usual; of an emulated device's the lightest, for it runs one point after the other and may be slow. -1
/// where it has none.
std::vector<int> march::zones_to_rehearse(const std::vector<yoke::unit_id>& first) const {
  std::vector<int> zone_of(accounts_.size(), -1);
  const double usual = std::accumulate(weights_.begin(), weights_.end(), 0.0) / zones_.n_zones();
  const auto is_slow = [&](int unit) {
    const yoke::device* const dev = rt_.units().all()[static_cast<std::size_t>(unit)].dev;
    return dev != nullptr && dev->info().emulated;
  };
  const auto distance = [&](int zone, int unit) {
    const double weight = weights_[static_cast<std::size_t>(zone)];
    return is_slow(unit) ? weight : std::abs(weight - usual);
  };
  for (int zone = 0; zone < zones_.n_zones(); ++zone) {
    const int unit = first.empty() ? zone : static_cast<int>(first[static_cast<std::size_t>(zone)]);
    if (unit >= std::ssize(zone_of)) continue;
    int& chosen = zone_of[static_cast<std::size_t>(unit)];
    if (chosen < 0 || distance(zone, unit) < distance(chosen, unit)) chosen = zone;
  }
  return zone_of;
}

void march::for_one_each(const std::vector<int>& zone_of, const one_body& body) {
  std::vector<yoke::unit_id> map(weights_.size(), yoke::unit_id{0});
  for (int unit = 0; unit < std::ssize(zone_of); ++unit)
    if (const int zone = zone_of[static_cast<std::size_t>(unit)]; zone >= 0)
      map[static_cast<std::size_t>(zone)] = yoke::unit_id{unit};
  for_shares(map, [&](std::span<const yoke::task_id> share, const yoke::compute_unit& unit) {
    const yoke::task_id own{zone_of[static_cast<std::size_t>(unit.id)]};
    if (std::ranges::find(share, own) != share.end()) body(own, unit);
  });
}

bool march::rehearse_first(yoke::task_loop& loop, const std::vector<yoke::unit_id>& first, bool migrate) {
  if (first.empty() || !wants_rehearsal(loop)) return false;
  const std::vector<int> zone_of = zones_to_rehearse(first);
  if (std::ranges::count(zone_of, -1) > 0) return false;  // of one unheard nothing follows for others
  memory_.check(first);
  for (unit_account& account : accounts_) account.reset(1);
  faces_.use_host();
  for_one_each(zone_of, [&](yoke::task_id zone, const yoke::compute_unit& unit) {
    zones_.bring(zone, yoke::host_space);
    set_up_on_host(zone, static_cast<int>(unit.cpus.size()));
    show_own_boundary(zone);
  });
  for (const int zone : zone_of) has_forcing_[static_cast<std::size_t>(zone)] = 1;
  rehearse_zones(loop, zone_of, migrate);
  return true;
}

/// As what its neighbours send, who are not set up yet.
void march::show_own_boundary(int zone) {
  const host_zone fields = zones_.on_host(zone);
  const moment now = faces_.moment_of(step_);
  for (const side at : all_sides) {
    const int face = faces_.incoming(zone, at);
    pack(outer_plane(fields.shape, at), fields.u, faces_.host_slot(face, now));
    faces_.set_on_host(face, now);
  }
}

void march::rehearse(yoke::task_loop& loop, const std::vector<yoke::unit_id>& first, bool migrate) {
  rehearse_zones(loop, zones_to_rehearse(first), migrate);
}

void march::rehearse_zones(yoke::task_loop& loop, const std::vector<int>& zone_of, bool migrate) {
  for_one_each(zone_of, [&](yoke::task_id zone, const yoke::compute_unit& unit) {
    rehearse(loop, zone, unit, migrate);
  });
}

void march::rehearse(yoke::task_loop& loop, yoke::task_id zone, const yoke::compute_unit& unit,
                     bool migrate) {
  const bool tells = wants_rehearsal(loop);
  if (unit.dev == nullptr) {
    host(unit).rehearse(zone);
    if (tells) loop.rehearsed({&zone, 1}, host(unit).time_of(zone));
    return;
  }
  if (migrate) zones_.bring(zone, yoke::host_space);
  step_run step{shared_, unit.id, 0, accounts_[static_cast<std::size_t>(unit.id)]};
  yoke::ticks from = yoke::now();
  device(unit).rehearse(zone, step);
  const bool has_loaded = !unit.dev->info().emulated;  // kernels, which took longer than they will
  if (tells && has_loaded) {
    from = yoke::now();
    device(unit).rehearse(zone, step);
  }
  if (tells) loop.rehearsed({&zone, 1}, yoke::elapsed(from, yoke::now()));
  if (!what_.has_residual() || !has_loaded) return;
  std::vector<zone_norms> unused(weights_.size());
  setup(unit).residual_norms({&zone, 1}, unused);
}

}  // namespace npb
