#include <algorithm>
#include <sched.h>
#include <set>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/topology.hpp>

using yoke::cpu_info;
using yoke::topology;

TEST_CASE("a synthetic machine has its cores and NUMA nodes", "[topology]") {
  const topology machine = topology::synthetic("numa:2 core:4 pu:2");
  REQUIRE(machine.cpus().size() == 16);
  std::set<int> cores;
  for (const cpu_info& info : machine.cpus()) {
    cores.insert(info.core);
    CHECK(info.numa_node == info.core / 4);
    CHECK(info.cpu == info.core * 2 + info.smt_rank);
  }
  CHECK(cores.size() == 8);
}

TEST_CASE("without SMT the first hardware thread of each core is usable, with it all are", "[topology]") {
  const topology machine = topology::synthetic("core:3 pu:2");
  CHECK(machine.usable_cpus(false) == std::vector{0, 2, 4});
  CHECK(machine.usable_cpus(true) == std::vector{0, 1, 2, 3, 4, 5});
}

TEST_CASE("CPUs are listed by neighbourhood where the system numbers them across NUMA nodes", "[topology]") {
  const topology machine = topology::synthetic("numa:2 core:2 pu:1(indexes=0,2,1,3)");
  CHECK(machine.usable_cpus(false) == std::vector{0, 2, 1, 3});
}

TEST_CASE("a CPU that is not listed is not allowed", "[topology]") {
  const topology machine = topology::synthetic("core:2 pu:1");
  CHECK(machine.allows(1));
  CHECK_FALSE(machine.allows(2));
  CHECK_FALSE(machine.allows(-1));
}

TEST_CASE("a description that hwloc does not know is an error that quotes it", "[topology]") {
  CHECK_THAT(support::message_of([] { topology::synthetic("nodes:2"); }), Catch::Contains("\"nodes:2\""));
}

TEST_CASE("this machine has exactly the CPUs of the allowed mask", "[topology]") {
  std::vector<int> cpus = topology::of_this_machine().usable_cpus(true);
  std::ranges::sort(cpus);
  CHECK(cpus == yoke::allowed_cpus_at_start());
  CHECK(yoke::allowed_cpus_at_start() == yoke::affinity_of_this_thread());
}

TEST_CASE("loading the topology leaves the caller's affinity as it was", "[topology]") {
  const std::vector<int> before = yoke::affinity_of_this_thread();
  (void)topology::of_this_machine();
  CHECK(yoke::affinity_of_this_thread() == before);
}

TEST_CASE("a thread that was bound may run everywhere again once it is unbound", "[topology]") {
  std::vector<int> bound;
  std::vector<int> unbound;
  std::thread{[&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(yoke::allowed_cpus_at_start().back(), &one);
    sched_setaffinity(0, sizeof one, &one);
    bound = yoke::affinity_of_this_thread();
    yoke::unbind_this_thread();
    unbound = yoke::affinity_of_this_thread();
  }}.join();
  CHECK(bound == std::vector{yoke::allowed_cpus_at_start().back()});
  CHECK(unbound == yoke::allowed_cpus_at_start());
}

TEST_CASE("cores and hardware threads are mapped both ways", "[topology]") {
  const topology machine = topology::synthetic("core:3 pu:2");
  CHECK(machine.n_cores() == 3);
  CHECK(machine.n_cpus() == 6);
  CHECK(machine.is_hyperthreaded());
  CHECK(machine.core_of(5) == 2);
  CHECK(machine.cpus_of_core(1) == std::vector{2, 3});
  CHECK(machine.cores_of(std::vector{5, 4, 0}) == std::vector{2, 0});
  CHECK_FALSE(topology::synthetic("core:3 pu:1").is_hyperthreaded());
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { (void)machine.core_of(6); }),
             Catch::StartsWith("CPU 6: no such CPU"));
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { (void)machine.cpus_of_core(3); }),
             Catch::StartsWith("core 3: no such core"));
}

TEST_CASE("a scheme of numbers is told from the others", "[topology]") {
  const auto scheme = [](const std::string& machine) {
    return std::string{name_of(topology::synthetic(machine).how_numbered())};
  };
  CHECK(scheme("pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)") == "round-robin");
  CHECK(scheme("pack:2 core:2 pu:2(indexes=0,2,1,3,4,6,5,7)") == "linear");
  CHECK(scheme("pack:2 core:2 pu:2") == "other");
  CHECK(scheme("pack:2 core:2 pu:1") == "round-robin");
}

TEST_CASE("a confined machine has what the mask leaves of it", "[topology]") {
  const topology machine = topology::synthetic("numa:2 l3:1 core:2 pu:2").confined_to(std::vector{1, 4, 5});
  CHECK(machine.usable_cpus(true) == std::vector{1, 4, 5});
  CHECK(machine.usable_cpus(false) == std::vector{1, 4});
  CHECK(machine.n_cores() == 2);
  REQUIRE(machine.caches().size() == 2);
  CHECK(machine.caches()[0].cpus == std::vector{1});
  CHECK(machine.numa_nodes().size() == 2);
  CHECK(topology::synthetic("numa:2 core:2 pu:1").confined_to(std::vector{3}).numa_nodes().size() == 1);
}

