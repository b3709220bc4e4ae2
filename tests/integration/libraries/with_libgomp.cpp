// A program with a library that brings libgomp along: libomp, which came first, answers its calls, and so its
// regions are inner teams of the compute unit that calls it.
//   with_libgomp CUS
#include "census.hpp"

#include <atomic>

extern "C" int level_and_threads();

int main(int, char** argv) {
  yoke::runtime rt{argv[1]};
  auto loop = rt.make_loop("static", {.n_tasks = rt.units().size()});
  std::atomic<int> wrong{0};
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for ([[maybe_unused]] const yoke::task_id task : batch)
      if (level_and_threads() != 200 + yoke::cu::n_inner_cpus()) ++wrong;
  });
  std::printf("%d units called it in vain\n", wrong.load());
  return census::all_in_units(rt.units(), yoke::cu::n_inner_cpus()) && wrong == 0 ? 0 : 1;
}
