// What march does with all zones outside of its steps: setting up, starting again, norms.
#include "common/norm_rows.hpp"
#include "march.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

namespace npb {

namespace {

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

}  // namespace

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
    std::vector<yoke::task_id> others;
    std::ranges::copy_if(share, std::back_inserter(others), [&](int zone) { return !has_forcing(zone); });
    make_forcing(others, unit);
  };
  for_shares(map.empty() ? spread(weights_, placing_.all_units()) : map, body);
}

void march::make_forcing(std::span<const yoke::task_id> zones, const yoke::compute_unit& unit) {
  if (zones.empty()) return;
  if (zones_.space_of(zones.front()) == yoke::host_space)
    side_by_side(zones, unit, [&](int zone, int n_threads) { set_up_on_host(zone, n_threads); });
  else
    setup(unit).make_forcing(zones);
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
  deciding_ = 0;
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
