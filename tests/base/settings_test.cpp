#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>

#include <yoke/settings.hpp>

using support::message_of;
using support::variable;
using yoke::settings;
using yoke::sourced;

namespace {

/// As a room above might have.
constexpr yoke::setting_info of_others[]{{"YOKE_TOY", "size=n", "options of a toy"}};

std::string message_from_environment() {
  return message_of([] { settings::from_environment().check_names(of_others); });
}

}  // namespace

TEST_CASE("a variable that is not set has no value", "[settings]") {
  const settings all = settings::from_environment();
  CHECK_FALSE(all.cus);
  CHECK_FALSE(all.trace);
}

TEST_CASE("every variable of this room arrives in its own field, with its name as origin", "[settings]") {
  yoke::detail::unset_environment("YOKE_PROFILE");  // which every test is given
  for (const yoke::setting_info& info : yoke::base_settings()) {
    const std::string name{info.name};
    const variable set{name, "a value of " + name};
    const settings all = settings::from_environment();
    int found = 0;
    for (const auto* field : {&all.cus, &all.schedule, &all.devices, &all.trace, &all.profile, &all.smt,
                              &all.check, &all.mpi_devices, &all.display_env}) {
      if (!field->has_value()) continue;
      ++found;
      CHECK((*field)->origin == name);
      CHECK((*field)->value == "a value of " + name);
    }
    CHECK(found == 1);
    CHECK(all.find(name)->value == "a value of " + name);
    CHECK(all.others.empty());
  }
  const variable set{"YOKE_TRACE", "t.json"};
  CHECK(settings::from_environment().trace->value == "t.json");
}

TEST_CASE("a variable of another room is found by its name", "[settings]") {
  CHECK_FALSE(settings::from_environment().find("YOKE_TOY"));
  const variable set{"YOKE_TOY", "size=3"};
  const settings all = settings::from_environment();
  CHECK(all.find("YOKE_TOY")->quoted() == "YOKE_TOY=size=3");
  CHECK_NOTHROW(all.check_names(of_others));
  CHECK_THROWS_WITH(all.check_names({}), Catch::StartsWith("YOKE_TOY=size=3: no such variable"));
}

TEST_CASE("a value may be empty or contain equals signs", "[settings]") {
  const variable cus{"YOKE_CUS", ""};
  const variable schedule{"YOKE_SCHEDULE", "static-hybrid,pcf=3"};
  CHECK(settings::from_environment().cus->value.empty());
  CHECK(settings::from_environment().schedule->value == "static-hybrid,pcf=3");
}

TEST_CASE("an unknown YOKE_ variable is an error that names it and the closest known one", "[settings]") {
  {
    const variable wrong{"YOKE_SHEDULE", "static"};
    const std::string message = message_from_environment();
    CHECK_THAT(message,
               Catch::StartsWith("YOKE_SHEDULE=static: no such variable; did you mean YOKE_SCHEDULE?"));
  }
  {
    const variable wrong{"YOKE_CU", "2x1"};
    CHECK_THAT(message_from_environment(), Catch::Contains("did you mean YOKE_CUS?"));
  }
  for (const char* const far : {"YOKE_THREADS", "YOKE_FOO"}) {
    const variable wrong{far, "2"};
    CHECK_THAT(message_from_environment(), !Catch::Contains("did you mean"));
  }
  const variable wrong{"YOKE_COLOUR_OF_THE_GPU", "red"};
  CHECK_THAT(message_from_environment(), !Catch::Contains("did you mean") &&
                                             Catch::Contains("the variables are YOKE_CUS YOKE_SCHEDULE") &&
                                             Catch::EndsWith("YOKE_TOY"));
}

TEST_CASE("variables of others are left alone", "[settings]") {
  const variable other{"YOKEL", "1"};
  CHECK_NOTHROW(settings::from_environment().check_names({}));
}

TEST_CASE("the value help lists what a variable accepts", "[settings]") {
  for (const yoke::setting_info& info : yoke::base_settings()) {
    if (info.accepted.empty()) continue;
    const std::string name{info.name};
    const variable set{name, "help"};
    const std::string message = message_from_environment();
    CHECK_THAT(message, Catch::StartsWith(name));
    CHECK_THAT(message, Catch::Contains(std::string{info.accepted}));
  }
  const variable set{"YOKE_TOY", "help"};
  CHECK(message_from_environment() == "YOKE_TOY: options of a toy; accepted: size=n");
}

TEST_CASE("help is left to the room that knows what a variable accepts", "[settings]") {
  for (const char* name : {"YOKE_SCHEDULE", "YOKE_DEVICES"}) {
    const variable set{name, "help"};
    CHECK_NOTHROW(settings::from_environment().check_names({}));
    CHECK(settings::from_environment().find(name)->value == "help");
  }
}

TEST_CASE("a value is quoted as its user wrote it", "[settings]") {
  CHECK(sourced{"7x", "YOKE_CUS"}.quoted() == "YOKE_CUS=7x");
  CHECK(sourced{"7x", "--cus"}.quoted() == "--cus 7x");
  CHECK(sourced{"7x", "runtime(\"7x\")"}.quoted() == "runtime(\"7x\")");
  CHECK(sourced{"2x1", "default"}.quoted() == "2x1 (default)");
}

TEST_CASE("a flag is 0 or 1 and nothing else", "[settings]") {
  CHECK(yoke::parse_flag({"1", "YOKE_SMT"}));
  CHECK_FALSE(yoke::parse_flag({"0", "YOKE_SMT"}));
  for (const char* wrong : {"", "2", "yes", "1 ", "-1", "99999999999999999999"}) {
    const std::string message = message_of([&] { yoke::parse_flag({wrong, "YOKE_SMT"}); });
    CHECK_THAT(message, Catch::StartsWith(std::string{"YOKE_SMT="} + wrong));
    CHECK_THAT(message, Catch::Contains("position") && Catch::Contains("accepted: 0 | 1"));
  }
}
