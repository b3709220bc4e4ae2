#include "driver.hpp"

#include <cmath>
#include <limits>
#include <support/errors.hpp>

#include <yoke/error.hpp>
#include <yoke/settings.hpp>

using namespace driver;
using support::lacks;

namespace {

std::string refusal(std::string_view spec, std::string_view origin = "YOKE_SCHEDULE") {
  try {
    scheduling::check(spec, origin);
  } catch (const config_error& e) {
    return e.what();
  }
  return "accepted";
}

/// Of all schedules.
std::string names() {
  std::string text;
  for (const scheduling::schedule_info& each : scheduling::all())
    text += (text.empty() ? "" : ", ") + std::string{each.name};
  return text;
}

std::string misuse(const workload& work, const std::vector<unit>& units) {
  try {
    (void)scheduling::make("dynamic", work, units);
  } catch (const usage_error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("an unknown schedule is refused with the list and the nearest name", "[scheduling][errors]") {
  CHECK(refusal("statik") ==
        "YOKE_SCHEDULE=statik: no such schedule; one of " + names() + "; did you mean static?");
  CHECK(refusal("static_hybrid,pcf=2").find("did you mean static-hybrid?") != std::string::npos);
  CHECK(refusal("fastest") == "YOKE_SCHEDULE=fastest: no such schedule; one of " + names());
  CHECK(refusal("").find(": no such schedule; one of auto") != std::string::npos);
}

TEST_CASE("a message begins with the value as the user gave it", "[scheduling][errors]") {
  CHECK(refusal("x", "--schedule").starts_with("--schedule x: no such schedule"));
  CHECK(refusal("x", "YOKE_SCHEDULE").starts_with("YOKE_SCHEDULE=x: no such schedule"));
  CHECK(refusal("x", "make_loop").starts_with("x (make_loop): no such schedule"));
}

TEST_CASE("an option that a schedule does not have is refused with what it accepts", "[scheduling][errors]") {
  CHECK(refusal("static,chunk=2") ==
        "YOKE_SCHEDULE=static,chunk=2: static has no option \"chunk\" (position 8); it accepts no options");
  CHECK(refusal("dynamic,chunk=2,chunks=3") ==
        "YOKE_SCHEDULE=dynamic,chunk=2,chunks=3: dynamic has no option \"chunks\" (position 17); it accepts "
        "chunk=k, gpu_chunk=k|chunk; did you mean chunk?");
  CHECK(refusal("cost,pcf=2").find("it accepts no options") != std::string::npos);
  CHECK(refusal("static-hybrid,chunk=2").find("it accepts pcf=x|auto") != std::string::npos);
}

TEST_CASE("malformed options are refused with their position", "[scheduling][errors]") {
  CHECK(refusal("dynamic,") ==
        "YOKE_SCHEDULE=dynamic,: empty option at position 9; write name{,option=value}");
  CHECK(refusal("dynamic,,chunk=1").find("empty option at position 9") != std::string::npos);
  CHECK(refusal("dynamic,chunk").find("\"chunk\" at position 9 is not option=value") != std::string::npos);
  CHECK(refusal("dynamic,=3").find("\"=3\" at position 9 is not option=value") != std::string::npos);
  CHECK(refusal("dynamic,chunk=1,chunk=2").find("chunk is given twice, again at position 17") !=
        std::string::npos);
}

TEST_CASE("a chunk is a whole number from 1", "[scheduling][errors]") {
  for (const char* value :
       {"0", "-1", "", "1.5", "2x", "x", " 2", "+2", "2147483648", "99999999999999999999"})
    for (const char* option : {"chunk", "gpu_chunk"}) {
      const std::string spec = std::string{"memorizing,"} + option + "=" + value;
      CHECK(refusal(spec) == "YOKE_SCHEDULE=" + spec + ": " + option + "=\"" + value +
                                 "\" at position 12 is not a whole number from 1 to 2147483647");
    }
  CHECK(refusal("memorizing,chunk=2147483647") == "accepted");
  CHECK(refusal("guided,chunk=3,gpu_chunk=chunk") == "accepted");
}

TEST_CASE("a pcf is a number that no product of a few makes infinite, or auto", "[scheduling][errors]") {
  for (const char* value :
       {"0", "-2", "", "nan", "inf", "-inf", "1e999", "1e-999", "1e-320", "1e201", "3x", "x", "automatic"}) {
    const std::string spec = std::string{"static-hybrid,pcf="} + value;
    CHECK(refusal(spec) ==
          "YOKE_SCHEDULE=" + spec + ": pcf=\"" + value +
              "\" at position 15 is not a number from 1e-200 to 1e+200, such as 12.5, or auto");
  }
  for (const char* value : {"1", "0.25", "1e3", "12.5", "auto", "1e-200", "1e200"})
    CHECK(refusal(std::string{"static-hybrid,pcf="} + value) == "accepted");
}

TEST_CASE("help lists every schedule with its options", "[scheduling]") {
  const std::string text = refusal("help");
  for (const scheduling::schedule_info& info : scheduling::all()) {
    CHECK(text.find(std::string{info.name}) != std::string::npos);
    CHECK(text.find(std::string{info.options}) != std::string::npos);
    CHECK(text.find(std::string{info.rule}) != std::string::npos);
  }
}

TEST_CASE("an inconsistent workload is refused", "[scheduling][errors]") {
  const std::vector<unit> units = make_units(2, 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(misuse({.n_tasks = -1}, units) == "workload of -1 tasks; the number of tasks is at least 0");
  CHECK(misuse({.n_tasks = 3, .weights = {1, 2}}, units) ==
        "workload of 3 tasks with 2 weights; give one for each task, or none");
  CHECK(misuse({.n_tasks = 1, .bytes = {1, 2}}, units) ==
        "workload of 1 tasks with 2 bytes; give one for each task, or none");
  CHECK(misuse({.n_tasks = 2, .weights = {1, 0}}, units) ==
        "workload: task 1 has weight 0; a weight is a number from 1e-200 to 1e+200, relative to the others");
  for (const double weight : {-1.0, nan, HUGE_VAL, 1e-320, 1e201})
    CHECK(misuse({.n_tasks = 1, .weights = {weight}}, units).find("task 0 has weight") != std::string::npos);
  for (const double bandwidth : {0.0, -1.0, nan, HUGE_VAL, 1e-320})
    CHECK(misuse({.n_tasks = 1, .links = {{space_id{0}, space_id{1}, bandwidth}}}, units)
              .find("bytes a second; they are a number from 1e-200 to 1e+200") != std::string::npos);
  CHECK(lacks(misuse({.n_tasks = 2, .edges = {{task_id{0}, task_id{2}, 8}}}, units),
              {"workload", "edge", "task 2", "0 to 1"}) == "");
  CHECK(lacks(misuse({.n_tasks = 1, .edges = {{task_id{0}, task_id{1}, 8}}}, units),
              {"workload", "edge", "task 1", "task 0"}) == "");
  CHECK(lacks(misuse({.edges = {{task_id{0}, task_id{0}, 8}}}, units),
              {"workload", "edge", "task 0", "no task"}) == "");
  CHECK(lacks(misuse({.n_tasks = 2}, {}), {"schedule", "compute unit", "none"}) == "");
}

TEST_CASE("any text is a schedule or is refused by a config_error that begins with it",
          "[scheduling][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  const std::vector<std::string> pieces{"static", "dynamic",   "static-hybrid", ",",    "=",
                                        "chunk",  "gpu_chunk", "pcf",           "auto", "1",
                                        "-",      " ",         "1e9",           "\n"};
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int length = between(rng, 0, 7); length > 0; --length)
      text += pieces[static_cast<std::size_t>(between(rng, 0, static_cast<int>(pieces.size()) - 1))];
    CAPTURE(text);
    try {
      scheduling::check(text, "YOKE_SCHEDULE");
      ++accepted;
    } catch (const config_error& e) {
      REQUIRE(std::string{e.what()}.starts_with(sourced{text, "YOKE_SCHEDULE"}.quoted() + ": "));
    }
  }
  CHECK(accepted > 0);
}
