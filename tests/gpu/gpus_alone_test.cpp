#include "fake_hip.hpp"

#include <algorithm>
#include <string>
#include <support/catch.hpp>
#include <support/variable.hpp>

#include <yoke/yoke.hpp>

// What the default makes of a GPU beside which CPUs pay, or do not: over the made-up HIP runtime.

using support::variable;
using yoke::runtime;
using yoke::runtime_options;

namespace {

int cpus_of(const runtime_options& options) { return runtime{options}.units().shape().cpu_units; }

}  // namespace

TEST_CASE("where nothing is chosen, CPUs stay out that would save next to nothing beside GPUs",
          "[fake-hip]") {
  const variable no_cus{"YOKE_CUS"}, no_devices{"YOKE_DEVICES"}, no_schedule{"YOKE_SCHEDULE"};
  fake_hip::set_device_count(1);
  const int cpus = cpus_of({.devices = "auto"});
  if (cpus == 0 || cpus > 18) return;  // these manage the GPU, or are through before it is open
  const double little = 9, much = 1e4;
  runtime rt{{.core_seconds = little}};
  CHECK(rt.units().shape().cpu_units == 0);
  CHECK(rt.units().shape().gpu_units > 0);
  const auto note = std::ranges::find_if(rt.notes(), [](const std::string& each) {
    return each.find(": CPUs stay out: ") != std::string::npos;
  });
  REQUIRE(note != rt.notes().end());
  CHECK_THAT(*note, Catch::Matchers::Contains("YOKE_CUS="));
  CHECK(cpus_of({.core_seconds = much}) > 0);
  CHECK(cpus_of({.devices = "auto", .core_seconds = little}) > 0);
  CHECK(cpus_of({.schedule = "dynamic", .core_seconds = little}) > 0);
  CHECK(cpus_of({.cus = "1x1+1", .core_seconds = little}) == 1);
  const variable places{"OMP_PLACES", "threads"};
  CHECK(cpus_of({.core_seconds = little}) > 0);
}
