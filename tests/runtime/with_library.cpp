// A program that is linked with a library which starts libomp when it is loaded; main has no construct
// itself.
#include <atomic>
#include <cstdio>
#include <thread>

#include <yoke/affinity.hpp>
#include <yoke/yoke.hpp>

int threads_of_library();

int main(int, char** argv) {
  yoke::runtime rt{argv[1]};
  auto loop = rt.make_loop("dynamic", {.n_tasks = 50});
  std::atomic<int> wrong{0}, tasks{0};
  const auto run = [&] {
    rt.run(loop, [&](std::span<const yoke::task_id> batch) {
      if (!yoke::is_bound_to(rt.units().calling().cpus)) ++wrong;
      tasks += static_cast<int>(batch.size());
      static_cast<void>(threads_of_library());  // a nested region of the library's
    });
  };
  run();
  std::thread{run}.join();  // OpenMP gives it a team of its own, which nobody has bound yet
  std::printf("%d tasks, %d batches on wrong CPUs\n", tasks.load(), wrong.load());
  return tasks == 100 && wrong == 0 && threads_of_library() > 0 ? 0 : 1;
}
