#include <algorithm>
#include <sched.h>
#include <set>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>

#include <yoke/affinity.hpp>
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
