/// A loop under a schedule of one's own: tasks of different weight, the heavy ones to GPU CUs.
///
///   YOKE_CUS=1x1+1 YOKE_DEVICES=emulated:1 ./user_schedule
#include "user_schedule.hpp"

#include <cerrno>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <system_error>
#include <vector>

#include <yoke/yoke.hpp>

namespace {

struct sum_of_squares {
  YOKE_HD void operator()(yoke::item, yoke::device_ptr<double> sum, int terms) const {
    for (int i = 1; i <= terms; ++i) *sum += static_cast<double>(i) * i;
  }
};

constexpr int n_tasks = 24;
int terms_of(int task) { return 100 * (1 + task * 7 % n_tasks); }

/// From here on this program's YOKE_SCHEDULE knows it, too.
void name_schedule() {
  yoke::scheduling::register_schedule(
      {.name = "heavy-to-gpus", .rule = "GPU CUs take the heaviest tasks that are left"},
      [](const auto&, const yoke::workload& work, std::span<const yoke::unit> units) {
        return std::make_unique<heavy_to_gpus>(work, std::vector<yoke::unit>{units.begin(), units.end()});
      });
}

void add_squares(yoke::runtime& rt, yoke::task_loop& loop, std::vector<double>& sums) {
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const int t : batch) {
      yoke::placement::migrate(&sums[t]);
      const yoke::device_ptr sum{static_cast<double*>(yoke::placement::mem_addr(&sums[t]))};
      yoke::launch_here<sum_of_squares>({.x = 1}, "sum_of_squares", sum, terms_of(t));
    }
  });
}

int run() {
  yoke::runtime rt;
  std::vector<double> sums(n_tasks);
  yoke::workload work{.n_tasks = n_tasks};
  for (int t = 0; t < n_tasks; ++t) {
    yoke::placement::register_mem(&sums[t], sizeof(double));
    work.weights.push_back(terms_of(t));
  }
  yoke::task_loop loop = rt.make_loop(std::make_unique<heavy_to_gpus>(work, rt.schedule_units()), work);
  add_squares(rt, loop, sums);
  loop.print_schedule();
  name_schedule();
  yoke::task_loop by_name = rt.make_loop("heavy-to-gpus", work);
  add_squares(rt, by_name, sums);
  int wrong = 0;
  for (int t = 0; t < n_tasks; ++t) {
    yoke::placement::migrate(&sums[t], yoke::host_space);
    const double n = terms_of(t);
    if (sums[t] != 2 * (n * (n + 1) * (2 * n + 1) / 6)) ++wrong;
  }
  std::printf("user schedule: %d of %d sums wrong\n", wrong, n_tasks);
  if (std::fflush(stdout) != 0) throw std::system_error{errno, std::generic_category(), "stdout"};
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "user_schedule: %s\n", problem.what());
    return 1;
  }
}
