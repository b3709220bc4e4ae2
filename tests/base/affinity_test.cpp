/// CPUs of a thread, which is one of the test's own.
#include <algorithm>
#include <array>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/errors.hpp>
#include <thread>
#include <vector>

#include <yoke/affinity.hpp>
#include <yoke/topology.hpp>

TEST_CASE("a thread that is bound has these CPUs, until it is unbound", "[affinity]") {
  std::thread{[] {
    const std::vector<int> before = yoke::affinity_of_this_thread();
    const std::array<int, 1> one{before.front()};
    REQUIRE(yoke::bind_this_thread(one));
    CHECK(yoke::affinity_of_this_thread() == std::vector<int>{before.front()});
    CHECK(yoke::is_bound_to(one));
    CHECK(yoke::is_on(one));
    yoke::unbind_this_thread();
    CHECK(yoke::affinity_of_this_thread() == yoke::allowed_cpus_at_start());
    CHECK(yoke::is_bound_to(one) == (yoke::allowed_cpus_at_start().size() == 1));
  }}.join();
}

TEST_CASE("a CPU that there is not binds nobody", "[affinity]") {
  std::thread{[] {
    const std::vector<int> before = yoke::affinity_of_this_thread();
    for (const int cpu : {1023, 5000}) {  // within the masks of usual systems, and beyond them
      if (std::ranges::find(before, cpu) != before.end()) continue;
      const std::array<int, 1> none{cpu};
      CHECK_FALSE(yoke::bind_this_thread(none));
      CHECK_FALSE(yoke::is_bound_to(none));
      CHECK_FALSE(yoke::is_on(none));
    }
    CHECK(yoke::affinity_of_this_thread() == before);
  }}.join();
}

TEST_CASE("a process may be left some of its CPUs, and no others", "[affinity]") {
  const std::vector<int> before = yoke::allowed_cpus_at_start();
  CHECK_THAT(support::refusal([] { yoke::keep_to_cpus({}); }),
             Catch::Matchers::Contains("keep_to_cpus: CPUs {}"));
  CHECK_THAT(support::refusal([] { yoke::keep_to_cpus({5000}); }),
             Catch::Matchers::Contains("{5000}; some of {"));
  CHECK(yoke::allowed_cpus_at_start() == before);
  CHECK(support::run_child("keeps to its last CPU").status == 0);
}

TEST_CASE("keeps to its last CPU", "[.child]") {
  const int last = yoke::allowed_cpus_at_start().back();
  yoke::keep_to_cpus({last});
  CHECK(yoke::allowed_cpus_at_start() == std::vector{last});
  CHECK(yoke::affinity_of_this_thread() == std::vector{last});
  CHECK(yoke::topology::of_this_machine().n_cpus() == 1);
}
