#include <cstdio>

#include <yoke/yoke.hpp>

int main() {
  yoke::runtime rt("1x1");
  auto loop = rt.make_loop("static", {.n_tasks = 3});
  int sum = 0;
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const int task : batch) sum += task;
  });
  std::printf("yoke %s: sum %d\n", yoke::version().data(), sum);
}
