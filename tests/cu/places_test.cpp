#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <set>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/places_text.hpp>

using support::message_of;
using yoke::configuration;
using yoke::place;
using yoke::place_assignment;
using yoke::places_text;
using yoke::sourced;
using yoke::topology;

namespace {

struct rules {
  bool smt = false;
  bool emulated = false;
};

place_assignment assign(const std::string& shape, const topology& machine, rules given = {}) {
  const sourced text{shape, "YOKE_CUS"};
  return assign_places(parse_configuration(text), text, machine, given.smt, given.emulated);
}

std::string places_of(const std::string& shape, const topology& machine, rules given = {}) {
  return places_text(assign(shape, machine, given).places);
}

constexpr rules with_smt{.smt = true};
constexpr rules emulated{.emulated = true};

}  // namespace

TEST_CASE("places are handed out in order, CPU compute units first", "[places]") {
  const topology machine = topology::synthetic("core:20 pu:1");
  CHECK(places_of("4x4+4", machine) == "{0,1,2,3},{4,5,6,7},{8,9,10,11},{12,13,14,15},{16},{17},{18},{19}");
  CHECK(places_of("1x2", machine) == "{0,1}");
  CHECK(places_of("+2", machine) == "{0},{1}");
}

TEST_CASE("the places of the paper's configurations are those that its Table 3 writes", "[places]") {
  const topology machine = topology::synthetic("core:16 pu:1");
  const auto [shape, paper] = GENERATE(table<std::string, std::string>({
      {"1x2+4", "{0:2}:1:1, {2}:4:1"},
      {"1x4+1", "{0:4}:1:1, {4}:1:1"},  // the table has {0:3}, against the paper's own text and Figure 8
      {"4x2+1", "{0:2}:4:2, {8}:1:1"},
      {"7x2+2", "{0:2}:7:2, {14}:2:1"},
      {"3x4+4", "{0:4}:3:4, {12}:4:1"},
  }));
  const yoke::places_reading read = yoke::read_places({paper, "OMP_PLACES"}, machine);
  CHECK(read.meaning == yoke::places_meaning::exact);
  CHECK(places_of(shape, machine) == places_text(read.places));
}

TEST_CASE("without SMT a compute unit has one hardware thread of each core", "[places]") {
  const topology machine = topology::synthetic("numa:2 core:4 pu:2");
  CHECK(places_of("2x3+2", machine) == "{0,2,4},{6,8,10},{12},{14}");
}

TEST_CASE("with SMT a compute unit takes whole cores", "[places]") {
  const topology machine = topology::synthetic("core:4 pu:2");
  CHECK(places_of("2x4", machine, with_smt) == "{0,1,2,3},{4,5,6,7}");
  CHECK(places_of("1x3+1", machine, with_smt) == "{0,1,2},{4}");
  CHECK(places_of("4x1", machine, with_smt) == "{0},{2},{4},{6}");
  CHECK_THAT(message_of([&] { assign("5x1", machine, with_smt); }),
             Catch::Contains("on 4 cores, and a compute unit takes whole cores") &&
                 Catch::Contains("that fits is 4x1"));
}

TEST_CASE("a compute unit stays in one NUMA node where the system's numbers alternate", "[places]") {
  const topology machine = topology::synthetic("numa:2 core:2 pu:1(indexes=0,2,1,3)");
  CHECK(places_of("2x2", machine) == "{0,2},{1,3}");
}

TEST_CASE("a GPU compute unit of a vendor device never shares its CPU", "[places]") {
  const topology machine = topology::synthetic("core:2 pu:1");
  const std::string message = message_of([&] { assign("2x1+1", machine); });
  CHECK(message ==
        "YOKE_CUS=2x1+1: 2x1+1 needs 3 CPUs (one for each GPU), this process may use 2; the largest "
        "configuration "
        "that fits is 1x1+1");
}

