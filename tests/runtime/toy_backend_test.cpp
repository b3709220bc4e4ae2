#include "helpers.hpp"

#include <algorithm>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>

#include <yoke/backends.hpp>

// A backend more is a folder (tests/support/toy-backend) and a line in the list. All that YOKE_DEVICES, its
// own variable, `auto`, messages and a run do with it comes from its record.

using support::variable;
using yoke::runtime;
using yoke::runtime_options;

namespace {

std::string refusal(const runtime_options& options = {}) {
  return support::message_of([&] { const runtime rt{options}; });
}

std::string refusal_of_devices(const std::string& text) {
  return refusal({.devices = yoke::sourced{text, "--devices"}});
}

std::string in_force(const runtime& rt, const std::string& name) {
  for (const auto& each : rt.settings_in_force())
    if (each.name == name) return each.value + " from " + each.origin;
  return "(not there)";
}

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

}  // namespace

TEST_CASE("its devices are named by its own grammar, beside those of others", "[backends]") {
  const auto list = yoke::parse_device_list({"toy:blue+red;emulated:1;toy:green", "YOKE_DEVICES"});
  std::string read;
  for (const yoke::device_request& each : list.requests)
    read += std::string{each.of->name} + std::to_string(each.index) + " ";
  CHECK(read == "toy2 toy0 emulated0 toy1 ");
}

TEST_CASE("mistakes are reported in its words, with its grammar", "[backends]") {
  CHECK_THAT(refusal_of_devices("toy:red+grey"),
             StartsWith("--devices toy:red+grey: position 9: 'grey' is no colour") &&
                 Contains("accepted: auto | none | item{;item}, item = toy:c{+c} | cuda:i{,i} | ") &&
                 Contains("c = red | green | blue, i = index[/parts"));
  CHECK_THAT(refusal_of_devices("toy"), Contains("expected ':' and a colour, found the end"));
}

TEST_CASE("its variable exists, is checked, and answers help", "[backends]") {
  {
    const variable set{"YOKE_TOY", "processors=0"};
    CHECK_THAT(refusal(), StartsWith("YOKE_TOY=processors=0: position 12: the number of processors must be"));
  }
  {
    const variable set{"YOKE_TOY", "help"};
    CHECK(refusal() == "YOKE_TOY: a property of toys; accepted: processors=n");
  }
  const variable wrong{"YOKE_TOYS", "1"};
  CHECK_THAT(refusal(), Contains("did you mean YOKE_TOY?"));
}

TEST_CASE("auto takes its devices, and a loop runs on them with its options", "[backends]") {
  const variable set{"YOKE_TOY", "processors=7"};
  runtime rt;
  REQUIRE(rt.devices().size() == 2);
  CHECK(rt.devices()[0]->info().name == "toy:0");
  CHECK(rt.devices()[1]->info().processors == 7);
  CHECK(in_force(rt, "YOKE_TOY") == "processors=7 from YOKE_TOY");
  CHECK(in_force(rt, "YOKE_EMULATED") == "memory=4GiB,slowdown=1 from default");
  CHECK_THAT(in_force(rt, "YOKE_DEVICES"), StartsWith("auto (in use: toy:0, toy:1)"));
  pieces data{9, 100};
  yoke::task_loop loop = rt.make_loop("static", {.n_tasks = 9});
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const yoke::task_id task : batch) data.add_one_to(task);
  });
  CHECK(data.all_are(1));
}

TEST_CASE("where nothing is chosen, devices stay closed that would open later than CPUs are through",
          "[backends]") {
  const variable unset{"YOKE_CUS"};
  runtime rt{{.core_seconds = 1e-3}};
  CHECK(rt.devices().empty());
  CHECK(rt.units().shape().gpu_units == 0);
  // Others may stand beside it: who binds threads depends on which case ran first.
  const auto note = std::ranges::find_if(
      rt.notes(), [](const std::string& each) { return each.starts_with("GPUs stay closed: "); });
  REQUIRE(note != rt.notes().end());
  CHECK_THAT(*note, Contains("opening a GPU takes about 0.5 s"));
}

TEST_CASE("devices are opened for longer work, and for whoever chooses something", "[backends]") {
  const variable unset{"YOKE_CUS"};
  const auto opens = [](const runtime_options& options) { return !runtime{options}.devices().empty(); };
  CHECK(opens({}));
  CHECK(opens({.core_seconds = 1e6}));
  CHECK(opens({.devices = "auto", .core_seconds = 1e-3}));
  CHECK(opens({.schedule = "dynamic", .core_seconds = 1e-3}));
  CHECK(opens({.cus = "1x1+1", .core_seconds = 1e-3}));
}

TEST_CASE("where nothing is chosen, as many devices are opened as save a twelfth of opening one",
          "[backends]") {
  const variable unset{"YOKE_CUS"};
  const auto opened = [](const runtime_options& options) { return runtime{options}.devices().size(); };
  CHECK(opened({.core_seconds = 30}) == 1);  // 0.075 s on one, which half of is less than a twelfth of 0.5 s
  CHECK(opened({.core_seconds = 50}) == 2);
  CHECK(opened({.devices = "auto", .core_seconds = 30}) == 3);
  runtime rt{{.core_seconds = 30}};
  const auto note = std::ranges::find_if(
      rt.notes(), [](const std::string& each) { return each.starts_with("1 of 3 GPUs opened: "); });
  REQUIRE(note != rt.notes().end());
  CHECK_THAT(*note, Contains("YOKE_DEVICES=auto opens them all"));
}

TEST_CASE("the work of a core is a time", "[backends]") {
  CHECK_THROWS_WITH(
      runtime{{.core_seconds = -1}},
      "runtime_options.core_seconds: -1 is no time; 0 is unknown, others are a number from 1e-200 to 1e+200");
}
