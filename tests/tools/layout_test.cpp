#include "layout.hpp"

#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/places_text.hpp>

using support::message_of;
using tools::lay_out;
using tools::layout;
using tools::machine_of;
using yoke::topology;

namespace {

topology recorded(const std::string& name) {
  return machine_of({.text = std::string{YOKE_MACHINES} + "/" + name + ".xml"});
}

}  // namespace

TEST_CASE("without a configuration each GPU keeps a core near it, and all others are CPU compute units",
          "[tools]") {
  CHECK(lay_out(recorded("epyc-7742-2-mi50"), false, {}, "").shape.text() == "62x1+2");
  CHECK(lay_out(recorded("epyc-7742-2-mi50"), true, {}, "").shape.text() == "62x2+2");
  CHECK(lay_out(recorded("grace"), false, {}, "").shape.text() == "71x1+1");
}

TEST_CASE("GPU compute units are named by the devices they get", "[tools]") {
  const layout made = lay_out(recorded("ice-lake-2-a40"), false, {"7x4+2", "configuration"}, "");
  CHECK(made.devices == std::vector<std::string>{"cuda:0 (0000:31:00.0)", "cuda:1 (0000:b1:00.0)"});
  const layout emulated =
      lay_out(topology::synthetic("core:2 pu:1"), false, {"2x1+1", "configuration"}, "emulated:1");
  CHECK(emulated.devices == std::vector<std::string>{"emulated:0"});
  CHECK(emulated.places[2] == yoke::place{1});
  CHECK_THAT(emulated.remarks[0], Catch::Contains("GPU compute unit 2 shares CPU 1"));
}

TEST_CASE("a configuration with more GPUs than the machine has is told", "[tools]") {
  const layout made = lay_out(topology::synthetic("core:4 pu:1"), false, {"2x1+1", "configuration"}, "");
  CHECK(made.remarks.back() == "the machine has 0 GPUs for 1 GPU compute unit");
}

TEST_CASE("JSON has every unit with its CPUs", "[tools]") {
  const auto all = as_json(lay_out(recorded("grace"), false, {"1x71+1", "configuration"}, ""));
  CHECK(all["OMP_PLACES"] == "{0:71},{71}");
  CHECK(all["units"][1]["device"] == "cuda:0 (0000:01:00.0)");
  CHECK(all["units"][1]["cpus"] == std::vector{71});
  CHECK(all["units"][0]["kind"] == "cpu");
}

TEST_CASE("a list of CPUs confines a machine, and one it does not have is refused", "[tools]") {
  CHECK(machine_of({.text = "core:8 pu:1", .cpus = "0-2,5"}).usable_cpus(true) == std::vector{0, 1, 2, 5});
  CHECK(message_of([] { machine_of({.text = "core:2 pu:1", .cpus = "0-2"}); }) ==
        "--cpus 0-2: the machine has no CPU 2 that may be used");
  CHECK_THAT(message_of([] { machine_of({.text = "core:2 pu:1", .cpus = "1-0"}); }),
             Catch::Contains("from 1 to"));
  CHECK_THAT(message_of([] { machine_of({.text = "no machine"}); }),
             Catch::Contains("no machine (synthetic description)"));
}
