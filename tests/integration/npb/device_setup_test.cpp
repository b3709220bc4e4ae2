#include "driver/gpu/device_setup.hpp"

#include "driver/march/assigned_schedule.hpp"

#include <support/catch.hpp>
#include <vector>

#include <yoke/runtime.hpp>

namespace {

using setup_body = std::function<void(npb::device_setup&, std::span<const yoke::task_id>)>;

/// Uneven zones of a benchmark on the GPU CUs of a runtime.
struct zones_under_test {
  std::unique_ptr<npb::benchmark> what;
  yoke::runtime rt;
  npb::zone_store zones;
  npb::face_store faces;
  npb::publication order;
  npb::departures departed{2};
  std::vector<double> weights;
  npb::stepping shared;

  /// `only_gpu`: the faces need not reckon with the CPU CU.
  zones_under_test(std::unique_ptr<npb::benchmark> of, bool only_gpu)
      : what{std::move(of)},
        rt{{.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}},
        zones{*what, rt.memory()},
        faces{what->what(), rt.devices(), units_of(rt, only_gpu)},
        order{zones.n_zones()},
        weights(static_cast<std::size_t>(zones.n_zones()), 1.0),
        shared{*what, zones, faces, order, departed, weights} {}

  static std::vector<yoke::unit> units_of(const yoke::runtime& rt, bool only_gpu) {
    std::vector<yoke::unit> units = rt.schedule_units();
    if (only_gpu) std::erase_if(units, [](const yoke::unit& u) { return u.space == yoke::host_space; });
    return units;
  }

  /// By the last unit, on its device; its sums have room for `most_sums` doubles.
  void on_device(std::size_t most_sums, const setup_body& body) {
    const std::vector<yoke::unit_id> map(weights.size(), yoke::unit_id{rt.units().size() - 1});
    yoke::task_loop loop = rt.make_loop(std::make_unique<npb::assigned_schedule>(map, rt.units().size()),
                                        {.n_tasks = zones.n_zones(), .weights = weights});
    rt.run(loop, [&](std::span<const yoke::task_id> batch) {
      const yoke::compute_unit& unit = rt.units().calling();
      for (const int zone : batch) zones.bring(zone, unit.space);
      npb::device_setup setup{shared, unit, most_sums};
      body(setup, batch);
    });
  }
};

npb::problem uneven(npb::benchmark_kind kind) {
  return npb::make_custom_problem(kind, 'S', {29, 23, 9, 3, 2});
}

/// The same zone in host memory.
struct host_copy {
  std::vector<double> u, forcing, residual;
  npb::host_zone fields;

  host_copy(const npb::benchmark& what, int zone) {
    const npb::zone_shape& shape = what.what().zones[static_cast<std::size_t>(zone)].shape;
    for (auto* field : {&u, &forcing, &residual}) field->resize(shape.field_size());
    fields = {shape, u.data(), forcing.data(), residual.data()};
    what.make_forcing(zone, forcing.data(), 1);
    what.initialize(zone, fields, 1);
  }
};

}  // namespace

TEST_CASE("norms taken on a device, in groups of any size, are those of the host", "[npb]") {
  for (const bool is_lu : {false, true}) {
    for (const std::size_t most_sums : {std::size_t{0}, std::size_t{1500}, std::size_t{1} << 20}) {
      zones_under_test under{is_lu ? npb::lu::make_benchmark(uneven(npb::benchmark_kind::lu))
                                   : npb::sp::make_benchmark(uneven(npb::benchmark_kind::sp)),
                             true};
      std::vector<npb::zone_norms> found(under.weights.size()), residual(under.weights.size());
      under.on_device(most_sums, [&](npb::device_setup& setup, std::span<const yoke::task_id> zones) {
        setup.make_forcing(zones);
        setup.initialize(zones);
        setup.norms(zones, found);
        setup.residual_norms(zones, residual);
      });
      for (int zone = 0; zone < under.zones.n_zones(); ++zone) {
        const auto expected = under.what->norms(zone, host_copy{*under.what, zone}.fields);
        CHECK(found[static_cast<std::size_t>(zone)] == expected);
        CHECK(residual[static_cast<std::size_t>(zone)].xcr == expected.xcr);
      }
    }
  }
}

TEST_CASE("the faces of zones on a device are sent to where they may be read", "[npb]") {
  constexpr int step = 3;
  for (const bool only_gpu : {true, false}) {
    zones_under_test under{npb::sp::make_benchmark(uneven(npb::benchmark_kind::sp)), only_gpu};
    under.on_device(1000, [&](npb::device_setup& setup, std::span<const yoke::task_id> zones) {
      setup.make_forcing(zones);
      setup.initialize(zones);
      setup.send_faces(zones, under.faces.moment_of(step));
    });
    for (int zone = 0; zone < under.zones.n_zones(); ++zone) {
      const host_copy copy{*under.what, zone};
      for (const npb::side at : npb::all_sides) {
        const int face = npb::face_of(zone, at);
        CHECK(under.faces.is_on_device(yoke::space_id{1}, face, under.faces.moment_of(step)));
        CHECK(!under.faces.is_on_device(yoke::space_id{1}, face, under.faces.moment_of(step - 2)));
        if (only_gpu) {
          CHECK_THROWS(under.faces.on_host(face, under.faces.moment_of(step)));
          continue;
        }
        std::vector<double> expected(under.faces.size(face));
        npb::pack(npb::inner_plane(copy.fields.shape, at), copy.u.data(), expected.data());
        const double* const found = under.faces.on_host(face, under.faces.moment_of(step));
        CHECK(std::vector<double>(found, found + expected.size()) == expected);
      }
    }
  }
}

TEST_CASE("a face of a device reaches the host when a new map wants it there", "[npb]") {
  zones_under_test under{npb::sp::make_benchmark(uneven(npb::benchmark_kind::sp)), false};
  const yoke::unit_id gpu{1};
  std::vector<yoke::unit_id> map(under.weights.size(), gpu);
  under.faces.plan(map);
  under.on_device(1000, [&](npb::device_setup& setup, std::span<const yoke::task_id> zones) {
    setup.make_forcing(zones);
    setup.initialize(zones);
    setup.send_faces(zones, under.faces.moment_of(0));
  });
  CHECK_THROWS(under.faces.on_host(npb::face_of(0, npb::side::east), under.faces.moment_of(0)));
  map[1] = yoke::unit_id{0};  // the eastern neighbour of zone 0
  under.faces.plan(map);
  CHECK(!under.faces.is_on_device(yoke::space_id{1}, npb::face_of(0, npb::side::south),
                                  under.faces.moment_of(0)));
  under.on_device(1000, [&](npb::device_setup& setup, std::span<const yoke::task_id> zones) {
    setup.send_faces(zones, under.faces.moment_of(0));
  });
  const host_copy copy{*under.what, 0};
  std::vector<double> expected(under.faces.size(npb::face_of(0, npb::side::east)));
  npb::pack(npb::inner_plane(copy.fields.shape, npb::side::east), copy.u.data(), expected.data());
  const double* const found = under.faces.on_host(npb::face_of(0, npb::side::east), under.faces.moment_of(0));
  CHECK(std::vector<double>(found, found + expected.size()) == expected);
  CHECK_THROWS(under.faces.on_host(npb::face_of(0, npb::side::south),
                                   under.faces.moment_of(0)));  // read by zone 3, still there
}
