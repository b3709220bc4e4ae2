#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/hosting.hpp>

using support::message_of;
using yoke::hosted;
using yoke::hosting;
using yoke::machine_parts;
using yoke::topology;
using yoke::usage_error;

namespace {

/// Four cores of two threads (0,1 2,3 4,5 6,7) on two NUMA nodes, and accelerators near these CPUs.
hosting on_four_cores(std::vector<std::vector<int>> near) {
  machine_parts parts{.cpus = topology::synthetic("numa:2 core:2 pu:2").cpus()};
  for (auto& each : near) parts.accelerators.push_back({.near = std::move(each)});
  return hosting{topology{std::move(parts)}};
}

}  // namespace

// As the program of OpenH's Figure 6 does.
TEST_CASE("each accelerator gets a core of its own, and a component the CPUs that are left", "[hosting]") {
  hosting all = on_four_cores({{4, 5, 6, 7}, {4, 5, 6, 7}});
  all.assign_accelerators();
  CHECK(all.cpus_of(hosted::accelerator(0)) == std::vector{4});
  CHECK(all.cpus_of(hosted::accelerator(1)) == std::vector{6});
  CHECK(all.free_cpus() == std::vector{0, 1, 2, 3, 5, 7});
  CHECK(all.free_cores() == std::vector{0, 1});
  all.assign_free_cores(hosted::component(0));
  CHECK(all.cpus_of(hosted::component(0)) == std::vector{0, 1, 2, 3});
  all.assign_free_cpus(hosted::main());
  CHECK(all.cpus_of(hosted::main()) == std::vector{5, 7});
  CHECK(message_of<usage_error>([&] { all.assign_free_cpus(hosted::component(1)); }) ==
        "no CPU is left, or given, for component 1");
  CHECK(message_of<usage_error>([&] { all.assign_free_cores(hosted::component(1)); }) ==
        "no CPU is left, or given, for component 1");
}

TEST_CASE("a core of which somebody has a thread is not free, and its other thread is", "[hosting]") {
  hosting all = on_four_cores({});
  all.assign_cpus(hosted::main(), {0, 2, 4, 6});
  CHECK(all.free_cores().empty());
  CHECK(message_of<usage_error>([&] { all.assign_free_cores(hosted::component(0)); }) ==
        "no CPU is left, or given, for component 0");
  all.assign_free_cpus(hosted::component(0));
  CHECK(all.cpus_of(hosted::component(0)) == std::vector{1, 3, 5, 7});
}

TEST_CASE("cores bring their threads, and a second assignment replaces the first", "[hosting]") {
  hosting all = on_four_cores({});
  all.assign_cores(hosted::main(), {1, 3});
  CHECK(all.cpus_of(hosted::main()) == std::vector{2, 3, 6, 7});
  all.assign_cpus(hosted::main(), {0});
  CHECK(all.cpus_of(hosted::main()) == std::vector{0});
  CHECK(all.free_cpus().size() == 7);
}

TEST_CASE("what a machine does not have is refused", "[hosting]") {
  hosting all = on_four_cores({{0}});
  CHECK_THAT(message_of<usage_error>([&] { all.assign_cpus(hosted::main(), {8}); }),
             Catch::StartsWith("CPU 8: no such CPU"));
  CHECK_THAT(message_of<usage_error>([&] { all.assign_cores(hosted::main(), {4}); }),
             Catch::StartsWith("core 4: no such core"));
  CHECK(message_of<usage_error>([&] { all.assign_cpus(hosted::accelerator(1), {0}); }) ==
        "accelerator 1: no such accelerator; the machine has 1");
  CHECK(message_of<usage_error>([&] { all.bind_self(hosted::component(2)); }) ==
        "no CPUs were assigned to component 2");
  hosting crowded = on_four_cores({{0}, {0}, {0}, {0}, {0}});
  CHECK(message_of<usage_error>([&] { crowded.assign_accelerators(); }) ==
        "5 accelerators need a core each, the process has 4");
}

TEST_CASE("a thread that binds itself is on the CPUs that were assigned", "[hosting]") {
  hosting all{topology::of_this_machine()};
  const int last = all.machine().cpus().back().cpu;
  all.assign_cpus(hosted::component(0), {last});
  std::vector<int> bound;
  std::thread{[&] {
    all.bind_self(hosted::component(0));
    bound = yoke::affinity_of_this_thread();
  }}.join();
  CHECK(bound == std::vector{last});
}
