#include "zoned_march.hpp"

#include "common/norm_rows.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <span>
#include <utility>

namespace npb {

namespace {

/// Boundary planes are halos: with these a zone of a field is [5][nz][ny][nx], as the solvers know it. Planes
/// at the ends of z have no neighbours, and keep what the initial state puts there.
const yoke::halo boundary{1, 1, 1};

yoke::zone_extents<3> interior_of(const zone_shape& shape) {
  return {shape.nz - 2, shape.ny - 2, shape.nx - 2};
}

yoke::zones zones_of(yoke::runtime& rt, yoke::ranks* among, const benchmark& what, int steps) {
  const problem& p = what.what();
  const auto solver = what.make_device_solver();
  std::vector<std::size_t> work_memory;
  for (const zone& each : p.zones) work_memory.push_back(solver->scratch_bytes(each.shape));
  const auto n = static_cast<int>(p.zones.size());
  const auto extents = [&](int zone) { return interior_of(p.zones[static_cast<std::size_t>(zone)].shape); };
  const yoke::zone_options how{
      .weights = p.weights(), .gpu_bytes = std::move(work_memory), .steps = steps, .warms_up = true};
  return among == nullptr ? yoke::zones{rt, n, extents, how} : yoke::zones{rt, *among, n, extents, how};
}

/// West to east and south to north, round both ways.
yoke::zones& joined(yoke::zones& blocks, const problem& p) {
  for (int z = 0; z < blocks.size(); ++z) {
    const zone& each = p.zones[static_cast<std::size_t>(z)];
    blocks.join({z, yoke::side::high(2)}, {each.east, yoke::side::low(2)});
    blocks.join({z, yoke::side::high(1)}, {each.north, yoke::side::low(1)});
  }
  return blocks;
}

/// In the order of all_sides.
std::array<int, n_sides> takers_of(const yoke::zone_batch& at, std::size_t i) {
  return {at.neighbour(i, yoke::side::low(2)), at.neighbour(i, yoke::side::high(2)),
          at.neighbour(i, yoke::side::low(1)), at.neighbour(i, yoke::side::high(1))};
}

double* first_of(const yoke::view<double, 4>& of) { return of.first().get(); }
double* first_of(const yoke::view<const double, 4>& of) { return const_cast<double*>(of.first().get()); }

}  // namespace

zoned_march::zoned_march(yoke::runtime& rt, yoke::ranks* among, const benchmark& what, int steps)
    : rt_{rt},
      among_{among},
      what_{what},
      blocks_(zones_of(rt, among, what, steps)),
      u_{joined(blocks_, what.what()), boundary, "u"},
      forcing_{blocks_, boundary, "the forcing"},
      residual_{what.has_residual() ? std::make_unique<field>(blocks_, boundary, "the residual") : nullptr},
      sends_{what.make_device_solver()->sends_faces()},
      host_(static_cast<std::size_t>(rt.units().size())),
      has_forcing_(what.what().zones.size()),
      norms_(what.what().zones.size()),
      steps_{record_steps(sends_)},
      last_{sends_ ? std::make_unique<yoke::zone_recording>(record_steps(false)) : nullptr},
      start_{record_start()},
      all_norms_{record_norms("norms", true)},
      xcr_norms_{record_norms("norms of the residual", false)} {}

// What runs.

template <class Work>
auto zoned_march::of_batch(Work work) {
  return [this, work](const yoke::zone_batch& at, const auto& states, const auto& forcings,
                      const auto&... residuals) {
    std::vector<host_zone> all;
    std::vector<std::array<int, n_sides>> takers;
    for (std::size_t i = 0; i < at.zones.size(); ++i) {
      const zone& of = what_.what().zones[static_cast<std::size_t>(at.zones[i])];
      all.push_back({of.shape, first_of(states[i]), first_of(forcings[i]), nullptr});
      ((all.back().residual = first_of(residuals[i])), ...);
      if (sends_) takers.push_back(takers_of(at, i));
    }
    return work(at, zones_on_host{at.zones, all, takers});
  };
}

yoke::zone_recording zoned_march::record_steps(bool send) {
  const auto prepare = of_batch(std::bind_front(&zoned_march::steps_of, this));
  const auto u = send ? inout(u_, yoke::sends_faces) : inout(u_);
  const auto f = in(forcing_, yoke::interior);
  return blocks_.record([&](yoke::zone_step& s) {
    if (residual_ == nullptr)
      s.call_prepared("advance", prepare, u, f);
    else
      s.call_prepared("advance", prepare, u, f, inout(*residual_, yoke::interior));
  });
}

yoke::zone_recording zoned_march::record_start() {
  const auto work = of_batch(std::bind_front(&zoned_march::start, this));
  const auto u = inout(u_, yoke::interior), f = inout(forcing_, yoke::interior);
  return blocks_.record([&](yoke::zone_step& s) {
    if (residual_ == nullptr)
      s.call_batch("initial state", work, u, f);
    else
      s.call_batch("initial state", work, u, f, inout(*residual_, yoke::interior));
  });
}

yoke::zone_recording zoned_march::record_norms(const char* name, bool all) {
  const auto work =
      of_batch([this, all](const yoke::zone_batch& at, const zones_on_host& zones) { sum(at, zones, all); });
  const auto u = in(u_, yoke::interior), f = in(forcing_, yoke::interior);
  return blocks_.record([&](yoke::zone_step& s) {
    if (residual_ == nullptr)
      s.call_batch(name, work, u, f);
    else
      s.call_batch(name, work, u, f, in(*residual_, yoke::interior));
  });
}

host_team& zoned_march::host(const yoke::compute_unit& unit) {
  auto& made = host_[static_cast<std::size_t>(int{unit.id})];
  if (!made) made = std::make_unique<host_team>(what_, std::max(1, static_cast<int>(unit.cpus.size())));
  return *made;
}

std::function<void(yoke::stream_handle)> zoned_march::steps_of(const yoke::zone_batch& at,
                                                               const zones_on_host& zones) {
  if (at.is_gpu()) return prepare_steps(what_, {*at.dev, at.stream, zones}, work_);
  return [this, numbers = std::vector(zones.numbers.begin(), zones.numbers.end()),
          fields = std::vector(zones.fields.begin(), zones.fields.end()),
          takers = std::vector(zones.takers.begin(), zones.takers.end())](yoke::stream_handle) {
    const zones_on_host all{numbers, fields, takers};
    host_team& here = host(rt_.units().calling());
    here.advance(all);
    if (!takers.empty()) here.send_faces(all);
  };
}

void zoned_march::start(const yoke::zone_batch& at, const zones_on_host& zones) {
  const bool with_forcing = has_forcing_[static_cast<std::size_t>(zones.numbers.front())] == 0;
  if (at.is_gpu()) return npb::start(what_, {*at.dev, at.stream, zones}, with_forcing);
  host(*at.unit).for_each(zones, [&](int zone, const host_zone& fields, int n_threads) {
    if (with_forcing) what_.make_forcing(zone, const_cast<double*>(fields.forcing), n_threads);
    what_.initialize(zone, fields, n_threads);
  });
}

void zoned_march::sum(const yoke::zone_batch& at, const zones_on_host& zones, bool all) {
  if (at.is_gpu()) return sum_norms(what_, {*at.dev, at.stream, zones}, all, norms_);
  host(*at.unit).for_each(zones, [&](int zone, const host_zone& fields, int) {
    zone_norms& to = norms_[static_cast<std::size_t>(zone)];
    if (all)
      to = what_.norms(zone, fields);
    else
      to.xcr = xcr_of(what_.what().kind, what_.coefficients(),
                      {fields.shape, fields.u, fields.forcing, fields.residual});
  });
}

// In order.

void zoned_march::initialize() {
  start_.replay();
  blocks_.wait();
  std::ranges::fill(has_forcing_, 1);
}

void zoned_march::run(int steps) {
  if (last_ == nullptr || steps == 0) return steps_.replay(steps);
  steps_.replay(steps - 1);
  last_->replay();
}

void zoned_march::warm_up(int steps) {
  steps_.warm_up(steps);
  if (last_ != nullptr) last_->replay();
}

/// Each rank gives what it has; a zone's rank says which counts.
std::vector<zone_norms> zoned_march::summed(yoke::zone_recording& by) {
  by.replay();
  blocks_.wait();
  if (among_ == nullptr) return norms_;
  const auto all = among_->gather(std::as_bytes(std::span{norms_}));
  std::vector<zone_norms> found(norms_.size());
  for (std::size_t zone = 0; zone < found.size(); ++zone)
    std::memcpy(&found[zone],
                all[static_cast<std::size_t>(blocks_.rank_of(static_cast<int>(zone)))].data() +
                    zone * sizeof(zone_norms),
                sizeof(zone_norms));
  return found;
}

std::vector<zone_norms> zoned_march::norms() { return summed(all_norms_); }
std::vector<zone_norms> zoned_march::residual_norms() { return summed(xcr_norms_); }

std::unique_ptr<yoke::zone_checkpoint> zoned_march::checkpoint(const std::string& path,
                                                               const std::string& what) {
  auto file = std::make_unique<yoke::zone_checkpoint>(blocks_, path, what);
  file->add(u_);
  if (residual_ != nullptr) file->add(*residual_);
  return file;
}

}  // namespace npb
