#include <mutex>
#include <omp.h>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>
#include <vector>

#include <yoke/affinity.hpp>
#include <yoke/bind_team.hpp>
#include <yoke/error.hpp>

using support::message_of;
using yoke::hosted;

namespace {

/// Whether each thread of a region on a thread of its own is on these CPUs alone.
std::vector<bool> team_on(const std::vector<int>& cpus, int regions) {
  yoke::hosting cores;
  cores.assign_cpus(hosted::component(0), cpus);
  std::vector<bool> all;
  std::mutex lock;
  std::thread{[&] {
    yoke::bind_team(cores, hosted::component(0));
    for (int i = 0; i < regions; ++i) {
#pragma omp parallel
      {
        const std::lock_guard guard{
            lock};  // libomp 19 with Archer crashes at the end of a critical section here
        all.push_back(yoke::is_bound_to(cpus));
      }
    }
  }}.join();
  return all;
}

}  // namespace

TEST_CASE("a team of a hosting thread has a thread for each of its CPUs, and stays on them", "[bind-team]") {
  const std::vector<int> all = yoke::allowed_cpus_at_start();
  CHECK(team_on({all.back()}, 3) == std::vector<bool>(3, true));
  CHECK(team_on(all, 2) == std::vector<bool>(2 * all.size(), true));
}

TEST_CASE("what OpenMP does before or elsewhere is not changed by a hosting thread", "[bind-team]") {
  const int before = omp_get_max_threads();
  team_on({yoke::allowed_cpus_at_start().front()}, 1);
  CHECK(omp_get_max_threads() == before);
  CHECK(yoke::affinity_of_this_thread() == yoke::allowed_cpus_at_start());
}

TEST_CASE("a team for which nothing was assigned is refused", "[bind-team]") {
  CHECK(message_of<yoke::usage_error>([] { yoke::bind_team(yoke::hosting{}, hosted::main()); }) ==
        "no CPUs were assigned to the main thread");
}

// In a process of its own: the limit is read once.
TEST_CASE("a team that OpenMP does not give is refused with what mends it", "[.][limited]") {
  const std::vector<int> all = yoke::allowed_cpus_at_start();
  if (all.size() < 2) return support::skip("one CPU only", true);
  yoke::hosting cores;
  cores.assign_cpus(hosted::main(), all);
  CHECK_THAT(
      message_of<yoke::config_error>([&] { yoke::bind_team(cores, hosted::main()); }),
      Catch::StartsWith("the main thread: OpenMP does not give its ") && Catch::Contains("OMP_THREAD_LIMIT"));
}