TEST_CASE("managing threads of emulated devices share CPUs when these run out, and a line says so",
          "[places]") {
  const topology machine = topology::synthetic("core:2 pu:1");
  const auto [shape, places, note] = GENERATE(table<std::string, std::string, std::string>({
      {"1x1+1", "{0},{1}", ""},
      {"2x1+1", "{0},{1},{1}", "GPU compute unit 2 shares CPU 1 with others"},
      {"1x2+1", "{0,1},{1}", "GPU compute unit 1 shares CPU 1 with others"},
      {"2x1+3", "{0},{1},{1},{0},{1}", "GPU compute units 2 to 4 share CPUs 0, 1 with others"},
      {"1x1+2", "{0},{1},{1}", "GPU compute unit 2 shares CPU 1 with others"},
      {"+3", "{0},{1},{0}", "GPU compute unit 2 shares CPU 0 with others"},
  }));
  const place_assignment assigned = assign(shape, machine, emulated);
  CHECK(places_text(assigned.places) == places);
  CHECK(assigned.note.empty() == note.empty());
  CHECK_THAT(assigned.note, Catch::EndsWith(note));
}

TEST_CASE("what does not fit is refused with the largest configuration that does", "[places]") {
  const topology machine = topology::synthetic("core:4 pu:1");
  const auto [shape, is_emulated, largest] = GENERATE(table<std::string, bool, std::string>({
      {"5x1", false, "4x1"},
      {"3x2", false, "2x2"},
      {"1x5", false, "1x4"},
      {"2x3+1", false, "1x3+1"},
      {"1x4+1", false, "1x3+1"},
      {"2x2+3", false, "1x1+3"},
      {"1x1+4", false, "+4"},
      {"1x1+9", false, "+4"},
      {"+5", false, "+4"},
      {"65535x1", false, "4x1"},
      {"5x1+2", true, "4x1+2"},
      {"1x65535+9", true, "1x4+9"},
  }));
  const rules given{.emulated = is_emulated};
  const std::string message = message_of([&, shape = shape] { assign(shape, machine, given); });
  CHECK_THAT(message,
             Catch::StartsWith("YOKE_CUS=" + shape + ": ") && Catch::Contains("this process may use 4"));
  CHECK_THAT(message, Catch::EndsWith("that fits is " + largest));
  CHECK_NOTHROW(assign(largest, machine, given));
}

TEST_CASE("a refusal mentions SMT where it would help", "[places]") {
  const topology machine = topology::synthetic("core:2 pu:2");
  CHECK_THAT(message_of([&] { assign("4x1", machine); }),
             Catch::Contains("may use 2, one for each core (YOKE_SMT=1 uses all 4 hardware threads)"));
}

TEST_CASE("on any machine the CPUs of CPU compute units are distinct and no core has two of them",
          "[places]") {
  std::mt19937 random{3};
  int assigned = 0;
  for (int i = 0; i < 300; ++i) {
    const int threads = 1 + static_cast<int>(random() % 3);
    const topology machine =
        topology::synthetic(fmt::format("numa:2 core:{} pu:{}", 1 + random() % 5, threads));
    const configuration shape{1 + static_cast<int>(random() % 4), 1 + static_cast<int>(random() % 4),
                              static_cast<int>(random() % 3)};
    const rules given{.smt = random() % 2 == 0, .emulated = random() % 2 == 0};
    place_assignment result;
    try {
      result = assign_places(shape, {shape.text(), "YOKE_CUS"}, machine, given.smt, given.emulated);
    } catch (const yoke::config_error&) {
      continue;
    }
    ++assigned;
    REQUIRE(static_cast<int>(result.places.size()) == shape.units());
    std::set<int> cores;
    std::set<int> cpus;
    for (int cu = 0; cu < shape.units(); ++cu) {
      const place& own = result.places[static_cast<std::size_t>(cu)];
      const bool is_cpu = cu < shape.cpu_units;
      CHECK(static_cast<int>(own.size()) == (is_cpu ? shape.cpus_per_unit : 1));
      std::set<int> own_cores;
      for (const int cpu : own) {
        CHECK(machine.allows(cpu));
        if (is_cpu || !given.emulated) CHECK(cpus.insert(cpu).second);
        own_cores.insert(cpu / threads);
      }
      if (!is_cpu && given.emulated) continue;
      for (const int core : own_cores) CHECK(cores.insert(core).second);
    }
  }
  CHECK(assigned > 50);
}

