#include "loop_memory.hpp"

#include "loop_account.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/host_memory.hpp>

namespace yoke::detail {

namespace {
/// To ask the system takes longer than to make a loop of fewer.
constexpr int many_tasks = 1 << 20;

std::size_t free_bytes() {
  const host_memory now = yoke::free_host_memory();
  return std::min(now.free, now.addresses);
}
}  // namespace

loop_memory::loop_memory(const workload& work)
    : n_tasks_{work.n_tasks},
      name_{work.name},
      bytes_{static_cast<std::size_t>(std::max(work.n_tasks, 0)) * (sizeof(task_record) + sizeof(task_id))} {
  if (n_tasks_ >= many_tasks && bytes_ > free_bytes()) refuse();
}

void loop_memory::refuse() const {
  const std::size_t free = free_bytes();
  throw out_of_memory{
      fmt::format(
          "make_loop: {} tasks{} need {} bytes of host memory and more, for what is kept of each, and {} are "
          "free; give the loop fewer and larger tasks",
          n_tasks_, name_.empty() ? "" : fmt::format(" of the loop '{}'", name_), bytes_, free),
      bytes_, free};
}

}  // namespace yoke::detail
