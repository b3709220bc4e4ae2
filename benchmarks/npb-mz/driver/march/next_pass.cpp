#include "next_pass.hpp"

#include <algorithm>
#include <utility>

namespace npb {

next_pass next_pass_of(yoke::task_loop& loop) {
  yoke::pass_plan plan = loop.prepare();
  return {std::move(plan.map), std::max<yoke::pass_id>(plan.until - loop.pass(), 1)};
}

bool is_fixed_for_good(const yoke::task_loop& loop) { return loop.plan().plan_of(loop.pass()).is_settled(); }

}  // namespace npb
