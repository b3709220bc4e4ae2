// Every thread of every compute unit is on a CPU of that unit, whichever compiler made the teams.
#include <atomic>
#include <cstdio>
#include <ranges>
#include <sched.h>

#include <yoke/yoke.hpp>

namespace {

bool is_inside(const yoke::place& cpus) { return std::ranges::find(cpus, sched_getcpu()) != cpus.end(); }

}  // namespace

int main() {
  yoke::runtime rt;
  std::atomic<int> threads{0};
  std::atomic<int> elsewhere{0};
  rt.each_unit([&](yoke::unit_id unit) {
    const yoke::place& cpus = rt.units().at(unit).cpus;
#pragma omp parallel num_threads(yoke::cu::n_inner_cpus())
    {
      ++threads;
      if (!is_inside(cpus)) ++elsewhere;
    }
  });
  std::printf("%d threads, %d elsewhere\n", threads.load(), elsewhere.load());
}
