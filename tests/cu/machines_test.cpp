// Places on machines that are not here, against approved ones: tests/machines/approved.txt.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/places_text.hpp>

using yoke::configuration;
using yoke::device_cpus;
using yoke::parse_configuration;
using yoke::place;
using yoke::short_places_text;
using yoke::sourced;
using yoke::topology;

namespace {

/// As its vendors publish it: tests/machines/machines.py.
topology published(const std::string& name) {
  return topology::from_xml(fmt::format("{}/{}.xml", YOKE_MACHINES, name));
}

/// One that somebody has: tests/machines/recorded.py.
topology recorded(const std::string& name) { return published("recorded/" + name); }

/// Of two sockets with eight cores of two threads each, as in OpenH, section IV-B.
topology two_sockets(const std::string& numbers) {
  return topology::synthetic("pack:2 numa:1 l3:1 core:8 pu:2(indexes=" + numbers + ")");
}

std::string round_robin() {
  std::string text;
  for (int core = 0; core < 16; ++core) text += fmt::format("{}{},{}", core == 0 ? "" : ",", core, core + 16);
  return text;
}

std::string linear() {
  std::string text;
  for (int core = 0; core < 16; ++core) {
    const int first = core / 8 * 16 + core % 8;
    text += fmt::format("{}{},{}", core == 0 ? "" : ",", first, first + 8);
  }
  return text;
}

/// Every CPU but some of the first and the third NUMA node.
topology container() {
  const topology whole = published("epyc-7742-2-mi50");
  std::vector<int> allowed;
  for (const int cpu : whole.usable_cpus(true)) {
    if (cpu != 3 && cpu != 5 && cpu % 64 / 8 != 4 && cpu < 96) allowed.push_back(cpu);
  }
  return whole.confined_to(allowed);
}

/// For the first `count` GPUs of a machine.
device_cpus near_gpus(const topology& machine, int count) {
  device_cpus near;
  for (const auto& each : machine.accelerators()) {
    if (std::ssize(near) < count) near.push_back(each.near);
  }
  return near;
}

struct trial {
  std::string name;
  topology machine;
  std::vector<std::string> configurations;
  bool smt = false;
};

std::vector<trial> trials() {
  return {{"epyc-7742-2-mi50",
           published("epyc-7742-2-mi50"),
           {"7x2+2", "15x4+2", "62x1+2", "3x16+2", "1x62+2", "64x1+1"}},
          {"epyc-7742-2-mi50", published("epyc-7742-2-mi50"), {"7x4+2", "15x8+1"}, true},
          {"ice-lake-2-a40", published("ice-lake-2-a40"), {"1x30+2", "7x4+2", "30x1+2"}},
          {"two sockets, round-robin", two_sockets(round_robin()), {"2x8", "4x4", "2x16"}, true},
          {"two sockets, linear", two_sockets(linear()), {"2x8", "4x4", "2x16"}, true},
          {"SMT off", topology::synthetic("numa:4 l3:4 core:4 pu:1"), {"16x4", "15x4+4", "8x8"}},
          {"laptop-p-e", published("laptop-p-e"), {"12x1", "1x4", "3x4", "2x6", "1x12", "1x8"}},
          {"container with holes", container(), {"7x2+2", "12x4", "3x12+2"}},
          {"eight-gpus", published("eight-gpus"), {"8x7+8", "14x4+8", "+8", "8x8+8"}},
          {"grace", published("grace"), {"71x1+1", "1x71+1", "9x8+1"}},
          {"recorded/alder-lake", recorded("alder-lake"), {"14x1", "7x2", "1x14"}},
          {"recorded/gb10", recorded("gb10"), {"19x1+1", "2x10", "1x10", "1x20"}},
          {"recorded/opteron-4", recorded("opteron-4"), {"8x8", "7x8+1", "1x64", "3x20"}},
          {"recorded/opteron-sparse", recorded("opteron-sparse"), {"8x6", "4x12", "1x48"}},
          {"recorded/power9-gpu-memory", recorded("power9-gpu-memory"), {"2x4", "3x2+2"}},
          {"recorded/power9-gpu-memory", recorded("power9-gpu-memory"), {"2x16", "7x4+1"}, true},
          {"recorded/westmere-4", recorded("westmere-4"), {"4x10", "39x1+1", "1x40"}}};
}

std::string outcome(const trial& on, const std::string& text) {
  const sourced given{text, "YOKE_CUS"};
  const configuration wanted = parse_configuration(given);
  const device_cpus near = near_gpus(on.machine, wanted.gpu_units);
  try {
    const auto places = assign_places(wanted, given, on.machine, on.smt, false, near).places;
    std::string lines = fmt::format("{}\n", short_places_text(places));
    for (const std::string& each : remarks_on(wanted, places, on.machine, on.smt, near))
      lines += fmt::format("  {}\n", each);
    return lines;
  } catch (const yoke::config_error& refusal) {
    return fmt::format("{}\n", refusal.what());
  }
}

std::string all_outcomes() {
  std::string text;
  for (const trial& each : trials()) {
    text +=
        fmt::format("\n{}{}: {} cores, {} CPUs, numbered {}\n", each.name, each.smt ? " with YOKE_SMT=1" : "",
                    each.machine.n_cores(), each.machine.n_cpus(), name_of(each.machine.how_numbered()));
    for (const std::string& shape : each.configurations)
      text += fmt::format("{}: {}", shape, outcome(each, shape));
  }
  return text;
}

}  // namespace

