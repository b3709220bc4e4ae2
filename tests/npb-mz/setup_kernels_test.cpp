#include "common/setup_kernels.hpp"

#include "common/initial.hpp"
#include "common/norm_rows.hpp"
#include "device_memory.hpp"
#include "lu/lu_kernels.hpp"
#include "reference/lu.hpp"

#include <random>
#include <support/catch.hpp>

using npb::benchmark_kind;
using support::device_memory;
using support::on_every_device;
using support::same_bits;

namespace {

/// Odd, uneven, and as small as zones may be.
const std::vector<npb::zone_shape> shapes{{6, 6, 6},  {7, 6, 9},  {9, 13, 7},  {11, 7, 6},  {35, 6, 7},
                                          {6, 35, 6}, {7, 6, 35}, {13, 17, 9}, {21, 23, 10}};

/// One zone of each shape in host memory, with the constants of one of them for all.
struct zones_on_host {
  benchmark_kind kind;
  npb::constants c;
  std::vector<std::vector<double>> u, forcing, residual;  ///< residual: empty vectors in BT and SP

  explicit zones_on_host(benchmark_kind of)
      : kind{of}, c{npb::make_constants(npb::make_custom_problem(of, 'S', {16, 15, 12, 1, 1}))} {
    for (const npb::zone_shape& s : shapes) {
      u.emplace_back(s.field_size());
      forcing.emplace_back(s.field_size());
      residual.emplace_back(kind == benchmark_kind::lu ? s.field_size() : 0);
    }
  }
  npb::norm_fields fields(std::size_t z) const {
    return {shapes[z], u[z].data(), forcing[z].data(), residual[z].data()};
  }
  void set_up() {
    for (std::size_t z = 0; z < shapes.size(); ++z) {
      npb::make_forcing(kind, c, shapes[z], forcing[z].data());
      npb::make_initial_state(kind, c, shapes[z], u[z].data());
      if (kind == benchmark_kind::lu) make_residual(z);
    }
  }
  void make_residual(std::size_t z) {
    std::vector<double> unused(shapes[z].field_size());
    npb::reference::lu::rhs({c, {shapes[z], u[z].data(), forcing[z].data(), residual[z].data()}, unused});
  }
  /// A state without any symmetry.
  void disturb() {
    std::mt19937 random{7};
    std::uniform_real_distribution<double> factor{0.9, 1.1};
    for (auto* fields : {&u, &residual})
      for (std::vector<double>& field : *fields)
        for (double& x : field) x *= factor(random);
  }
};

/// The same zones on a device, each with room for its sums.
struct zones_there {
  device_memory memory;
  std::vector<npb::device_zone> table;
  npb::zones_on_device zones;

  zones_there(yoke::device& dev, const zones_on_host& from)
      : memory{dev}, zones{dev, memory.stream(), {}, shapes} {
    for (std::size_t z = 0; z < shapes.size(); ++z) {
      const auto [nx, ny, nz] = shapes[z];
      const std::size_t sums = static_cast<std::size_t>(npb::norm_rows{from.kind, shapes[z]}.size());
      table.push_back(
          {nx, ny, nz, memory.upload(from.u[z]), memory.upload(from.forcing[z]),
           from.residual[z].empty() ? yoke::device_ptr<double>{} : memory.upload(from.residual[z]),
           memory.upload(std::vector<double>(sums, std::nan("")))});
    }
    zones.table = memory.upload(table);
  }
  std::vector<double> sums(std::size_t z, benchmark_kind kind) {
    std::vector<double> found(static_cast<std::size_t>(npb::norm_rows{kind, shapes[z]}.size()));
    memory.download(found, table[z].work);
    return found;
  }
};

}  // namespace

TEST_CASE("zones that a device sets up have the bits of those that the host sets up", "[npb-mz]") {
  for (const benchmark_kind kind : npb::all_benchmarks) {
    zones_on_host expected{kind};
    expected.set_up();
    on_every_device([&](yoke::device& dev) {
      zones_on_host found{kind};
      for (auto* fields : {&found.u, &found.forcing, &found.residual})
        for (std::vector<double>& field : *fields) field.assign(field.size(), std::nan(""));
      zones_there there{dev, found};
      npb::launch_forcing(there.zones, kind, found.c);
      npb::launch_initial_state(there.zones, kind, found.c);
      if (kind == benchmark_kind::lu) npb::lu::make_device_solver(found.c)->make_residual(there.zones);
      for (std::size_t z = 0; z < shapes.size(); ++z) {
        INFO(npb::short_name(kind) << " zone " << z);
        there.memory.download(found.u[z], there.table[z].u);
        there.memory.download(found.forcing[z], there.table[z].forcing);
        if (kind == benchmark_kind::lu) there.memory.download(found.residual[z], there.table[z].residual);
        CHECK(same_bits(found.u[z], expected.u[z]));
        CHECK(same_bits(found.forcing[z], expected.forcing[z]));
        if (kind == benchmark_kind::lu) CHECK(same_bits(found.residual[z], expected.residual[z]));
      }
    });
  }
}

TEST_CASE("norms from the row sums of a device have the bits of the host's", "[npb-mz]") {
  for (const benchmark_kind kind : npb::all_benchmarks) {
    zones_on_host zones{kind};
    zones.set_up();
    zones.disturb();
    on_every_device([&](yoke::device& dev) {
      zones_there there{dev, zones};
      npb::launch_norm_rows(there.zones, kind, zones.c);
      for (std::size_t z = 0; z < shapes.size(); ++z) {
        INFO(npb::short_name(kind) << " zone " << z);
        const npb::norm_rows rows{kind, shapes[z]};
        const std::vector<double> sums = there.sums(z, kind);
        const npb::zone_norms expected = npb::norms_of(kind, zones.c, zones.fields(z));
        CHECK(npb::norms_of_sums(zones.c, rows, sums.data()) == expected);
        CHECK((expected.xci != 0) == (kind == benchmark_kind::lu));
      }
    });
  }
}

TEST_CASE("the residual's norm alone needs the sums of its own rows alone", "[npb-mz]") {
  for (const benchmark_kind kind : npb::all_benchmarks) {
    zones_on_host zones{kind};
    zones.set_up();
    zones.disturb();
    on_every_device([&](yoke::device& dev) {
      zones_there there{dev, zones};
      npb::launch_xcr_rows(there.zones, kind, zones.c);
      for (std::size_t z = 0; z < shapes.size(); ++z) {
        INFO(npb::short_name(kind) << " zone " << z);
        const npb::norm_rows rows{kind, shapes[z]};
        const std::vector<double> sums = there.sums(z, kind);
        const auto xcr = npb::xcr_of_sums(rows, sums.data());
        CHECK(xcr == npb::xcr_of(kind, zones.c, zones.fields(z)));
        CHECK(xcr == npb::norms_of(kind, zones.c, zones.fields(z)).xcr);
        const auto untouched = std::span{sums}.subspan(static_cast<std::size_t>(rows.xce_at()));
        CHECK(std::ranges::all_of(untouched, [](double x) { return std::isnan(x); }));
      }
    });
  }
}
