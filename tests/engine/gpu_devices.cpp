// Memory spaces of the first GPU, each a device to all others.
#include "fixture.hpp"

#include <yoke/backends.hpp>
#include <yoke/device_arena.hpp>

namespace engine_tests {

std::unique_ptr<yoke::device> open_device(int, const yoke::emulated_options&) {
  static const yoke::backend* const of = yoke::find_backend(YOKE_TEST_GPU);
  static const std::shared_ptr<yoke::device> whole = of->open({.of = of});
  return std::make_unique<yoke::device_arena>(whole, yoke::device_request{.of = of, .spaces = 4});
}

std::string why_no_device() {
  std::string why;
  return yoke::find_backend(YOKE_TEST_GPU)->count(why) > 0 ? "" : why;
}

}  // namespace engine_tests
