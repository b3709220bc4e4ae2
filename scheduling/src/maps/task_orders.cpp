#include "task_orders.hpp"

#include "assignment.hpp"

#include <algorithm>
#include <tuple>

namespace yoke::scheduling {

namespace {

struct numbered {
  double weight;
  std::size_t bytes;
  task_id task;
  bool is_like(const numbered& other) const { return weight == other.weight && bytes == other.bytes; }
};

std::vector<numbered> sorted_by_kind(const workload& work) {
  std::vector<numbered> all;
  all.reserve(static_cast<std::size_t>(work.n_tasks));
  for (const task_id task : all_tasks(work.n_tasks))
    all.push_back({weight_of(work, task), work.bytes.empty() ? 0 : work.bytes[index(task)], task});
  std::ranges::sort(all, [](const numbered& a, const numbered& b) {
    return std::tie(a.weight, a.bytes, a.task) < std::tie(b.weight, b.bytes, b.task);
  });
  return all;
}

}  // namespace

task_orders::task_orders(const workload& work)
    : longest_first_{scheduling::longest_first(all_tasks(work.n_tasks), work)} {
  const std::vector<numbered> all = sorted_by_kind(work);
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n > 0 && !all[n].is_like(all[n - 1])) ends_.push_back(n);
    by_kind_.push_back(all[n].task);
  }
  if (!all.empty()) ends_.push_back(all.size());
  if (work.waits_late) graph_.emplace(work);
}

std::vector<task_id> task_orders::longest_first(std::span<const task_id> some) const {
  std::vector<char> is_asked_for(longest_first_.size(), 0);
  for (const task_id task : some) is_asked_for[index(task)] = 1;
  std::vector<task_id> found;
  found.reserve(some.size());
  for (const task_id task : longest_first_)
    if (is_asked_for[index(task)] != 0) found.push_back(task);
  return found;
}

}  // namespace yoke::scheduling
