#pragma once
/// Who runs the same tasks on the same CPUs.

#include <functional>
#include <string>
#include <vector>

#include <yoke/runtime.hpp>

namespace bench {

/// Independent tasks that each compute so many iterations.
struct grain {
  int tasks = 0;
  int iterations = 0;
};

/// Runs them once, on all CUs, and returns when all are done.
using pass = std::function<void()>;

struct contender {
  std::string name;
  std::function<pass(const grain&)> prepare;  ///< what is done once for such tasks
};

/// The body of every task: a chain of multiplications, which neither compiler nor CPU shortens.
void compute(int iterations);

std::vector<contender> of_yoke(yoke::runtime& rt);
/// Tasks of a task_group, and a recording of them.
std::vector<contender> of_groups(yoke::runtime& rt);
/// Loops and tasks of libomp, on a team of `threads`.
std::vector<contender> of_openmp(int threads);
/// Empty where this was built without StarPU. Its workers exist from `prepare` on, until the pass is
/// destroyed.
std::vector<contender> of_starpu(int workers);

}  // namespace bench