TEST_CASE("by default every core is a CPU compute unit and each vendor GPU keeps one for itself",
          "[places]") {
  const auto shape = [](const char* machine, bool smt, int vendor, int emulated_gpus) {
    const topology cpus = topology::synthetic(machine);
    const configuration all = default_configuration(cpus, smt, vendor, emulated_gpus);
    const bool only_emulated = vendor == 0;
    CHECK_NOTHROW(assign_places(all, {all.text(), "default"}, cpus, smt, only_emulated));
    return all.text();
  };
  CHECK(shape("core:8 pu:1", false, 0, 0) == "8x1");
  CHECK(shape("core:8 pu:1", false, 2, 0) == "6x1+2");
  CHECK(shape("core:8 pu:1", false, 0, 1) == "8x1+1");
  CHECK(shape("core:8 pu:2", false, 1, 0) == "7x1+1");
  CHECK(shape("core:8 pu:2", true, 1, 0) == "7x2+1");
  CHECK(shape("core:2 pu:1", false, 2, 0) == "+2");
  CHECK(shape("core:2 pu:1", false, 4, 0) == "+2");
  CHECK(shape("core:1 pu:1", false, 0, 1) == "1x1+1");
}

namespace {

std::string check(const std::string& shape, const std::vector<place>& places) {
  const sourced text{shape, "YOKE_CUS"};
  const configuration wanted = parse_configuration(text);
  const topology machine = topology::synthetic("core:4 pu:1");
  const auto suggestion = assign_places(wanted, text, machine, false, true).places;
  return message_of([&] { check_user_places(wanted, text, {.places = places}, machine, suggestion); });
}

const std::string none = "(nothing was thrown)";

}  // namespace

TEST_CASE("the user's own places are accepted when each compute unit has its CPUs", "[places]") {
  CHECK(check("2x1", {{3}, {1}}) == none);
  CHECK(check("1x2+1", {{0, 1}, {2, 3}}) == none);
  CHECK(check("1x1+1", {{0}, {0}}) == none);
  CHECK(check("1x1", {{0}, {1}, {2, 3}}) == none);
}

TEST_CASE("the user's own places are refused with the lines to set instead", "[places]") {
  const auto [shape, places, reason] = GENERATE(table<std::string, std::vector<place>, std::string>({
      {"2x1", {{0}}, "OMP_PLACES gives 1 places, 2 are needed"},
      {"2x1", {{0}, {1, 2}}, "place 1 of OMP_PLACES, {1,2}, has 2 CPUs, CPU compute unit 1 has 1"},
      {"2x1", {{0}, {9}}, "place 1 of OMP_PLACES, {9}, has CPU 9, which this process may not use"},
      {"2x1", {{1}, {1}}, "place 1 of OMP_PLACES, {1}, has CPU 1, which an earlier CPU compute unit has"},
      {"1x1+1", {{0}, {}}, "place 1 of OMP_PLACES, {}, has no CPU"},
  }));
  const std::string message = check(shape, places);
  CHECK_THAT(message, Catch::StartsWith("YOKE_CUS=" + shape + ": " + reason));
  CHECK_THAT(message, Catch::EndsWith("set\n  OMP_PLACES=\"{0},{1}\"\n  OMP_PROC_BIND=close,master"));
}

TEST_CASE("a binding keeps inner teams inside their place when their threads follow the outer one",
          "[places]") {
  CHECK(yoke::keeps_inner_teams("close,master"));
  CHECK(yoke::keeps_inner_teams("close,primary"));
  const auto other = GENERATE("spread", "false", "close", "master", "spread,master", "close,close", "");
  CHECK_FALSE(yoke::keeps_inner_teams(other));
}

TEST_CASE("a refusal of the user's places says which CPUs were dropped, and why they are others",
          "[places]") {
  const topology machine = topology::synthetic("core:2 pu:1");
  const sourced text{"2x1", "YOKE_CUS"};
  const auto refusal = [&](const std::string& places) {
    const yoke::places_reading users = yoke::read_places({places, "OMP_PLACES"}, machine);
    return message_of([&] { check_user_places({2, 1, 0}, text, users, machine, {}); });
  };
  CHECK(refusal("{0},{8:2},{9}") ==
        "YOKE_CUS=2x1: OMP_PLACES gives 1 places, 2 are needed, as this process may not use the CPUs 8,9; "
        "unset "
        "OMP_PLACES and OMP_PROC_BIND");
  CHECK_THAT(refusal("{5}"), Catch::Contains("(OMP_PLACES={5}: none of its CPUs may be used); unset"));
}
