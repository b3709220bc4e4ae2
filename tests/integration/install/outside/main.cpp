#include <cstdio>

#include <yoke/yoke.hpp>

static_assert(YOKE_VERSION == YOKE_VERSION_MAJOR * 10000 + YOKE_VERSION_MINOR * 100 + YOKE_VERSION_PATCH);

int main() {
  yoke::runtime rt("1x1");
  auto loop = rt.make_loop("static", {.n_tasks = 3});
  int sum = 0;
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const int task : batch) sum += task;
  });
  std::printf("yoke %s, headers %d.%d.%d: sum %d\n", yoke::version().data(), YOKE_VERSION_MAJOR,
              YOKE_VERSION_MINOR, YOKE_VERSION_PATCH, sum);
}