TEST_CASE("this machine with accelerators has the same CPUs", "[topology]") {
  const topology machine = topology::with_accelerators();
  CHECK(machine.usable_cpus(true) == topology::of_this_machine().usable_cpus(true));
  for (const auto& each : machine.accelerators()) CHECK_FALSE(each.near.empty());
  CHECK(topology::of_this_machine().accelerators().empty());
}

TEST_CASE("a thread is bound to the CPUs that it asks for, or the system's refusal is told", "[topology]") {
  const int first = yoke::affinity_of_this_thread().front();
  std::vector<bool> seen;
  std::thread{[&] {
    seen.push_back(yoke::bind_this_thread(std::vector{first}));
    seen.push_back(yoke::is_bound_to(std::vector{first}));
    seen.push_back(yoke::is_on(std::vector{first}));
    seen.push_back(!yoke::is_bound_to(std::vector{first, first + 1}));
    seen.push_back(!yoke::is_on(std::vector{first + 1}));
    seen.push_back(!yoke::bind_this_thread(std::vector{100'000}));  // far more than a usual mask has room for
    seen.push_back(yoke::is_bound_to(std::vector{first}));
  }}.join();
  CHECK(seen == std::vector<bool>(7, true));
}

namespace {

std::string refusal_of(const std::string& description) {
  return support::message_of([&] { topology::synthetic(description); });
}

}  // namespace

TEST_CASE("a description of more CPUs than hwloc can take is refused before it tries", "[topology]") {
  CHECK_THAT(refusal_of("core:4097 pu:1"), Catch::Contains("position 6: how many in each, with all levels"));
  CHECK_THAT(refusal_of("core:65536 pu:65536"), Catch::Contains("must be from 1 to 4096"));
  CHECK_THAT(refusal_of("core:64 pu:65"), Catch::Contains("must be from 1 to 64"));
  CHECK_THAT(refusal_of("core:4096 [numa] [numa] pu:1"), Catch::Contains("at most 4096 NUMA nodes"));
}

TEST_CASE("indexes at which hwloc ends the process are refused", "[topology]") {
  CHECK_THAT(refusal_of("core:2(indexes=l1) l1:2 pu:2"), Catch::Contains("no level \"l1\" before this one"));
  CHECK_THAT(refusal_of("core:2 pu:2(indexes=core:core)"), Catch::Contains("a level that was there before"));
  CHECK_THAT(refusal_of("pu:4(indexes=0*4)"), Catch::Contains("a step of 0"));
  CHECK_THAT(refusal_of("pu:4(indexes=1*4:1*65536)"), Catch::Contains("how many steps must be from 1 to 1"));
  CHECK_THAT(refusal_of("core:2 [numa(indexes=core)] pu:1"), Catch::Contains("numbered one by one"));
}

TEST_CASE("indexes that hwloc passes over or takes for fewer CPUs are refused", "[topology]") {
  CHECK_THAT(refusal_of("pu:2(indexes=0,0)"), Catch::Contains("a number that was there before"));
  CHECK_THAT(refusal_of("pu:2(indexes=4000000000,1)"), Catch::Contains("must be from 0 to 65535"));
  CHECK_THAT(refusal_of("core:2 pu:2(indexes=core:pu)"), Catch::Contains("no level \"pu\" before this one"));
  CHECK_THAT(refusal_of("pu:4(indexes=0,1,2)"), Catch::Contains("3 numbers for 4 objects"));
}

TEST_CASE("a description says where it is not one", "[topology]") {
  CHECK_THAT(refusal_of(""), Catch::Contains("position 1: expected how many"));
  CHECK_THAT(refusal_of("core 2"), Catch::Contains("position 5: expected ':' and how many"));
  CHECK_THAT(refusal_of("core:2 pu:2(colour=1)"), Catch::Contains("expected memory, size"));
  CHECK_THAT(refusal_of("numa:2(memory=1234567TB) pu:1"), Catch::Contains("or of 6 and a unit"));
  CHECK_THAT(refusal_of("core:2 [numa pu:2"), Catch::Contains("expected ']'"));
  CHECK_THAT(refusal_of("core:2 pu:2)"), Catch::Contains("expected the end, found ')'"));
}

TEST_CASE("what lstopo writes as a description is taken", "[topology]") {
  const topology machine = topology::synthetic(
      "Package:2 [NUMANode(memory=8589934592 indexes=1,0)] L3Cache:1(size=8388608) Core:2 "
      "PU:2(indexes=2*4:1*2)");
  CHECK(machine.n_cpus() == 8);
  CHECK(machine.numa_nodes().size() == 2);
  CHECK(topology::synthetic("(memory=1GiB) 2 2").n_cpus() == 4);
}
