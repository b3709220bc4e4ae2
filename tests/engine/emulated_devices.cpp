#include "fixture.hpp"

namespace engine_tests {

std::unique_ptr<yoke::device> open_device(int number, const yoke::emulated_options& options) {
  return yoke::make_emulated_device(number, options);
}

std::string why_no_device() { return ""; }

}  // namespace engine_tests
