#include "device_zones.hpp"

#include "common/norm_rows.hpp"
#include "common/setup_kernels.hpp"

#include <algorithm>
#include <cstdint>

namespace npb {

device_zones::placed::placed(yoke::device& dev) : table{dev}, work{dev, device_buffer::kind::device} {}

device_zones::device_zones(const benchmark& what, yoke::device& dev)
    : what_{what},
      device_{dev},
      solver_{what.make_device_solver()},
      sums_{dev},
      sums_on_host_{dev, device_buffer::kind::pinned} {}

device_zones::placed& device_zones::of(std::map<int, placed>& all, const zones_there& zones) {
  return all.try_emplace(zones.numbers.front(), device_).first->second;
}

namespace {

/// Work memory of zones begins on lines of its own.
std::size_t rounded_up(std::size_t doubles) { return (doubles + 15) / 16 * 16; }
/// Of kernels that use none: an address all the same, which kernels look at.
std::size_t no_work(const zone_shape&) { return rounded_up(1); }

}  // namespace

/// Tables stay as long as their zones do.
zones_on_device device_zones::place(placed& in, yoke::stream_handle stream, const zones_there& zones,
                                    const work_size& doubles_of) {
  if (!std::ranges::equal(in.states, zones.fields, {}, {}, &host_zone::u)) {
    device_.synchronize(stream);  // nothing reads what the table and its memory were
    in.states.clear();
    in.shapes.clear();
    std::size_t doubles = 0;
    for (const host_zone& each : zones.fields) doubles += doubles_of(each.shape);
    in.work.reserve(doubles * sizeof(double), "work memory of zones");
    yoke::device_ptr<double> work{reinterpret_cast<double*>(in.work.data())};
    std::vector<device_zone> table;
    for (const host_zone& each : zones.fields) {
      table.push_back({.nx = each.shape.nx,
                       .ny = each.shape.ny,
                       .nz = each.shape.nz,
                       .u = yoke::device_ptr<double>{each.u},
                       .forcing = yoke::device_ptr<double>{const_cast<double*>(each.forcing)},
                       .residual = yoke::device_ptr<double>{each.residual},
                       .work = work});
      work = work + static_cast<std::ptrdiff_t>(doubles_of(each.shape));
      in.shapes.push_back(each.shape);
    }
    in.at = in.table.upload(stream, table);
    for (const host_zone& each : zones.fields) in.states.push_back(each.u);
  }
  return {device_, stream, in.at, in.shapes};
}

void device_zones::advance(yoke::stream_handle stream, const zones_there& zones) {
  solver_->advance(place(of(steps_, zones), stream, zones, [&](const zone_shape& shape) {
    return rounded_up(solver_->scratch_bytes(shape) / sizeof(double));
  }));
}

void device_zones::make_forcing(yoke::stream_handle stream, const zones_there& zones) {
  launch_forcing(place(sums_, stream, zones, no_work), what_.what().kind, what_.coefficients());
}

void device_zones::initialize(yoke::stream_handle stream, const zones_there& zones) {
  const zones_on_device there = place(sums_, stream, zones, no_work);
  launch_initial_state(there, what_.what().kind, what_.coefficients());
  solver_->make_residual(there);
}

void device_zones::norms(yoke::stream_handle stream, const zones_there& zones,
                         std::span<zone_norms> by_zone) {
  sum(stream, zones, true, by_zone);
}
void device_zones::residual_norms(yoke::stream_handle stream, const zones_there& zones,
                                  std::span<zone_norms> by_zone) {
  sum(stream, zones, false, by_zone);
}

void device_zones::sum(yoke::stream_handle stream, const zones_there& zones, bool all_norms,
                       std::span<zone_norms> by_zone) {
  const benchmark_kind kind = what_.what().kind;
  const auto size_of = [&](const zone_shape& shape) {
    const norm_rows rows{kind, shape};
    return static_cast<std::size_t>(all_norms ? rows.size() : rows.xce_at());
  };
  std::size_t doubles = 0;
  for (const host_zone& each : zones.fields) doubles += size_of(each.shape);
  sums_.states.clear();  // its memory is divided for something else
  const zones_on_device there = place(sums_, stream, zones, size_of);
  (all_norms ? launch_norm_rows : launch_xcr_rows)(there, kind, what_.coefficients());
  sums_on_host_.reserve(doubles * sizeof(double), "the sums of the norms, in pinned memory");
  device_.copy(stream, sums_on_host_.data(), sums_.work.data(), doubles * sizeof(double),
               yoke::copy_kind::device_to_host);
  device_.synchronize(stream);
  sums_.states.clear();
  const auto* sums = reinterpret_cast<const double*>(sums_on_host_.data());
  for (std::size_t i = 0; i < zones.numbers.size(); ++i) {
    const norm_rows rows{kind, zones.fields[i].shape};
    zone_norms& to = by_zone[static_cast<std::size_t>(zones.numbers[i])];
    if (all_norms)
      to = norms_of_sums(what_.coefficients(), rows, sums);
    else
      to.xcr = xcr_of_sums(rows, sums);
    sums += size_of(zones.fields[i].shape);
  }
}

}  // namespace npb
