// A plug-in that holds all of Yoke: its runtime lives for one call.
#include "helpers.hpp"

#include <cstdio>
#include <exception>

extern "C" int run_plugin(const char* cus) {
  try {
    yoke::runtime rt{yoke::runtime_options{.cus = yoke::sourced{cus, "plug-in"}}};
    pieces data{8, 100};
    yoke::task_loop loop = rt.make_loop("static", {.n_tasks = 8});
    rt.run(loop, [&](std::span<const yoke::task_id> batch) {
      for (const int task : batch) data.add_one_to(task);
    });
    return data.all_are(1) ? rt.units().size() : 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return -1;
  }
}
