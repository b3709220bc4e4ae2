/// An `omp for` over the blocks of a vector, on all CPUs and GPUs. With OpenMP alone it was
///
///   #pragma omp parallel for schedule(dynamic, 1)
///   for (int b = 0; b < n_blocks; ++b) square(&data[b * block], block);
#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

#include <yoke/yoke.hpp>

struct square {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x) const { x[at.x] *= x[at.x]; }
};

int main() try {
  constexpr int n_blocks = 64, block = 1 << 14;
  std::vector<double> data(std::size_t{n_blocks} * block, 3.0);

  yoke::runtime rt;  // all CPUs, and every GPU there is; YOKE_CUS=2x1+1 says otherwise
  for (int b = 0; b < n_blocks; ++b) yoke::placement::register_mem(&data[b * block], block * sizeof(double));
  yoke::task_loop blocks = rt.make_loop({.n_tasks = n_blocks});

  rt.run(blocks, [&](std::span<const yoke::task_id> batch) {
    for (const int b : batch) {
      yoke::placement::migrate(&data[b * block]);  // to the calling CU's memory
      auto* x = static_cast<double*>(yoke::placement::mem_addr(&data[b * block]));
      yoke::launch_here<square>({.x = block}, "square", yoke::device_ptr{x});
    }
  });

  for (int b = 0; b < n_blocks; ++b) yoke::placement::migrate(&data[b * block], yoke::host_space);
  blocks.print_cu_times();
  if (std::fflush(stdout) != 0) return 1;  // nobody could read the times
  return std::count(data.begin(), data.end(), 9.0) == n_blocks * block ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "hello: %s\n", e.what());
  return 1;
}
