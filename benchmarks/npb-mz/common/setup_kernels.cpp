#include "setup_kernels.hpp"

#include "norm_rows.hpp"

#include <algorithm>
#include <cstdint>

namespace npb {
namespace {

using zone_table = yoke::device_ptr<const device_zone>;

YOKE_HD zone_shape shape_of(const device_zone& z) { return {z.nx, z.ny, z.nz}; }

/// Calls body(i, j, k, at) for point number `x` of a zone that has so many.
template <class Body>
YOKE_HD void at_point(const zone_shape& s, std::int64_t x, const Body& body) {
  const std::int64_t plane = static_cast<std::int64_t>(s.nx) * s.ny;
  if (x >= plane * s.nz) return;
  const int k = static_cast<int>(x / plane), in_plane = static_cast<int>(x % plane);
  body(in_plane % s.nx, in_plane / s.nx, k, static_cast<std::size_t>(x));
}

struct forcing_kernel {
  YOKE_HD void operator()(yoke::item item, zone_table zones, benchmark_kind kind, constants c) const {
    const device_zone& z = zones[item.y];
    const zone_shape s = shape_of(z);
    double* const forcing = z.forcing.get();
    at_point(s, item.x, [&](int i, int j, int k, std::size_t at) {
      const bool inside = i > 0 && i < s.nx - 1 && j > 0 && j < s.ny - 1 && k > 0 && k < s.nz - 1;
      const exact_field w{steps_of(kind, c, s), s, i, j, k};
      store(forcing, s, at, inside ? forcing_at(kind, c, w) : five<double>{});
    });
  }
};

struct initial_state_kernel {
  YOKE_HD void operator()(yoke::item item, zone_table zones, benchmark_kind kind, constants c) const {
    const device_zone& z = zones[item.y];
    const zone_shape s = shape_of(z);
    double* const u = z.u.get();
    double* const residual = z.residual ? z.residual.get() : nullptr;
    at_point(s, item.x, [&](int i, int j, int k, std::size_t at) {
      store(u, s, at, start_at(kind, steps_of(kind, c, s), s, i, j, k));
      if (residual != nullptr) store(residual, s, at, five<double>{});
    });
  }
};

YOKE_HD norm_fields fields_of(const device_zone& z) {
  return {shape_of(z), z.u.get(), z.forcing.get(), z.residual ? z.residual.get() : nullptr};
}
YOKE_HD void put_row(double* sums, std::int64_t n, const five<double>& row) {
  for (int m = 0; m < 5; ++m) sums[5 * n + m] = row[m];
}

struct xcr_rows_kernel {
  YOKE_HD void operator()(yoke::item item, zone_table zones, benchmark_kind kind, constants c) const {
    const device_zone& z = zones[item.y];
    const norm_rows rows{kind, shape_of(z)};
    if (item.x < rows.xcr) put_row(z.work.get(), item.x, xcr_row(kind, c, fields_of(z), item.x));
  }
};

struct xce_rows_kernel {
  YOKE_HD void operator()(yoke::item item, zone_table zones, benchmark_kind kind, constants c) const {
    const device_zone& z = zones[item.y];
    const norm_rows rows{kind, shape_of(z)};
    if (item.x < rows.xce)
      put_row(z.work.get() + rows.xce_at(), item.x, xce_row(kind, c, fields_of(z), item.x));
  }
};

struct xci_rows_kernel {
  YOKE_HD void operator()(yoke::item item, zone_table zones, benchmark_kind kind) const {
    const device_zone& z = zones[item.y];
    const norm_rows rows{kind, shape_of(z)};
    if (item.x < rows.xci) z.work[rows.xci_at() + item.x] = xci_row(fields_of(z), item.x);
  }
};

/// The most of something that any of the zones has, for each of them.
template <class Count>
yoke::extent extent_of(const zones_on_device& zones, const Count& count) {
  yoke::extent all{.x = 0, .y = static_cast<std::int64_t>(zones.shapes.size())};
  for (const zone_shape& s : zones.shapes) all.x = std::max(all.x, static_cast<std::int64_t>(count(s)));
  return all;
}
yoke::extent points_of(const zones_on_device& zones) {
  return extent_of(zones, [](const zone_shape& s) { return s.points(); });
}
yoke::extent rows_of(const zones_on_device& zones, benchmark_kind kind, std::int64_t norm_rows::* which) {
  return extent_of(zones, [&](const zone_shape& s) { return norm_rows{kind, s}.*which; });
}

}  // namespace

void launch_forcing(const zones_on_device& zones, benchmark_kind kind, const constants& c) {
  yoke::launch<forcing_kernel>(zones.device, zones.stream, points_of(zones), "forcing", zones.table, kind, c);
}

void launch_initial_state(const zones_on_device& zones, benchmark_kind kind, const constants& c) {
  yoke::launch<initial_state_kernel>(zones.device, zones.stream, points_of(zones), "initial state",
                                     zones.table, kind, c);
}

void launch_xcr_rows(const zones_on_device& zones, benchmark_kind kind, const constants& c) {
  yoke::launch<xcr_rows_kernel>(zones.device, zones.stream, rows_of(zones, kind, &norm_rows::xcr), "norm xcr",
                                zones.table, kind, c);
}

void launch_norm_rows(const zones_on_device& zones, benchmark_kind kind, const constants& c) {
  launch_xcr_rows(zones, kind, c);
  yoke::launch<xce_rows_kernel>(zones.device, zones.stream, rows_of(zones, kind, &norm_rows::xce), "norm xce",
                                zones.table, kind, c);
  yoke::launch<xci_rows_kernel>(zones.device, zones.stream, rows_of(zones, kind, &norm_rows::xci), "norm xci",
                                zones.table, kind);
}

}  // namespace npb
