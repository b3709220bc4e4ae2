#include "device_kernels.hpp"
#include "emulated_fixture.hpp"

#include <cmath>
#include <support/catch.hpp>

// What the emulated device does beyond the conformance suite.

namespace {

using conformance::fixture;

}  // namespace

TEST_CASE("a block kernel reads NaN where it has not written its shared memory", "[emulated]") {
  const fixture on;
  auto* x = static_cast<double*>(on.device->allocate(sizeof(double)));
  conformance::launch_read_unwritten(*on.device, on.stream, yoke::device_ptr{x});
  double value = 0;
  on.device->copy(on.stream, &value, x, sizeof value, yoke::copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(std::isnan(value));
  on.device->deallocate(x);
}

TEST_CASE("a block kernel that writes behind its shared memory is reported by its name", "[emulated]") {
  const fixture on;
  conformance::launch_write_behind(*on.device, on.stream);
  CHECK_THROWS_WITH(on.device->synchronize(on.stream),
                    Catch::Contains("'write_behind'") && Catch::Contains("128 bytes of shared memory"));
}

TEST_CASE("a block that waits for what nobody has published is an error, not a hang", "[emulated]") {
  const fixture on;
  auto* counter = static_cast<int*>(on.device->allocate(sizeof(int)));
  const int zero = 0;
  on.device->copy(on.stream, counter, &zero, sizeof zero, yoke::copy_kind::host_to_device);
  conformance::launch_wait_in_vain(*on.device, on.stream, yoke::device_ptr{counter});
  CHECK_THROWS_WITH(on.device->synchronize(on.stream),
                    Catch::Contains("'wait_in_vain'") && Catch::Contains("progress 3 where 0 was published"));
  on.device->deallocate(counter);
}
