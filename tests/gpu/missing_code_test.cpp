#include "fake_hip.hpp"
#include "gpu_fixture.hpp"
#include "gpu_kernels.hpp"

#include <support/errors.hpp>

using namespace gpu_tests;

TEST_CASE("a GPU that the program holds no code for is refused with the line that configures it",
          "[fake-hip]") {
  const auto dev = built_backend().open({.index = 0});
  const own_stream stream{*dev};
  const device_array<double> values{*dev, 100};
  fake_hip::fail_call(2, false, hipErrorNoBinaryForGpu);  // the first call asks for the current device
  const std::string message = support::message_of<yoke::device_error>(
      [&] { launch_scale(*dev, stream, 100, values.pointer(), 2, 1); });
  fake_hip::fail_call(0);
  CAPTURE(message);
  CHECK(mentions(message,
                 "the program holds no code for this GPU (a GPU that is made up): configure it with "
                 "-DCMAKE_HIP_ARCHITECTURES=gfx906"));
}
