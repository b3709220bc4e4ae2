/// What is said of an address that a kernel must not use.
#include "kernels.hpp"
#include "parts.hpp"

#include <span>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/placement.hpp>
#include <yoke/yoke.hpp>

namespace {

using Catch::Matchers::Contains;
using kernels::value;
using spaces::parts;
using spaces::second;

}  // namespace

TEST_CASE("an address that a kernel must not use is told with the region, null with what gave it",
          "[placement]") {
  const spaces::two_devices devices;
  parts runtime{1, *devices.a, *devices.b};
  kernels::values others(100);
  yoke::placed<value> forces{runtime, std::span{others}, "forces"};
  const auto told = [&](value* address) {
    return support::refusal([&] {
      parts::as(1, [&] {
        yoke::launch_here<kernels::scale>({.x = 100}, "scale", yoke::device_ptr{address}, 2, 1);
        runtime.finish(1);
      });
    });
  };
  CHECK_THAT(told(others.data()), Contains("kernel 'scale'") && Contains(": it is of region 'forces' at ") &&
                                      Contains("(800 bytes of long), its copy in space 0 (host); pass an"));
  value* nowhere_yet = static_cast<value*>(yoke::placement::mem_addr(forces.key(), second));
  CHECK(nowhere_yet == nullptr);
  CHECK_THAT(told(nowhere_yet),
             Contains("the device pointer 0x0, an element of a null pointer: mem_addr gives "
                      "null for a region that has no copy in that space; migrate it"));
}
