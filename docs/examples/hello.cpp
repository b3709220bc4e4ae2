/// An `omp for` over the blocks of a vector, on all CPUs and GPUs. With OpenMP alone it was
///
///   #pragma omp parallel for schedule(dynamic, 1)
///   for (int b = 0; b < n_blocks; ++b) square(&data[b * block], block);
#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

#include <yoke/yoke.hpp>

struct square {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x) const { x[at.x] *= x[at.x]; }
};

int main() try {
  constexpr std::size_t n_blocks = 64, block = 1 << 14;
  std::vector<double> data(n_blocks * block, 3.0);

  yoke::runtime rt;  // all CPUs, and every GPU there is; YOKE_CUS=2x1+1 says otherwise
  std::vector<yoke::placed<double>> blocks;
  for (std::size_t b = 0; b < n_blocks; ++b)
    blocks.emplace_back(rt, std::span{data}.subspan(b * block, block));
  yoke::task_loop loop = rt.make_loop({.n_tasks = n_blocks});
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const int b : batch)  // the block comes to the memory of the CU that runs this
      yoke::launch_here<square>({.x = block}, "square", blocks[b]);
  });
  for (yoke::placed<double>& each : blocks) each.host();  // back from wherever it was

  loop.print_cu_times();
  if (std::fflush(stdout) != 0) return 1;  // nobody could read the times
  return std::ranges::all_of(data, [](double value) { return value == 9.0; }) ? 0 : 1;
} catch (const yoke::error& problem) {  // main is one try block; YOKE_SCHEDULE=help ends here, too
  std::fprintf(stderr, "hello: %s\n", problem.what());
  return 1;
}
