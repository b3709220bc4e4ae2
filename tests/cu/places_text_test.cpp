#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <support/catch.hpp>

#include <yoke/places_text.hpp>

using yoke::place;
using yoke::places_meaning;
using yoke::places_reading;
using yoke::places_text;
using yoke::short_places_text;
using yoke::topology;

namespace {

places_reading read(const std::string& text, const char* machine = "core:8 pu:1") {
  return yoke::read_places({text, "OMP_PLACES"}, topology::synthetic(machine));
}

std::string places_in(const std::string& text, const char* machine = "core:8 pu:1") {
  return places_text(read(text, machine).places);
}

}  // namespace

TEST_CASE("places are read as OpenMP's grammar has them", "[places_text]") {
  const auto [text, places] = GENERATE(table<std::string, std::string>({
      {"{0},{1}", "{0},{1}"},
      {"0,3", "{0},{3}"},
      {"{3,1}", "{1,3}"},
      {"{0:4}", "{0,1,2,3}"},
      {"{0:3:2}", "{0,2,4}"},
      {"{4:3:-2}", "{0,2,4}"},
      {"{0:2}:3:2", "{0,1},{2,3},{4,5}"},
      {"{0:2}:4:2,{7}", "{0,1},{2,3},{4,5},{6,7},{7}"},
      {"2:3", "{2},{3},{4}"},
      {"{6}:2:-+-1", "{6},{7}"},
      {" { 0 , 2 } : 2 : 1\t", "{0,2},{1,3}"},
      {"{5},{5}", "{5},{5}"},
  }));
  const places_reading all = read(text);
  CHECK(places_text(all.places) == places);
  CHECK(all.meaning == places_meaning::exact);
  CHECK(all.remark.empty());
}

TEST_CASE("names stand for places of the machine, as many as a count says", "[places_text]") {
  const char* machine = "pack:2 l3:2 core:2 pu:2";
  CHECK(places_in("threads(3)", machine) == "{0},{1},{2}");
  CHECK(places_in("CORES( 2 )", machine) == "{0,1},{2,3}");
  CHECK(places_in("sockets", machine) == "{0,1,2,3,4,5,6,7},{8,9,10,11,12,13,14,15}");
  CHECK(places_in("sockets(9)", machine) == places_in("sockets", machine));
  for (const char* name : {"numa_domains", "ll_caches(2)"}) {
    CHECK(read(name, machine).meaning == places_meaning::unknown);
    CHECK(read(name, machine).places.empty());
  }
}

TEST_CASE("CPUs that do not exist are dropped and told", "[places_text]") {
  const places_reading all = read("{7:3},{9},{1,12}:2");
  CHECK(places_text(all.places) == "{7},{1},{2}");
  CHECK(all.dropped == std::vector{8, 9, 12});
  CHECK(all.meaning == places_meaning::exact);
}

TEST_CASE("a text that is no list of places means a place for each core, and is told with the position",
          "[places_text]") {
  const auto [text, position, reason] = GENERATE(table<std::string, int, std::string>({
      {"", 1, "expected a place, found the end"},
      {"core", 1, "expected a place, found 'c'"},
      {"{0},", 5, "expected a place, found the end"},
      {"{0", 3, "found the end"},
      {"{0}:x", 5, "expected a count, found 'x'"},
      {"{0}:2:-", 8, "expected a stride, found the end"},
      {"{0} {1}", 5, "expected the end, found '{'"},
      {"{-1}", 2, "expected a CPU, found '-'"},
  }));
  const places_reading all = read(text, "core:2 pu:2");
  CHECK(all.meaning == places_meaning::fallback);
  CHECK(places_text(all.places) == "{0,1},{2,3}");
  CHECK_THAT(all.remark, Catch::StartsWith(fmt::format("OMP_PLACES={}: position {}: ", text, position)));
  CHECK_THAT(all.remark, Catch::Contains(reason));
}

TEST_CASE("a list of which no CPU exists means one place of all CPUs", "[places_text]") {
  const places_reading all = read("{9},{8:2}", "core:2 pu:1");
  CHECK(all.meaning == places_meaning::fallback);
  CHECK(places_text(all.places) == "{0,1}");
  CHECK(all.dropped == std::vector{8, 9});
}

TEST_CASE("what makes libomp abort is told, unless a mistake behind it saves it", "[places_text]") {
  for (const char* text : {"!0", "!{0},{1}", "{1:3:-1}", "{0}:70000", "99999999999999999999"}) {
    INFO(text);
    CHECK(read(text).meaning == places_meaning::fatal);
    CHECK(read(text).places.empty());
  }
  CHECK(read("!0,x").meaning == places_meaning::fallback);
  CHECK(places_in("!!3") == "{3}");
}

// González & Morancho, Table 3; ":1", the stride that is meant without it, is left out.
TEST_CASE("places are written as short as in the paper's Table 3", "[places_text]") {
  const auto [places, text] = GENERATE(table<std::string, std::string>({
      {"{0,1},{2},{3},{4},{5}", "{0:2},{2}:4"},
      {"{0,1},{2,3},{4,5},{6,7},{8}", "{0:2}:4:2,{8}"},
      {"{0,1},{2,3},{4,5},{6,7},{8,9},{10,11},{12,13},{14},{15}", "{0:2}:7:2,{14}:2"},
      {"{0,1,2,3},{4,5,6,7},{8,9,10,11},{12},{13},{14},{15}", "{0:4}:3:4,{12}:4"},
      {"{0,1,2,3},{4}", "{0:4},{4}"},
      {"{0,2,4},{1,3,5}", "{0:3:2}:2"},
      {"{7},{5},{3}", "{7}:3:-2"},
      {"{0,5}", "{0,5}"},
      {"{0,1,2,64,65,66}", "{0:3,64:3}"},
      {"{1},{1}", "{1}:2:0"},
  }));
  CHECK(short_places_text(read(places, "core:70 pu:1").places) == text);
}

TEST_CASE("places that are written short are read as the same ones", "[places_text]") {
  std::mt19937 random{11};
  const topology machine = topology::synthetic("core:40 pu:1");
  for (int i = 0; i < 2000; ++i) {
    std::vector<place> places(1 + random() % 6);
    for (place& each : places) {
      for (int cpu = static_cast<int>(random() % 10); cpu < 40; cpu += 1 + static_cast<int>(random() % 8))
        each.push_back(cpu);
    }
    const std::string text = short_places_text(places);
    INFO(text);
    REQUIRE(yoke::read_places({text, "OMP_PLACES"}, machine).places == places);
  }
}

TEST_CASE("CPUs are listed as taskset lists them", "[places_text]") {
  CHECK(yoke::cpu_list_text({9, 8, 0, 1, 2, 3, 5}) == "0-3,5,8,9");
  CHECK(yoke::cpu_list_text({}).empty());
}
