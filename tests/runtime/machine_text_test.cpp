/// The machine in words that change where speeds may.
#include "../../runtime/src/machine_text.hpp"

#include <support/catch.hpp>
#include <support/fake_device.hpp>
#include <vector>

#include <yoke/backends.hpp>

using Catch::Matchers::Contains;
using yoke::detail::common_key;

TEST_CASE("a key has the devices with their processors, and the share of a slice", "[profile]") {
  support::fake_device whole{0, "fake", 132}, slice{0, "fake", 132};
  whole.pass_for_a_gpu();
  slice.pass_for_a_gpu(0.25);
  const yoke::configuration shape = yoke::parse_configuration({"2x1+2", "test"});
  const std::vector<yoke::device*> devices{&whole, &slice};
  const yoke::profile_key key = common_key(shape, devices, {});
  CHECK_THAT(key.machine,
             Contains(" CPUs; fake of 132 processors; fake of 132 processors, 0.25 of the device"));
  CHECK(key.cus == "2x1+2");
  CHECK(key.program == "runtime_profile_tests");
  CHECK_THAT(key.build, Contains(" bytes of "));
}

TEST_CASE("options of emulated devices are in the key, drivers are not", "[profile]") {
  support::fake_device fake;
  const std::vector<yoke::device*> devices{&fake};
  const yoke::configuration shape = yoke::parse_configuration({"+1", "test"});
  yoke::detail::device_options options;
  options.texts.emplace(yoke::find_backend("emulated"), yoke::sourced{"slowdown=4", "YOKE_EMULATED"});
  const std::string text = common_key(shape, devices, options).machine;
  CHECK_THAT(text, Contains("fake of 1 processors; YOKE_EMULATED=slowdown=4"));
  CHECK(text != common_key(shape, devices, {}).machine);
}
