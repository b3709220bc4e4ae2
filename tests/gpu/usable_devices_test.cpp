#include "fake_hip.hpp"
#include "gpu_fixture.hpp"

#include <string>

// Which GPUs there are, and which can be opened: over the made-up HIP runtime.

using namespace gpu_tests;

TEST_CASE("without a GPU the HIP backend says so", "[fake-hip]") {
  fake_hip::set_device_count(0);
  std::string why;
  CHECK(built_backend().count(why) == 0);
  CHECK(mentions(why, "the driver sees no GPU: hipErrorNoDevice"));
  fake_hip::set_device_count(2);
  CHECK(built_backend().count(why) == 2);
}

TEST_CASE("a device that another process has for itself is refused with the reason, and no other",
          "[fake-hip]") {
  fake_hip::set_busy(1);
  CHECK(built_backend().refuses(0).empty());
  CHECK(mentions(built_backend().refuses(1), "hipErrorContextAlreadyInUse"));
  CHECK(fake_hip::left_behind().empty());
  fake_hip::set_busy(-1);
  CHECK(built_backend().refuses(1).empty());
}
