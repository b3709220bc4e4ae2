// Which lanes there are, and how pieces get from memory to memory.
#include "engine_core.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>

namespace yoke::flow {

namespace {

/// Those of devices are numbers of memories.
constexpr int backend_of_team = -1;

}  // namespace

lane_id engine_core::seat(int number) const {
  if (number >= 0 && number < n_seats_) return lane_id{number};
  throw usage_error{fmt::format("seat {}: the engine has {}", number, n_seats_)};
}

lane_id engine_core::queue_of(space_id memory, int number) const {
  const auto group = std::ranges::find(groups_, memory, &queue_group::memory);
  if (group != groups_.end() && number >= 0 && number < queues_of_group_)
    return queue_of(static_cast<int>(group - groups_.begin()), number);
  throw usage_error{fmt::format("queue {} of memory {}: the engine has {} of each memory from 1 to {}",
                                number, int{memory}, queues_of_group_, devices_.size())};
}

lane_id engine_core::queue_of(int group, int number) const {
  if (group >= 0 && group < std::ssize(groups_) && number >= 0 && number < queues_of_group_)
    return lane_id{n_seats_ + 1 + group * queues_of_group_ + number};
  throw usage_error{fmt::format("queue {} of group {}: the engine has {} of each of {}", number, group,
                                queues_of_group_, groups_.size())};
}

space_id engine_core::memory_of(lane_id on) const {
  if (on <= n_seats_ || is_team(on)) return host_space;
  if (on >= way_into(space_id{1})) return space_id{1 + (on - way_into(space_id{1})) / 2};
  return groups_[static_cast<std::size_t>((on - n_seats_ - 1) / queues_of_group_)].memory;
}

lane_id engine_core::way(space_id from, space_id to) const {
  if (to == host_space) return way_out_of(from);
  if (from != host_space && !links_.is_direct(from, to)) return {};
  return way_into(to);
}

std::vector<lane> engine_core::lanes() const {
  std::vector<lane> all(static_cast<std::size_t>(n_seats_) + 1, {lane::kind::seat, host_space});
  const auto add = [&](space_id memory, int n) {
    all.insert(all.end(), static_cast<std::size_t>(n), {lane::kind::queue, memory, backend_of(memory)});
  };
  for (const queue_group& each : groups_) add(each.memory, queues_of_group_);
  for (int d = 0; d < static_cast<int>(devices_.size()); ++d) add(space_id{d + 1}, 2);
  all.push_back({lane::kind::queue, host_space, backend_of_team});  // none but it waits there for others
  return all;
}

/// Devices of one backend wait for each other's events: those between which copies go without the host are.
int engine_core::backend_of(space_id memory) const {
  for (int other = 1; other < memory; ++other)
    if (links_.is_direct(space_id{other}, memory)) return backend_of(space_id{other});
  return memory;
}

void engine_core::check_lane(lane_id on) const {
  if (on < 0 || on > team()) {
    throw usage_error{fmt::format("lane {}: the engine has {}; take one of seat(), queue(), host() or team()",
                                  int{on}, team() + 1)};
  }
}

}  // namespace yoke::flow
