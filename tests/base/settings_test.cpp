#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/settings.hpp>

using support::message_of;
using yoke::settings;
using yoke::sourced;

namespace {

/// Sets a variable for the life of one test.
class variable {
 public:
  variable(const char* name, const std::string& value) : name_{name} {
    yoke::detail::set_environment(name, value);
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() { yoke::detail::unset_environment(name_); }

 private:
  const char* name_;
};

std::string message_from_environment() {
  return message_of([] { settings::from_environment(); });
}

}  // namespace

TEST_CASE("a variable that is not set has no value", "[settings]") {
  const settings all = settings::from_environment();
  CHECK_FALSE(all.cus);
  CHECK_FALSE(all.trace);
}

TEST_CASE("every known variable arrives in its own field, with its name as origin", "[settings]") {
  for (const yoke::setting_info& info : yoke::all_settings()) {
    const std::string name{info.name};
    const variable set{name.c_str(), "a value of " + name};
    const settings all = settings::from_environment();
    int found = 0;
    for (const auto* field : {&all.cus, &all.schedule, &all.devices, &all.emulated, &all.profile, &all.trace,
                              &all.smt, &all.check, &all.display_env}) {
      if (!field->has_value()) continue;
      ++found;
      CHECK((*field)->origin == name);
      CHECK((*field)->value == "a value of " + name);
    }
    CHECK(found == 1);
  }
  const variable set{"YOKE_TRACE", "t.json"};
  CHECK(settings::from_environment().trace->value == "t.json");
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
  const variable wrong{"YOKE_COLOUR_OF_THE_GPU", "red"};
  CHECK_THAT(message_from_environment(),
             !Catch::Contains("did you mean") && Catch::Contains("the variables are YOKE_CUS YOKE_SCHEDULE"));
}

TEST_CASE("variables of others are left alone", "[settings]") {
  const variable other{"YOKEL", "1"};
  CHECK_NOTHROW(settings::from_environment());
}

TEST_CASE("the value help lists what a variable accepts", "[settings]") {
  for (const yoke::setting_info& info : yoke::all_settings()) {
    const std::string name{info.name};
    if (name == "YOKE_SCHEDULE") continue;
    const variable set{name.c_str(), "help"};
    const std::string message = message_from_environment();
    CHECK_THAT(message, Catch::StartsWith(name));
    CHECK_THAT(message, Catch::Contains(std::string{info.accepted}));
  }
}

TEST_CASE("YOKE_SCHEDULE=help is left to the room that lists the schedules", "[settings]") {
  const variable set{"YOKE_SCHEDULE", "help"};
  CHECK(settings::from_environment().schedule->value == "help");
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