TEST_CASE("the places on machines that are not here are the approved ones", "[machines]") {
  const std::string file = std::string{YOKE_MACHINES} + "/approved.txt";
  if (std::getenv("APPROVE") != nullptr) std::ofstream{file} << all_outcomes();
  std::ifstream in{file};
  const std::string approved{std::istreambuf_iterator<char>{in}, {}};
  INFO("APPROVE=1 cu_tests \"[machines]\" approves what there is now");
  CHECK(all_outcomes() == approved);
}

TEST_CASE("published machines have the accelerators that they were written with", "[machines]") {
  const topology epyc = published("epyc-7742-2-mi50");
  REQUIRE(epyc.accelerators().size() == 2);
  const yoke::accelerator_info& second = epyc.accelerators()[1];
  CHECK(second.kind == yoke::accelerator_kind::hip);
  CHECK(second.pci == "0000:83:00.0");
  CHECK(second.memory == std::size_t{16} << 30);
  CHECK(epyc.cores_of(second.near).size() == 16);
  CHECK(epyc.info_of(second.near.front()).numa_node == 2);
  CHECK(epyc.numa_nodes().size() == 4);
  CHECK(epyc.numa_nodes()[3].memory == std::size_t{64} << 30);
  CHECK(epyc.caches().size() == 16);
  CHECK(epyc.caches()[0].cpus == std::vector{0, 1, 2, 3, 64, 65, 66, 67});
  CHECK(published("ice-lake-2-a40").accelerators()[0].kind == yoke::accelerator_kind::cuda);
  CHECK(topology::synthetic("core:2 pu:1").accelerators().empty());
}

TEST_CASE("memory of GPUs is no memory of the host, and a card that only shows no accelerator",
          "[machines]") {
  const topology power9 = recorded("power9-gpu-memory");
  REQUIRE(power9.numa_nodes().size() == 2);
  CHECK(power9.numa_nodes()[0].node == 0);
  CHECK(power9.numa_nodes()[1].node == 8);
  CHECK(power9.is_hyperthreaded());
  CHECK(recorded("westmere-4").accelerators().empty());
  CHECK(recorded("opteron-sparse").numa_nodes()[7].node == 73);
}

TEST_CASE("cores that differ by a few percent are of one kind", "[machines]") {
  const topology gb10 = recorded("gb10");
  for (const yoke::cpu_info& cpu : gb10.cpus()) CHECK(cpu.kind == (cpu.cpu % 10 < 5 ? 0 : 1));
}

TEST_CASE("faster cores are told from slower ones", "[machines]") {
  const topology laptop = published("laptop-p-e");
  CHECK(laptop.info_of(0).kind == 1);
  CHECK(laptop.info_of(15).kind == 0);
  CHECK(laptop.n_cores() == 12);
  CHECK(laptop.is_hyperthreaded());
}

TEST_CASE("a file that is no machine is refused with how to make one", "[machines]") {
  CHECK_THAT(support::message_of([] { topology::from_xml("/dev/null/machine.xml"); }),
             Catch::Contains("/dev/null/machine.xml: no machine") && Catch::Contains("lstopo machine.xml"));
}

namespace {

topology random_machine(std::mt19937& random) {
  const auto upto = [&](unsigned most) { return 1 + random() % most; };
  const topology whole = topology::synthetic(
      fmt::format("pack:{} numa:{} l3:{} core:{} pu:{}", upto(2), upto(3), upto(2), upto(4), upto(2)));
  std::vector<yoke::cpu_info> cpus;
  for (yoke::cpu_info info : whole.cpus()) {
    if (info.smt_rank == 0 && random() % 8 == 0) info.kind = 1;
    if (info.smt_rank > 0) info.kind = cpus.back().kind;
    cpus.push_back(info);
  }
  std::vector<int> allowed{cpus.front().cpu};
  for (const yoke::cpu_info& info : cpus) {
    if (random() % 6 != 0) allowed.push_back(info.cpu);
  }
  return topology{std::move(cpus)}.confined_to(allowed);
}

device_cpus random_near(std::mt19937& random, const topology& machine, int gpus) {
  device_cpus near(static_cast<std::size_t>(gpus));
  for (auto& each : near) {
    const int node = machine.cpus()[random() % machine.cpus().size()].numa_node;
    for (const yoke::cpu_info& info : machine.cpus()) {
      if (info.numa_node == node && random() % 3 != 0) each.push_back(info.cpu);
    }
  }
  return near;
}

void check_places(const configuration& shape, const std::vector<place>& places, const topology& machine) {
  REQUIRE(std::ssize(places) == shape.units());
  std::set<int> cores;
  for (int unit = 0; unit < shape.units(); ++unit) {
    const place& own = places[static_cast<std::size_t>(unit)];
    CHECK(std::ssize(own) == (unit < shape.cpu_units ? shape.cpus_per_unit : 1));
    std::set<int> kinds;
    for (const int cpu : own) kinds.insert(machine.info_of(cpu).kind);  // which throws outside of the mask
    CHECK(kinds.size() == 1);
    CHECK(std::set<int>(own.begin(), own.end()).size() == own.size());
    for (const int core : machine.cores_of(own)) CHECK(cores.insert(core).second);
  }
}

}  // namespace

TEST_CASE(
    "on any machine places are disjoint, inside the mask, of one kind of core, and a refusal names what fits",
    "[machines]") {
  std::mt19937 random{41};
  int assigned = 0;
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    const topology machine = random_machine(random);
    configuration shape{static_cast<int>(random() % 5), 1 + static_cast<int>(random() % 5),
                        static_cast<int>(random() % 4)};
    if (shape.cpu_units == 0) shape = {0, 0, 1 + shape.gpu_units};
    const bool smt = random() % 2 == 0;
    const device_cpus near = random_near(random, machine, shape.gpu_units);
    const auto places_of = [&](const configuration& wanted) {
      return assign_places(wanted, {wanted.text(), "YOKE_CUS"}, machine, smt, false, near).places;
    };
    try {
      check_places(shape, places_of(shape), machine);
      ++assigned;
    } catch (const yoke::config_error& refusal) {
      const std::string message = refusal.what();
      const std::string fits = message.substr(message.rfind(' ') + 1);
      INFO(message);
      const configuration smaller = parse_configuration({fits, "that fits"});
      check_places(smaller, places_of(smaller), machine);
      configuration more = smaller;
      if (smaller.cpu_units > 0 && smaller.cpus_per_unit == shape.cpus_per_unit) {
        ++more.cpu_units;
        CHECK_THROWS_AS(places_of(more), yoke::config_error);
      }
      ++refused;
    }
  }
  CHECK(assigned > 100);
  CHECK(refused > 100);
}

TEST_CASE("hosts are distinct cores, each near its device as far as that can be had for all", "[machines]") {
  const topology machine = topology::synthetic("numa:2 core:2 pu:2");
  CHECK(unique_hosts(machine, {{0, 1, 2, 3}, {0, 1}}) == std::vector{2, 0});
  CHECK(unique_hosts(machine, {{0, 1}, {0, 1}}) == std::vector{0, 6});
  CHECK(unique_hosts(machine, {{4}, {4}, {4}, {4}, {4}}) == std::vector{4, 6, 2, 0, -1});
}
